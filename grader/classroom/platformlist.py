"""A platform's own list of students, so that it knows again whom a mark belongs to."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.classroom.marks import StudentMarks
from grader.classroom.table import read_rows
from grader.errors import UsageError
from grader.text import say

__all__ = ["PlatformList", "read_platform_list"]

NUMBERS = {"canvas": "ID"}  # the column in which a platform counts students by itself
# By what else a platform's own list tells a student apart, in its English and Chinese names.
IDENTITIES = {
    "canvas": ({"SIS User ID", "SIS Login ID", "Integration ID"}, {"Student"}, None),
    "moodle": (
        {"ID number", "Username", "Email address", "学号", "ID号", "用户名", "电子邮件地址"},
        {"Full name", "全名"},
        ({"First name", "名"}, {"Last name", "Surname", "姓", "姓氏"}),
    ),
}  # fmt: skip


class PlatformList(msgspec.Struct, frozen=True):
    """A platform's own list of students.

    Attributes:
        columns: those that say who it is.
        by_number: the platform's own number -> these columns' values.
        by_id: the same by the school's ids, in small letters; None where two have the same.
        by_name: the same by name, likewise.
    """

    columns: list[str]
    by_number: dict[str, list[str] | None]
    by_id: dict[str, list[str] | None]
    by_name: dict[str, list[str] | None]

    def find(self, student: StudentMarks) -> list[str] | None:
        """Return the columns that say who ``student`` is; None where the list does not tell.

        An id that is a number may be the school's, and somebody else's on the platform: it is
        looked for there only where nothing else is known of the student.
        """
        found = self.by_number.get(student.number) or self.by_id.get(student.student.casefold())
        if found is None and not student.name:
            return self.by_number.get(student.student)
        return found or self.by_name.get(_plain(student.name))


def read_platform_list(path: Path, platform: str) -> PlatformList:
    """Read the list of students that Canvas or Moodle exports.

    Raises:
        UsageError: it cannot be read, or no column says who a student is.
        CourseError: it is no text, or no CSV; says the line.
    """
    ids, names, pair = IDENTITIES.get(platform, (set(), set(), None))
    number = NUMBERS.get(platform, "")
    heading, *lines = [row for _, row in read_rows(path)] or [[]]
    family = {*pair[0], *pair[1]} if pair is not None else set()
    who = ids | names | family | ({number} if number else set())
    columns = [name for name in heading if name in who | {"Section"}]
    if not who & set(columns):
        raise UsageError(
            say("{file} has no column that says who a student is.", file=path),
            say("Export the grades of your course there, and name that file."),
        )
    found = PlatformList(columns, {}, {}, {})
    for line in lines:
        row = dict(zip(heading, line, strict=False))  # lines may be short, or have blanks behind
        own = [row.get(name) or "" for name in columns]
        for known, keys in (
            (found.by_number, _cells(row, {number})),
            (found.by_id, {cell.casefold() for cell in _cells(row, ids)}),
            (found.by_name, _spellings(row, names, pair)),
        ):
            # A line that stands there twice, word for word, is still one student's.
            known.update({key: own if known.get(key, own) == own else None for key in keys})
    return found


def _cells(row: dict[str, str], columns: set[str]) -> set[str]:
    return {cell for name in columns if (cell := (row.get(name) or "").strip())}


def _spellings(
    row: dict[str, str], names: set[str], pair: tuple[set[str], set[str]] | None
) -> set[str]:
    """Return how a row's student may be called elsewhere, without spaces and commas."""
    whole = [value for name in names if (value := row.get(name) or "").strip()]
    if pair is not None:
        given, family = ("".join(row.get(name) or "" for name in part) for part in pair)
        whole += [f"{given} {family}", f"{family} {given}"]
    turned = [f"{given} {family}" for family, _, given in (w.partition(",") for w in whole)]
    return {plain for name in [*whole, *turned] if (plain := _plain(name))}


def _plain(name: str) -> str:
    return "".join(name.replace(",", " ").split()).casefold()
