"""A platform's own list of students, so that it knows again whom a mark belongs to."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import msgspec

from grader.classroom.marks import StudentMarks
from grader.errors import UsageError, reason
from grader.intake.decode import decode_source
from grader.text import say

__all__ = ["Roster", "read_roster"]

# By what a platform's own list tells a student apart, in its English and Chinese names.
IDENTITIES = {
    "canvas": ({"ID", "SIS User ID", "SIS Login ID", "Integration ID"}, {"Student"}, None),
    "moodle": (
        {"ID number", "Username", "Email address", "学号", "ID号", "用户名", "电子邮件地址"},
        {"Full name", "全名"},
        ({"First name", "名"}, {"Last name", "Surname", "姓", "姓氏"}),
    ),
}  # fmt: skip


class Roster(msgspec.Struct, frozen=True):
    """A platform's own list of students.

    Attributes:
        columns: those that say who it is.
        by_id: what tells a student apart, in small letters -> these columns' values.
        by_name: the same by name; None where two have the same.
    """

    columns: list[str]
    by_id: dict[str, list[str]]
    by_name: dict[str, list[str] | None]

    def find(self, student: StudentMarks) -> list[str] | None:
        """Return the columns that say who ``student`` is; None where the list does not tell."""
        found = self.by_id.get(student.student.casefold())
        return found or self.by_name.get(_plain(student.name))


def read_roster(path: Path, platform: str) -> Roster:
    """Read the list of students that Canvas or Moodle exports.

    Raises:
        UsageError: it cannot be read, or no column says who a student is.
    """
    try:
        text = decode_source(path.read_bytes(), path.name).text.removeprefix("\ufeff")
    except OSError as error:
        raise UsageError(
            say("{file} cannot be read: {error}.", file=path, error=reason(error))
        ) from None
    ids, names, pair = IDENTITIES.get(platform, (set(), set(), None))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    heading = list(rows[0]) if rows else []
    family = {*pair[0], *pair[1]} if pair is not None else set()
    columns = [name for name in heading if name in ids | names | family | {"Section"}]
    if not any(name in ids | names for name in columns) and not family & set(columns):
        raise UsageError(
            say("{file} has no column that says who a student is.", file=path),
            say("Export the grades of your course there, and name that file."),
        )
    by_id: dict[str, list[str]] = {}
    by_name: dict[str, list[str] | None] = {}
    for row in rows:
        own = [row.get(name) or "" for name in columns]
        by_id |= {v.strip().casefold(): own for name in ids if (v := row.get(name) or "").strip()}
        for spelling in _spellings(row, names, pair):
            by_name[spelling] = None if spelling in by_name else own
    return Roster(columns, by_id, by_name)


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
