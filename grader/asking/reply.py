"""What passes between the dialogue and the terminal: something to ask, and what came back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from grader.quiz.formula import plain
from grader.text import Text

__all__ = ["COMMANDS", "Action", "Asker", "Field", "ListField", "Reply", "TextField", "command_in"]

Action = Literal["answer", "back", "skip", "quit", "interrupt", "gone"]
COMMANDS: dict[str, Action] = {"b": "back", "s": "skip", "q": "quit"}


class ListField(msgspec.Struct, frozen=True, kw_only=True):
    """Something to choose from.

    Attributes:
        kind: choose ``one``, tick ``several``, or bring all into ``order``.
        options: id and text of each, as shown.
        label: what is asked for, where the item asks for several things.
        none: whether ticking nothing is an answer.
    """

    kind: Literal["one", "several", "order"]
    options: list[tuple[str, Text]]
    label: Text | None = None
    none: bool = False


class TextField(msgspec.Struct, frozen=True, kw_only=True):
    """Something to type.

    Attributes:
        read: raises ``Unreadable`` for what cannot be meant as an answer.
        lines: whether it may have several lines.
        how: how it is written, in a few words.
    """

    read: Callable[[object], Any]
    how: Text
    label: Text | None = None
    lines: bool = False


Field = ListField | TextField


class Reply(msgspec.Struct, frozen=True):
    """What a person did.

    Attributes:
        action: ``interrupt`` is Ctrl-C, ``gone`` a terminal that was closed.
        value: the answer: an id, a list of ids, or text. With another action what had been typed
            so far, or None.
    """

    action: Action
    value: Any = None


class Asker(Protocol):
    """A way to ask."""

    def ask(self, field: Field, given: Any) -> Reply:
        """Ask for one thing; ``given`` is the earlier answer or None."""
        ...


def command_in(text: str) -> Action | None:
    """Return the command that a typed ``:b``, ``:s`` or ``:q`` gives, in any width."""
    folded = plain(text).lower()
    return COMMANDS.get(folded[1:]) if folded[:1] == ":" else None
