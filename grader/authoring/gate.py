"""The grader graded: reference, stub, mistakes, accepted variants and baselines through the real checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from grader.authoring.baselines import KINDS, baseline_source
from grader.authoring.lint import Problem, lint_checks
from grader.checking.suite import CheckSpec, Job, Seen, run_suite
from grader.grading import ExerciseGrader
from grader.intake import submission_from_source
from grader.results import ExerciseResult, Outcome
from grader.text import Text, say

__all__ = ["Confusion", "prove"]

ATTEMPTED = {Outcome.TODO, Outcome.SKIPPED}


class Confusion(msgspec.Struct, frozen=True):
    """What one mistake of the bank was diagnosed as."""

    mistake: str
    named: list[str]
    rejected_by: int  # checks that did not pass

    @property
    def right(self) -> bool:
        """Whether it was named as exactly itself."""
        return self.named == [self.mistake]


def prove(
    grader: ExerciseGrader, tick: Callable[[str], None]
) -> tuple[list[Problem], list[Confusion]]:
    """Run everything that is known about an exercise through its checks.

    Args:
        grader: for the exercise; its course must have the solutions.
        tick: told what runs now, for a progress display.

    Returns:
        What is wrong, and how every mistake was diagnosed.
    """
    exercise = grader.exercise
    reference = exercise.reference.read_text(encoding="utf-8")
    problems = list(_lint_and_baselines(grader, reference, tick))
    problems += _all_todo(grader, tick)
    problems += _full_marks(grader, exercise.reference, tick)
    for path in sorted((exercise.solution / "accepted").glob("*.py")):
        problems += _full_marks(grader, path, tick)
    confusions: list[Confusion] = []
    for id_ in grader.bank.mistakes if grader.bank is not None else []:
        found, confusion = _one_mistake(grader, id_, tick)
        problems += found
        confusions.append(confusion)
    return problems, confusions


def _grade(grader: ExerciseGrader, source: str) -> ExerciseResult:
    results: list[ExerciseResult] = []
    grader.grade([submission_from_source(source)], results.append)
    return results[0]


def _lint_and_baselines(
    grader: ExerciseGrader, reference: str, tick: Callable[[str], None]
) -> Iterator[Problem]:
    """Run the reference for what its checks touch, then every baseline: no core check may pass it."""
    exercise, stub = grader.exercise, grader.stub
    specs: list[CheckSpec] = []
    seen: dict[str, list[Seen]] = {}

    def jobs(found: list[CheckSpec]) -> Iterator[Job]:
        specs.extend(found)
        sources = {kind: baseline_source(reference, stub.to_do, kind) for kind in KINDS}
        for name, source in {"reference": reference, **sources}.items():
            tick(name)
            with grader.open_run(source) as run:
                job = Job(run)
                yield job
            seen[name] = job.seen

    run_suite(grader.course, exercise, stub, jobs)
    touched = {item.spec.id: item.touched for item in seen["reference"]}
    yield from lint_checks(exercise, specs, touched, stub)
    for kind in KINDS:
        for item in seen[kind]:
            if item.spec.core and item.outcome is Outcome.PASSED:
                yield Problem(
                    str(exercise.solution),
                    say("The core check {id} lets the baseline “{kind}” pass.", id=item.spec.id, kind=kind),
                )


def _all_todo(grader: ExerciseGrader, tick: Callable[[str], None]) -> Iterator[Problem]:
    tick("stub")
    result = _grade(grader, grader.exercise.stub.read_text(encoding="utf-8"))
    for check in result.checks:
        if check.outcome not in ATTEMPTED:
            yield Problem(
                str(grader.exercise.stub),
                say("The untouched stub gets “{outcome}” in {id}, not “{todo}”.",
                    outcome=check.outcome.label, id=check.id, todo=Outcome.TODO.label),
            )  # fmt: skip


def _full_marks(grader: ExerciseGrader, path: Path, tick: Callable[[str], None]) -> Iterator[Problem]:
    tick(path.stem)
    result = _grade(grader, path.read_text(encoding="utf-8"))
    for check in result.checks:
        if check.outcome is not Outcome.PASSED:
            told = "; ".join(message.en for message in check.messages)
            yield Problem(
                str(path),
                say("A right answer gets “{outcome}” in {id}: {told}",
                    outcome=check.outcome.label, id=check.id, told=told),
            )  # fmt: skip


def _one_mistake(
    grader: ExerciseGrader, id_: str, tick: Callable[[str], None]
) -> tuple[list[Problem], Confusion]:
    assert grader.bank is not None  # noqa: S101 - the id comes from it
    mistake = grader.bank.mistakes[id_]
    tick(id_)
    result = _grade(grader, mistake.source)
    failed = [check for check in result.checks if check.outcome is not Outcome.PASSED]
    named = [item.id for item in result.diagnosis.mistakes] if result.diagnosis else []
    if result.diagnosis is not None and result.diagnosis.unexplained:
        named.append("?")
    problems: list[Text] = []
    if not any(set(check.objectives) & set(mistake.head.objectives) for check in failed):
        problems.append(say("No check of its objectives rejects this mistake."))
    if any(check.outcome is Outcome.GRADER_ERROR for check in failed):
        problems.append(say("This mistake makes the grader itself fail."))
    if named != [id_]:
        problems.append(say("This mistake is diagnosed as: {named}.", named=", ".join(named) or "-"))
    found = [Problem(str(mistake.path), what) for what in problems]
    return found, Confusion(id_, named, len(failed))
