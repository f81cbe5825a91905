"""An exercise's bank of known mistakes: their heads, and what the probe sees of each."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import torch

import grader
from grader import wire
from grader.atomic import replace_file
from grader.checking.aspects import Aspect, Observations, load_probe, observe
from grader.checking.stub import StubFacts
from grader.checking.values import from_wire, to_wire
from grader.course import Course, Exercise, MistakeHead
from grader.course.yaml_source import parse_struct
from grader.errors import CourseError
from grader.sandbox import SubmissionRun
from grader.text import Text, say

__all__ = ["Bank", "Mistake", "load_mistakes"]


class Mistake(msgspec.Struct, frozen=True):
    """One file of ``mistakes/``."""

    id: str
    path: Path
    head: MistakeHead
    source: str

    @property
    def what(self) -> Text:
        """What a student who made it did."""
        return Text(self.head.zh, self.head.en)


def load_mistakes(course: Course, exercise: Exercise) -> list[Mistake]:
    """Read the heads of an exercise's mistakes.

    Raises:
        CourseError: a file has no head, or names an objective or lesson section that does not
            exist.
    """
    return [
        _mistake(course, path) for path in sorted((exercise.solution / "mistakes").glob("*.py"))
    ]


def _mistake(course: Course, path: Path) -> Mistake:
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise CourseError(
            path,
            getattr(error, "lineno", None),
            say("This file cannot be imported: {error}", error=f"{type(error).__name__}: {error}"),
        ) from None
    text = ast.get_docstring(tree)
    if text is None:
        raise CourseError(
            path, 1, say("A mistake starts with a docstring that says what it is, as YAML."),
            say("Fields: zh, en, lesson, objectives, and if wanted kind and seen_in."),
        )  # fmt: skip
    head, lines = parse_struct(text, path, MistakeHead, first_line=_first_line(source))
    if head.lesson not in course.file.lesson:
        raise CourseError(
            path,
            lines.get(("lesson",)),
            say("The lesson has no section {id}.", id=repr(head.lesson)),
        )
    known = [objective.id for objective in course.file.objectives]
    for objective in head.objectives:
        if objective not in known:
            raise CourseError(
                path,
                lines.get(("objectives",)),
                say("There is no objective {id}.", id=repr(objective)),
                say("Known here: {known}.", known=", ".join(known)),
            )
    return Mistake(path.stem, path, head, source)


def _first_line(source: str) -> int:
    """Return the line on which the docstring's text starts; its quotes may stand alone."""
    lines = source.splitlines()
    opening = next(
        i for i, line in enumerate(lines) if line.lstrip().startswith(('"""', "'''", 'r"""'))
    )
    return opening + (1 if lines[opening].strip(" rR\"'") else 2)


class Bank:
    """The mistakes of one exercise and what its probe sees of them.

    Args:
        course: the course.
        exercise: whose bank it is; needs its private folder.
        stub: of the exercise.
        open_run: makes a sandbox run from a source text.
        cache: folder for observations, or None to keep none.
    """

    def __init__(
        self,
        course: Course,
        exercise: Exercise,
        stub: StubFacts,
        open_run: Callable[[str], SubmissionRun],
        cache: Path | None,
    ) -> None:
        self.mistakes = {mistake.id: mistake for mistake in load_mistakes(course, exercise)}
        self.aspects: list[Aspect] = load_probe(exercise.solution / "probe.py")
        self.reference_source = exercise.reference.read_text(encoding="utf-8")
        self._stub = stub
        self._open_run = open_run
        self._cache = cache
        self._seen: dict[str, Observations] = {}
        given = exercise.given.read_bytes() if exercise.given else b""
        probe = (exercise.solution / "probe.py").read_bytes()
        self._base = hashlib.sha256(
            b"\0".join([probe, given, grader.__version__.encode(), str(torch.__version__).encode()])
        ).digest()

    def aspect(self, name: str) -> Aspect:
        """Return the aspect called ``name``."""
        return next(found for found in self.aspects if found.name == name)

    def observe(self, run: SubmissionRun) -> Observations:
        """Look at a submission, uncached."""
        return observe(run, self._stub, self.aspects)

    def reference(self) -> Observations:
        """Return what the probe sees of the reference."""
        return self.observations(self.reference_source)

    def sources(self) -> list[str]:
        """Return the text of every mistake."""
        return [mistake.source for mistake in self.mistakes.values()]

    def all(self) -> dict[str, Observations]:
        """Return what the probe sees of every mistake."""
        return {id_: self.observations(mistake.source) for id_, mistake in self.mistakes.items()}

    def observations(self, source: str) -> Observations:
        """Return what the probe sees of ``source``, looking only where it was not seen before."""
        key = hashlib.sha256(self._base + source.encode()).hexdigest()[:32]
        if key not in self._seen:
            self._seen[key] = self._observations(source, key)
        return self._seen[key]

    def _observations(self, source: str, key: str) -> Observations:
        path = self._cache / f"{key}.seen" if self._cache is not None else None
        if path is not None and (found := _read(path)) is not None:
            return found
        with self._open_run(source) as run:
            seen = self.observe(run)
        if path is not None:
            _write(path, seen)
        return seen


def _write(path: Path, seen: Observations) -> None:
    """Store observations in one step: no reader meets half a file; read-only courses keep none."""
    tensors: list[torch.Tensor] = []
    value = to_wire(dict(seen), tensors, lambda _: None)
    data = wire.encode(value, wire.pack_tensors(tensors))
    with contextlib.suppress(OSError):
        replace_file(path, data, folders=True)


def _read(path: Path) -> Observations | None:
    try:
        data = path.read_bytes()
        header_length, body_length = wire.PREFIX.unpack_from(data)
        start = wire.PREFIX.size + header_length
        if len(data) != start + body_length:
            return None
        value = wire.decode(data[wire.PREFIX.size : start], wire.Value)
        found: Any = from_wire(value, wire.unpack_tensors(data[start:]), lambda _: None)
    except (OSError, struct.error, wire.BadFrameError, ValueError):
        return None
    return found if isinstance(found, dict) else None
