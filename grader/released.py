"""What classes were handed: a committed list of every check and quiz item under its id.

Gradebooks, ledgers and marks given by hand know a check or item by its id alone. In a class that
runs, an id that vanishes takes marks along, and one that comes to mean something else, or carries
other points, changes them behind everybody's back. So what was handed out is written down, and an
id is given up in words: ``retired: why``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
import yaml

from grader.atomic import replace_file
from grader.checking.checkspec import CheckSpec
from grader.course.load import exercise_names, quiz_names
from grader.course.yaml_source import Lines, load_struct
from grader.errors import CourseError, writing
from grader.quiz import Quiz
from grader.text import Text, say

__all__ = ["RECORD", "Cell", "Handed", "Record", "check_cells", "item_cells", "read_record"]

RECORD = Path("solutions", "released.yaml")  # hidden checks stand in it, so it is not for students
HEAD = """\
# Every check and quiz item that was handed out. Marks are kept under these ids.
# `grade release` adds to this file, `grade check` compares; commit it. To give up an id, write
# `retired: why` into its braces; what takes its place gets another id.
"""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What marks kept under an id depend on.

    Attributes:
        type: of a quiz item; of a check ``check`` or ``bonus``.
        points: what it carries.
        retired: why the id is given up, if it is.
    """

    type: str
    points: int
    retired: str = ""


Cells = dict[str, Cell]  # id -> what is kept under it


class Handed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``solutions/released.yaml``: cells by exercise and by quiz."""

    exercises: dict[str, Cells] = {}
    quizzes: dict[str, Cells] = {}

    def units(self) -> Iterator[tuple[str, str, Cells]]:
        """Yield ``exercises`` or ``quizzes``, the unit's name, and its cells."""
        for kind, units in (("exercises", self.exercises), ("quizzes", self.quizzes)):
            for name, cells in units.items():
                yield kind, name, cells


def check_cells(specs: Iterable[CheckSpec]) -> Cells:
    """Return the cells of an exercise's checks."""
    return {spec.id: Cell("bonus" if spec.bonus else "check", spec.points) for spec in specs}


def item_cells(quiz: Quiz) -> Cells:
    """Return the cells of a quiz's items."""
    return {item.id: Cell(item.type, item.points) for item in quiz.file.items}


class Record:
    """What was handed out so far.

    Args:
        path: of the file.
        handed: what it holds.
        lines: where each thing stands in it.
    """

    def __init__(self, path: Path, handed: Handed, lines: Lines) -> None:
        self.path, self.handed, self._lines = path, handed, lines

    def problems(self, kind: str, unit: str, cells: Cells) -> Iterator[tuple[str, Text]]:
        """Compare a unit as it is with what was handed out of it.

        Args:
            kind: ``exercises`` or ``quizzes``.
            unit: its name.
            cells: what it holds now.

        Yields:
            For each id that does not keep its word: ``file:line`` of the record, and what is wrong.
        """
        for id_, before in getattr(self.handed, kind).get(unit, {}).items():
            what = _broken(f"{kind}/{unit}", id_, before, cells.get(id_))
            if what is not None:
                yield f"{self.path}:{self._lines[(kind, unit, id_)]}", what

    def demand(self, now: Handed) -> None:
        """Refuse what would break marks of a class.

        Raises:
            CourseError: an id that was handed out does not keep its word.
        """
        for kind, unit, cells in now.units():
            for place, what in self.problems(kind, unit, cells):
                raise CourseError(self.path, int(place.rpartition(":")[2]), what)

    def add(self, now: Handed) -> int:
        """Write down what is handed out and was not before; return how many ids that are.

        Raises:
            UsageError: the file cannot be written.
        """
        new = 0
        whole: dict[str, dict[str, Cells]] = {
            "exercises": dict(self.handed.exercises), "quizzes": dict(self.handed.quizzes),
        }  # fmt: skip
        for kind, unit, cells in now.units():
            known = whole[kind].get(unit, {})
            whole[kind][unit] = {**cells, **known}
            new += len(cells.keys() - known.keys())
        if new:
            with writing(self.path):
                replace_file(self.path, HEAD + _yaml(whole), durable=True)
        return new


def read_record(root: Path) -> Record:
    """Read what was handed out of the course in ``root``; nothing where there is no such file.

    Raises:
        CourseError: the file is wrong, or an exercise or quiz in it is gone.
    """
    path = root / RECORD
    if not path.exists():
        return Record(path, Handed(), {})
    handed, lines = load_struct(path, Handed)
    there = {"exercises": exercise_names(root), "quizzes": quiz_names(root)}
    for kind, unit, cells in handed.units():
        if unit not in there[kind] and not all(cell.retired for cell in cells.values()):
            raise CourseError(
                path, lines[(kind, unit)],
                say("{unit} was handed out and is not here any more.", unit=f"{kind}/{unit}"),
                say("Put it back, or retire each of its ids here: `retired: why`."),
            )  # fmt: skip
    return Record(path, handed, lines)


def _broken(unit: str, id_: str, before: Cell, now: Cell | None) -> Text | None:
    """Return how an id does not keep its word; None if it does."""
    if before.retired and now is not None:
        return say(
            "{unit}: the id {id} is retired; what bears it now needs another one.",
            unit=unit, id=id_,
        )  # fmt: skip
    if before.retired or now == before:
        return None
    if now is None:
        return say(
            "{unit}: {id} was handed out and is gone, with the marks kept under it. Put it back, "
            "or retire the id here: `retired: why`.",
            unit=unit, id=id_,
        )  # fmt: skip
    return say(
        "{unit}: {id} was handed out as {before} and is now {now}; marks given before would "
        "change their meaning. Make it as it was, or give what it is now another id and retire "
        "this one here: `retired: why`.",
        unit=unit, id=id_, before=_shown(before), now=_shown(now),
    )  # fmt: skip


def _shown(cell: Cell) -> str:
    return f"{cell.type} ({cell.points})"


def _yaml(whole: Mapping[str, Mapping[str, Cells]]) -> str:
    """Return the record as YAML, a line for each id, so that a change shows which one it is."""
    text: str = yaml.safe_dump(
        msgspec.to_builtins({kind: units for kind, units in whole.items() if units}),
        allow_unicode=True, sort_keys=False, default_flow_style=None, width=10_000,
    )  # fmt: skip
    return text
