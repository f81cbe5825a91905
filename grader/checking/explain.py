"""What a student's failing code did, in words, from what the worker reported."""

from __future__ import annotations

import difflib
import re

from grader import wire
from grader.checking.stub import StubFacts
from grader.outline import TODO_MARK
from grader.results import Outcome
from grader.text import Text, say

__all__ = ["StudentOutcomeError", "explain_loss", "missing", "not_caught", "wrong_signature"]

NAMES_LOOKED_AT = 500  # of what a submission defines, for one that was renamed
NO_NETWORK = re.compile(
    r"Network is unreachable|Name or service not known|Temporary failure in name resolution|"
    r"Connection refused|urlopen error|No address associated"
)
# What a Chinese input method puts where Python wants ASCII.
WIDE = {
    "（": "(", "）": ")", "，": ",", "：": ":", "；": ";", "“": '"', "”": '"', "‘": "'", "’": "'",
    "【": "[", "】": "]", "。": ".", "＝": "=", "＋": "+", "－": "-", "＊": "*", "／": "/",
    "｛": "{", "｝": "}", "！": "!", "＜": "<", "＞": ">", "、": ",", "＃": "#", "～": "~",
    "％": "%", "．": ".", "［": "[", "］": "]", "　": " ",
}  # fmt: skip


class StudentOutcomeError(BaseException):
    """A check ended as no test may catch it: a missing name, a wrong signature, ``sys.exit``.

    Attributes:
        outcome: what the check gets.
        messages: for the student.
        trace: the student's own frames.
    """

    def __init__(
        self, outcome: Outcome, messages: list[Text], trace: list[str] | None = None
    ) -> None:
        super().__init__(messages[0].en)
        self.outcome = outcome
        self.messages = messages
        self.trace = trace or []


def missing(name: str, stub: StubFacts, owner: str | None = None) -> StudentOutcomeError:
    """Return the outcome for a name that is not there; a near name is offered elsewhere.

    Args:
        name: what was looked for.
        stub: of the exercise.
        owner: the class or object it was looked for in; None for the file.
    """
    what = say("`{name}` does not exist in your file.", name=name)
    if owner is not None:
        what = say("A `{owner}` of yours has no `{name}`.", owner=owner, name=name)
    elif name in stub.signatures:
        what = say(
            "`{name}{signature}` does not exist in your file.",
            name=name,
            signature=stub.signatures[name],
        )
    return StudentOutcomeError(Outcome.MISSING, [what])


def nearest_name(name: str, found: list[str]) -> Text | None:
    """Return a sentence that offers the most similar of the names a submission does define."""
    near = difflib.get_close_matches(name, found[:NAMES_LOOKED_AT], n=1)
    return say("There is `{near}`: was it renamed?", near=near[0]) if near else None


def wrong_signature(name: str, signature: str, stub: StubFacts) -> StudentOutcomeError:
    """Return the outcome for arguments that do not fit, with both signatures."""
    wanted = stub.signatures.get(name) or stub.signatures.get(name.rpartition(".")[0], "")
    return StudentOutcomeError(
        Outcome.WRONG_SIGNATURE,
        [say("`{name}` is called as {wanted}, but yours takes {signature}.",
             name=name.removesuffix(".forward"), wanted=wanted or "(...)", signature=signature)],
    )  # fmt: skip


def not_caught(loss: wire.Loss) -> StudentOutcomeError:
    """Return the outcome for an exception no test may see as its own, such as ``SystemExit``."""
    outcome, messages = explain_loss(loss, importing=False)
    return StudentOutcomeError(outcome, messages, loss.trace)


def explain_loss(loss: wire.Loss, *, importing: bool) -> tuple[Outcome, list[Text]]:
    """Return the outcome and the messages for an exception of the student's code."""
    if loss.builtin in ("SyntaxError", "IndentationError", "TabError") and importing:
        return Outcome.SYNTAX_ERROR, _syntax(loss)
    if loss.builtin == "MemoryError":
        return Outcome.MEMORY_LIMIT, [say("The code asked for more memory than it may have.")]
    if loss.builtin == "NotImplementedError" and loss.message.startswith(TODO_MARK):
        return Outcome.TODO, [say("Still to be written: {todo}", todo=loss.message)]
    raised = f"{loss.class_name}: {loss.message}" if loss.message else loss.class_name
    if loss.builtin in ("ImportError", "ModuleNotFoundError"):
        return Outcome.IMPORT_ERROR, [say("An import failed: {raised}", raised=raised)]
    if loss.builtin == "SystemExit":
        return Outcome.RUNTIME_ERROR, [say("The code called exit(); return a value instead.")]
    messages = [
        say("While the file was being imported: {raised}", raised=raised)
        if importing
        else say("Your code raised {raised}", raised=raised)
    ]
    if NO_NETWORK.search(loss.message) and loss.builtin in (
        "OSError",
        "ConnectionRefusedError",
        "Exception",
    ):
        messages.append(say("The network is off while grading; the task needs none."))
    if loss.class_name == "EOFError":
        messages.append(say("There is no keyboard while grading: do not call input()."))
    return Outcome.RUNTIME_ERROR, messages


def _syntax(loss: wire.Loss) -> list[Text]:
    shown = loss.source.replace("\t", "⇥   ").rstrip()
    messages = [
        say(
            "Line {line}, column {column}: {problem}",
            line=loss.line,
            column=loss.column,
            problem=loss.message,
        )
    ]
    if shown.strip():
        messages.append(Text(shown, shown))
    if loss.class_name == "TabError" or "tabs" in loss.message:
        messages.append(say("Tabs (shown as ⇥) and spaces are mixed; use four spaces."))
    wide = _wide_characters(loss)
    if wide is not None:
        column, character = wide
        messages.append(
            say(
                "Line {line}, column {column} is “{character}” (U+{code}), "
                "typed with a Chinese input method; type {wanted} instead.",
                line=loss.line,
                column=column,
                code=f"{ord(character):04X}",
                character=character,
                wanted=WIDE[character] if WIDE[character] != " " else say("a space"),
            )
        )
    return messages


def _wide_characters(loss: wire.Loss) -> tuple[int, str] | None:
    """Return column and character of the full-width character nearest to the reported place."""
    places = [
        (column, character)
        for column, character in enumerate(loss.source, start=1)
        if character in WIDE
    ]
    if not places:
        return None
    return min(places, key=lambda place: abs(place[0] - loss.column))
