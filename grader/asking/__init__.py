"""Ask a quiz in a terminal: one item at a time, saved after every answer, resumed at any time."""

from grader.asking.dialogue import Dialogue, Ended, needs_answers
from grader.asking.plain import PlainAsker
from grader.asking.reply import Asker
from grader.report import Screen

__all__ = ["Asker", "Dialogue", "Ended", "make_asker", "needs_answers"]


def make_asker(screen: Screen, *, dumb: bool) -> Asker:
    """Return what asks in this terminal.

    Args:
        screen: the terminal.
        dumb: whether it obeys no cursor movements; it is asked line by line then.
    """
    if dumb:
        return PlainAsker(screen)
    from grader.asking.terminal import TerminalAsker  # a quarter of a second to import

    return TerminalAsker(screen)
