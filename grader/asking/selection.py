"""The state of a list that somebody is choosing from, apart from how it is drawn."""

from __future__ import annotations

from typing import Any

from grader.asking.reply import ListField
from grader.text import Text, say

__all__ = ["Selection"]


class Selection:
    """What is pointed at and what is chosen so far.

    Args:
        field: what to choose from.
        given: the earlier answer in the form of :attr:`value`, or None.

    Attributes:
        pointer: index of the option pointed at.
        chosen: indexes of what is ticked, or ordered so far; unused where one is chosen.
    """

    def __init__(self, field: ListField, given: Any = None) -> None:
        self.field = field
        ids = [id_ for id_, _ in field.options]
        given = [given] if isinstance(given, str) else given or []
        self.chosen: list[int] = [ids.index(id_) for id_ in given if id_ in ids]
        self.pointer = self.chosen[0] if self.chosen and field.kind == "one" else 0

    def move(self, step: int) -> None:
        """Point at the next or the previous option; the list is a ring."""
        self.pointer = (self.pointer + step) % len(self.field.options)

    def press(self, number: int) -> bool:
        """Take the option with ``number`` (from 1); return whether there is one."""
        if not 1 <= number <= len(self.field.options):
            return False
        self.pointer = number - 1
        if self.field.kind != "one":
            self.toggle()
        return True

    def toggle(self) -> None:
        """Choose what is pointed at, or take it back."""
        if self.pointer in self.chosen:
            self.chosen.remove(self.pointer)
        else:
            self.chosen.append(self.pointer)

    def undo(self) -> None:
        """Take the last choice back."""
        if self.chosen:
            self.chosen.pop()

    def mark(self, index: int) -> str:
        """Return the box before an option: its tick, its place in the order, or nothing."""
        if self.field.kind == "one":
            return ""
        if index not in self.chosen:
            return "[ ] "
        return f"[{self.chosen.index(index) + 1}] " if self.field.kind == "order" else "[x] "

    @property
    def fault(self) -> Text | None:
        """What keeps this from being an answer."""
        count, all_ = len(self.chosen), len(self.field.options)
        if self.field.kind == "several" and not count and not self.field.none:
            return say("Nothing is ticked yet.")
        if self.field.kind == "order" and count < all_:
            return say("{count} of {all} are in order so far.", count=count, all=all_)
        return None

    @property
    def value(self) -> Any:
        """The answer: an id, or a list of ids."""
        ids = [id_ for id_, _ in self.field.options]
        if self.field.kind == "one":
            return ids[self.pointer]
        chosen = self.chosen if self.field.kind == "order" else sorted(self.chosen)
        return [ids[index] for index in chosen]
