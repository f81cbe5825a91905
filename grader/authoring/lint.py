"""What can be said of an exercise's files without running anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from grader.checking.aspects import Observations
from grader.checking.bank import load_mistakes
from grader.checking.checkspec import CheckSpec
from grader.checking.pictures import Plan, load_plans, problem_with
from grader.checking.stub import StubFacts
from grader.course import Course, Exercise
from grader.course.model import ExerciseFile
from grader.text import Text, say

__all__ = [
    "ACCEPTED_LEAST",
    "EQUIVALENT_FILE",
    "MISTAKES_LEAST",
    "Problem",
    "lint_checks",
    "lint_files",
    "lint_pictures",
]

EQUIVALENT_FILE = "equivalent.yaml"
MISTAKES_LEAST = 6
ACCEPTED_LEAST = 3
OPTIONAL = {"given.py", "lab.py", "pictures.py"}
PUBLIC = {"exercise.yaml", "README.md", "README.en.md", "test_visible.py"} | OPTIONAL
PRIVATE = {"test_hidden.py", "probe.py", "mistakes", "accepted"}
MISTAKE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
HAN = re.compile(r"[\u3400-\u9fff]")


class Problem(msgspec.Struct, frozen=True):
    """Something that keeps an exercise from shipping."""

    path: str
    what: Text


def lint_files(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """Check that every file is there, is named well, and that texts stand in both languages."""
    yield from _present(exercise.folder, PUBLIC - OPTIONAL)
    if not exercise.answer.is_file() or exercise.answer.read_bytes() != exercise.stub.read_bytes():
        yield Problem(
            str(exercise.answer),
            say("This file must be handed out as a copy of {stub}.", stub=exercise.stub.name),
        )
    yield from _present(exercise.solution, {*PRIVATE, exercise.answer.name})
    yield from _stray(exercise.folder, {*PUBLIC, exercise.answer.name})
    yield from _stray(exercise.solution, {*PRIVATE, exercise.answer.name, EQUIVALENT_FILE})
    yield from _languages(exercise)
    mistakes = load_mistakes(course, exercise)
    for mistake in mistakes:
        if not MISTAKE_NAME.fullmatch(mistake.id):
            yield Problem(
                str(mistake.path),
                say("A mistake is named in lower case with hyphens, such as no-slice."),
            )
        yield from _both(mistake.path, "zh, en", mistake.what)
    accepted = list((exercise.solution / "accepted").glob("*.py"))
    if len(mistakes) < MISTAKES_LEAST:
        yield Problem(
            str(exercise.solution / "mistakes"),
            say(
                "The bank holds {count} mistakes; at least {least} are needed.",
                count=len(mistakes),
                least=MISTAKES_LEAST,
            ),
        )
    if len(accepted) < ACCEPTED_LEAST:
        yield Problem(
            str(exercise.solution / "accepted"),
            say(
                "There are {count} accepted variants; at least {least} are needed.",
                count=len(accepted), least=ACCEPTED_LEAST,
            ),
        )  # fmt: skip


def lint_pictures(
    exercise: Exercise, look: Callable[[list[Plan]], Observations | None]
) -> Iterator[Problem]:
    """Check that every picture of an exercise can be drawn of its reference.

    Args:
        exercise: the exercise.
        look: computes what pictures show of the reference.
    """
    path = exercise.pictures
    if path is None:
        return
    plans = load_plans(path)
    if not plans:
        yield Problem(str(path), say("No function here is a @picture."))
    seen = look(plans)
    for plan in plans:
        name = plan.picture.name
        yield from _both(path, f"title of {name}", plan.picture.title)
        trouble = problem_with(plan, seen)
        if trouble is not None:
            what = say("The picture {name} cannot be drawn of the reference: {trouble}",
                       name=name, trouble=trouble)  # fmt: skip
            yield Problem(str(path), what)


def _present(folder: Path, names: set[str]) -> Iterator[Problem]:
    for name in sorted(names):
        if not (folder / name).exists():
            yield Problem(str(folder / name), say("This file is missing."))


def _stray(folder: Path, names: set[str]) -> Iterator[Problem]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name not in names and not path.name.startswith((".", "__pycache__")):
            yield Problem(str(path), say("This file has no part in an exercise; take it away."))


def _languages(exercise: Exercise) -> Iterator[Problem]:
    """Check that Chinese texts are Chinese and English ones are not."""
    path = exercise.folder / "exercise.yaml"
    file: ExerciseFile = exercise.file
    yield from _both(path, "title", file.title)
    yield from _both(path, "summary", file.summary)
    for index, hint in enumerate(file.hints):
        yield from _both(path, f"hints[{index}]", hint)
    for name, wanted in (("README.md", True), ("README.en.md", False)):
        readme = exercise.folder / name
        if readme.is_file() and bool(HAN.search(readme.read_text(encoding="utf-8"))) is not wanted:
            yield Problem(str(readme), say("This text is in the wrong language."))


def _both(path: Path, field: str, text: Text) -> Iterator[Problem]:
    if not text.en.strip() or HAN.search(text.en):
        yield Problem(
            str(path), say("`{field}`: the English text is missing or not English.", field=field)
        )
    if not HAN.search(text.zh):
        yield Problem(
            str(path), say("`{field}`: the Chinese text is missing or not Chinese.", field=field)
        )


def lint_checks(
    exercise: Exercise, specs: list[CheckSpec], touched: dict[str, list[str]], stub: StubFacts
) -> Iterator[Problem]:
    """Check the collected tests against what ``exercise.yaml`` says of them.

    Args:
        exercise: the exercise.
        specs: its collected checks.
        touched: check id -> names of the submission it used when it ran on the reference.
        stub: of the exercise.
    """
    path = exercise.folder / "exercise.yaml"
    hidden = [spec for spec in specs if spec.hidden]
    points = sum(spec.points for spec in hidden if not spec.bonus)
    stated = exercise.file.hidden
    if (stated.checks, stated.points) != (len(hidden), points):
        yield Problem(
            str(path),
            say(
                "`hidden` must say {{checks: {checks}, points: {points}}}.",
                checks=len(hidden),
                points=points,
            ),
        )
    carried = {objective for spec in specs for objective in spec.objectives}
    if carried != set(exercise.file.objectives):
        yield Problem(
            str(path),
            say(
                "`objectives` must name what the checks carry: {carried}.",
                carried=", ".join(sorted(carried)),
            ),
        )
    ids = [spec.id for spec in specs]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        yield Problem(str(exercise.folder), say("Two checks are called {id}.", id=id_))
    for spec in specs:
        where = (
            exercise.solution / "test_hidden.py"
            if spec.hidden
            else exercise.folder / "test_visible.py"
        )
        yield from _both(where, f"title of {spec.id}", spec.title)
        if spec.points < 1:
            yield Problem(str(where), say("The check {id} carries no points.", id=spec.id))
    core = {name for spec in specs if spec.core for name in touched.get(spec.id, [])}
    for name in sorted(stub.to_do - core):
        yield Problem(
            str(exercise.solution),
            say("No core check uses `{name}`, which is to be written.", name=name),
        )
