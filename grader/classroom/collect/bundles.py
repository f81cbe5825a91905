"""What ``grade submit`` wrote, one file for each student: the manifest tells whose it is.

Only asked for by name: otherwise a file's own name comes first, and the manifest helps where that
tells nothing, as in ``submission (3).zip``.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Place, Placer, Who
from grader.classroom.collect.names import read_stem

__all__ = ["recognise"]


def recognise(source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
    """Take a source with archives in it."""
    del source, facts
    if not any(path.casefold().endswith(".zip") for path in paths):
        return None

    def place(path: str) -> Place | None:
        if not path.casefold().endswith(".zip"):
            return None
        name = path.rpartition("/")[2]
        return Place(
            who=Who(label="", text=read_stem(name).text), path=name, origin=path, part=path
        )

    return place
