"""Moodle's "Download all submissions".

Each student has a folder ``Full Name_1234_assignsubmission_file_`` (newer versions leave out the
last underscore), or every file starts with that. The number belongs to student and assignment
together, so another assignment calls the same student otherwise: where no roster helps, the name is
the better id. What was typed in comes as ``onlinetext.html`` under ``assignsubmission_onlinetext``.
Times in the archive are those of the download.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Place, Placer, Who
from grader.classroom.collect.people import participant

__all__ = ["recognise"]

PREFIX = re.compile(
    r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<file>.*))?"
)


def recognise(source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
    """Take a source in which any file stands under such a name."""
    del source, facts
    numbers: dict[str, set[str]] = {}
    for path in paths:
        if (found := _prefix(path)) is not None:
            numbers.setdefault(found[0]["name"], set()).add(found[0]["number"] or "")
    if not numbers:
        return None

    def place(path: str) -> Place | None:
        found = _prefix(path)
        if found is None:
            return None
        match, above, rest = found
        name, number = match["name"], match["number"] or ""
        shared = len(numbers[name]) > 1  # two students of one name
        who = Who(
            label=f"{name}_{number}" if shared else name, name=name,
            ids=participant(number), text=name,
        )  # fmt: skip
        inside = "/".join(part for part in (match["file"] or "", *rest) if part)
        origin = "/".join([*above, match[0].removesuffix(match["file"] or "").rstrip("_")])
        return Place(
            who=who, path=inside, origin=origin, online_text=match["plugin"] == "onlinetext"
        )

    return place


def _prefix(path: str) -> tuple[re.Match[str], list[str], list[str]] | None:
    """Return the part of the path that names the student, the parts above it and those below."""
    parts = path.split("/")
    for index, part in enumerate(parts):
        if (match := PREFIX.fullmatch(part)) is not None:
            return match, parts[:index], parts[index + 1 :]
    return None
