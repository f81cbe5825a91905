"""A folder for each student, or files named after students; also one student's folder or file.

A source is one student's where work stands at its top: a file named like an exercise's, or the
folder of an exercise, ``exercises`` or ``answers``. Its own name then tells whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Place, Placer, Who
from grader.classroom.collect.names import is_junk, plain, read_stem

__all__ = ["recognise"]

# What files are called that name no student.
NOBODY = re.compile(
    r"(?:my|our|the|submissions?|submitted|homework|hw|assignments?|answers?|exercises?|solutions?"
    r"|untitled|副本|作业|答案|练习|提交|实验|第|题|(?<!\d)\d{1,2}(?!\d)|[ _.\-()+])*"
)


def recognise(source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
    """Take any source: this is what the others fall back on."""
    honest = [path for path in paths if not is_junk(path)]
    start = _down(honest, facts, archive=source.casefold().endswith(".zip"))
    below = ["/".join(path.split("/")[start:]) for path in honest]
    if any(facts.is_work(path) for path in below) or honest == [source]:
        who = _who(source, facts)
        return lambda path: Place(who=who, path=path)

    def place(path: str) -> Place:
        top, _, rest = "/".join(path.split("/")[start:]).partition("/")
        who = _who(top, facts)
        origin = path.removesuffix(f"/{rest}") if rest else path
        return Place(who=who, path=rest or top, origin=origin, part="" if who.label else path)

    return place


def _down(paths: list[str], facts: Facts, *, archive: bool) -> int:
    """Return how many folders there are around everything, down to the first that matters.

    A folder that is alone in an archive was put there by a tool; alone on a disk it is a student's.
    """
    start = 0
    while True:
        below = [path.split("/")[start:] for path in paths]
        if len({parts[0] for parts in below}) != 1 or any(len(parts) == 1 for parts in below):
            return start
        if any(facts.is_work("/".join(parts)) for parts in below):
            return start
        several = len({parts[1] for parts in below}) > 1
        if not archive and (
            not several or any(facts.is_work("/".join(parts[1:])) for parts in below)
        ):
            return start  # a class of one
        start += 1


def _who(name: str, facts: Facts) -> Who:
    """Return the student that a folder or file is named after, or nobody."""
    text = read_stem(name).text
    left = facts.without_items(text)
    return Who(label="" if NOBODY.fullmatch(plain(left)) else left, text=text, sure=False)
