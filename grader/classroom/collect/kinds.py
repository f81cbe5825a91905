"""The kinds of source that are known, and which of them one is."""

from __future__ import annotations

from grader.classroom.collect import bundles, canvas, folders, moodle, nbgrader
from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Placer, Recognise
from grader.classroom.collect.tree import Tree
from grader.errors import UsageError
from grader.text import say

__all__ = ["AUTO", "KINDS", "placer_of"]

AUTO = "auto"
# In the order they are tried: folders take anything, so what comes after is only asked for by name.
KINDS: dict[str, Recognise] = {
    "moodle": moodle.recognise,
    "nbgrader": nbgrader.recognise,
    "canvas": canvas.recognise,
    "folders": folders.recognise,
    "bundle": bundles.recognise,
}


def placer_of(tree: Tree, kind: str, facts: Facts) -> tuple[str, Placer]:
    """Return of which kind a source is, and what tells whose its files are.

    Args:
        tree: the source's files.
        kind: ``auto`` or the kind that the teacher named.
        facts: the course.

    Raises:
        UsageError: it is not of the kind that was named.
    """
    paths = [entry.path for entry in tree.entries]
    for name, recognise in KINDS.items():
        if kind in (AUTO, name) and (found := recognise(tree.name, paths, facts)) is not None:
            return name, found
    raise UsageError(
        say("{source} does not look like {kind}: no file in it is named that way.",
            source=tree.name, kind=kind),
        say("Leave --kind out to have it recognised."),
    )  # fmt: skip
