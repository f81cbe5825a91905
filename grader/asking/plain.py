"""Ask line by line, where the terminal moves no cursor (``TERM=dumb``, an editor's shell)."""

from __future__ import annotations

import re
from typing import Any

from grader.asking.reply import COMMANDS, Action, Field, ListField, Reply, TextField, command_in
from grader.asking.selection import Selection
from grader.quiz.formula import Unreadable, plain
from grader.report import Screen
from grader.text import Text, say

__all__ = ["PlainAsker", "as_text"]


def as_text(typed: str) -> str:
    """Return typed text without the halves of characters that a wrong locale leaves."""
    return typed.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class PlainAsker:
    """Asks with ``input()``."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def ask(self, field: Field, given: Any) -> Reply:
        """Ask for one thing; ``given`` is the earlier answer or None."""
        typed: list[str] = []
        try:
            if field.label is not None:
                self.screen.prose(field.label.pick(self.screen.language), "bold", 2)
            if isinstance(field, ListField):
                return self._choose(field, given)
            return self._type(field, given, typed)
        except KeyboardInterrupt:
            return Reply("interrupt", "\n".join(typed) or None)
        except EOFError:
            return Reply("quit", "\n".join(typed) or None)

    def _say(self, text: Text, style: str = "dim") -> None:
        self.screen.line(text.pick(self.screen.language), style, 2)

    def _choose(self, field: ListField, given: Any) -> Reply:
        shown = Selection(field, given)
        for index, (_, text) in enumerate(field.options):
            box = shown.mark(index) or ("* " if given and index == shown.pointer else "")
            self.screen.prose(f"{index + 1}. {box}{text.pick(self.screen.language)}", indent=2)
        how = {
            "one": say("Type a number."),
            "several": say("Type the numbers of all that are right, such as 1 3."),
            "order": say("Type all numbers in their order, such as 2 1 3."),
        }[field.kind]
        self._say(say("{how} b: back, s: skip, q: save and quit.", how=how))
        while True:
            typed = as_text(input("> "))
            if (action := self._command(typed)) is not None:
                return Reply(action)
            if not typed.strip() and given is not None:
                return Reply("answer", given)
            selection, fault = self._selected(field, typed)
            if fault is None:
                return Reply("answer", selection.value)
            self._say(fault, "yellow")

    def _command(self, typed: str) -> Action | None:
        return COMMANDS.get(plain(typed).lower()) or command_in(typed)

    def _selected(self, field: ListField, typed: str) -> tuple[Selection, Text | None]:
        selection = Selection(field)
        words = [word for word in re.split(r"[\s,;.>]+", plain(typed)) if word]
        if field.none and words in ([], ["0"]):
            return selection, None if words else say("Type 0 for none of them.")
        if field.kind == "one" and len(words) != 1:
            return selection, say("Type one number.")
        if not all(word.isdecimal() and selection.press(int(word[:4])) for word in words):
            return selection, say("Type numbers from 1 to {count}.", count=len(field.options))
        return selection, selection.fault

    def _type(self, field: TextField, given: Any, typed: list[str]) -> Reply:
        """Read a line, or lines up to an empty one; ``typed`` keeps them for an interruption."""
        self._say(field.how)
        if given is not None:
            self._say(say("Your earlier answer, kept if you only press Enter: {answer}",
                          answer=given))  # fmt: skip
        if field.lines:
            self._say(say("An empty line ends the answer. :b back, :s skip, :q save and quit."))
        else:
            self._say(say(":b back, :s skip, :q save and quit."))
        while True:
            line = as_text(input("> "))
            if (action := command_in(line)) is not None:
                return Reply(action, "\n".join(typed) or None)
            if line.strip():
                typed.append(line)
                if field.lines:
                    continue
            answer = "\n".join(typed) if typed else given
            typed.clear()
            if answer is None:
                self._say(say("Nothing typed yet."), "yellow")
                continue
            try:
                field.read(answer)
            except Unreadable as error:
                self._say(error.what, "yellow")
                continue
            return Reply("answer", answer)
