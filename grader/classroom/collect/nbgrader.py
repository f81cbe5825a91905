"""nbgrader's trees: ``submitted/STUDENT/ASSIGNMENT/...`` and the exchange's ``inbound``.

``timestamp.txt`` is written by nbgrader when the student hands in, over any file of that name; in
``inbound`` the folder is called ``student+assignment+time`` with a random string behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Place, Placer, Who
from grader.classroom.collect.times import read_timestamp

__all__ = ["TIMESTAMP", "recognise"]

TIMESTAMP = "timestamp.txt"
INBOUND = re.compile(
    r"(?P<student>[^+]+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d [^+]*)(?:\+.*)?"
)
WRITTEN = {TIMESTAMP, "submission_secret.txt"}
ABOVE = 2  # folders from a student's down to the files


def recognise(source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
    """Take a source with a timestamp at its place, or with folders of ``inbound``."""
    del facts
    if any(INBOUND.fullmatch(part) for path in paths for part in path.split("/")[:-1]):
        return _inbound
    parts = [path.split("/") for path in paths]
    top = [index for p in parts for index, part in enumerate(p[:-1]) if part == "submitted"]
    stamps = [len(p) - 1 - ABOVE for p in parts if p[-1] == TIMESTAMP and len(p) > ABOVE]
    if source != "submitted" and not top and not stamps:
        return None
    start = min(top) + 1 if top else min(stamps, default=0)

    def place(path: str) -> Place | None:
        inside = path.split("/")[start:]
        if len(inside) <= ABOVE:
            return None
        student, assignment, *rest = inside
        return Place(
            who=Who(label=student, ids=(student,)), path="/".join(rest), part=assignment,
            origin=path.removesuffix("/" + "/".join(rest)),
            time_file="/".join(rest) in WRITTEN,
        )  # fmt: skip

    return place


def _inbound(path: str) -> Place | None:
    parts = path.split("/")
    for index, part in enumerate(parts[:-1]):
        if (match := INBOUND.fullmatch(part)) is not None:
            inside = "/".join(parts[index + 1 :])
            return Place(
                who=Who(label=match["student"], ids=(match["student"],)), path=inside, part=part,
                origin="/".join(parts[: index + 1]),
                at=read_timestamp(match["time"]), time_file=inside in WRITTEN,
            )  # fmt: skip
    return None
