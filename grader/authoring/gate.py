"""The grader graded: everything known about an exercise goes through its real checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from grader.authoring.baselines import KINDS, baseline_source
from grader.authoring.lint import Problem, lint_checks, lint_pictures
from grader.checking.bank import Mistake
from grader.checking.checkspec import CheckSpec
from grader.checking.suite import Job, Seen, run_suite
from grader.grading import ExerciseGrader
from grader.intake import Submission, submission_from_source
from grader.released import check_cells, read_record
from grader.report.html.compare import compare
from grader.results import ExerciseResult, Outcome
from grader.text import Text, say

__all__ = ["Confusion", "pictures_agree", "prove"]


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
    exercise, bank = grader.exercise, grader.bank
    reference = exercise.reference.read_text(encoding="utf-8")
    right = [exercise.reference, *sorted((exercise.solution / "accepted").glob("*.py"))]
    mistakes = bank.mistakes if bank is not None else {}
    sources = {
        exercise.stub: exercise.stub.read_text(encoding="utf-8"),
        **{path: path.read_text(encoding="utf-8") for path in right},
        **{mistake.path: mistake.source for mistake in mistakes.values()},
    }
    problems = list(_lint_and_baselines(grader, reference, tick))
    problems += lint_pictures(exercise, grader.reference_seen)
    problems += pictures_agree(grader, right[1:])
    results = _grade_all(grader, sources, tick)
    problems += _not_todo(exercise.stub, results[exercise.stub])
    for path in right:
        problems += _not_full(path, results[path])
    confusions: list[Confusion] = []
    for mistake in mistakes.values():
        found, confusion = _diagnosed(mistake, results[mistake.path])
        problems += found
        confusions.append(confusion)
    return problems, confusions


def _grade_all(
    grader: ExerciseGrader, sources: dict[Path, str], tick: Callable[[str], None]
) -> dict[Path, ExerciseResult]:
    """Grade every source in one go; pytest collects the checks once."""

    def submissions() -> Iterator[Submission]:
        for path, source in sources.items():
            tick(path.stem)
            yield submission_from_source(source)

    results: list[ExerciseResult] = []
    grader.grade(submissions(), results.append)
    return dict(zip(sources, results, strict=True))


def _lint_and_baselines(
    grader: ExerciseGrader, reference: str, tick: Callable[[str], None]
) -> Iterator[Problem]:
    """Run the reference for what its checks touch, then baselines: no core check may pass one."""
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
    record = read_record(grader.course.root)
    for place, what in record.problems("exercises", exercise.id, check_cells(specs)):
        yield Problem(place, what)
    touched = {item.spec.id: item.touched for item in seen["reference"]}
    yield from lint_checks(exercise, specs, touched, stub)
    for kind in KINDS:
        for item in seen[kind]:
            if item.spec.core and item.outcome is Outcome.PASSED:
                yield Problem(
                    str(exercise.solution),
                    say(
                        "The core check {id} lets the baseline “{kind}” pass.",
                        id=item.spec.id,
                        kind=kind,
                    ),
                )


def pictures_agree(grader: ExerciseGrader, accepted: list[Path]) -> Iterator[Problem]:
    """Check that no picture shows a deviation of a right answer from the reference."""
    for path in accepted:
        source = path.read_text(encoding="utf-8")
        for shown in grader.pictures(submission_from_source(source)):
            comparison = compare(shown)
            if shown.expected and (comparison is None or not comparison.same):
                what = say("The picture {name} shows this right answer as deviating.",
                           name=shown.name)  # fmt: skip
                yield Problem(str(path), what)


def _not_todo(path: Path, result: ExerciseResult) -> Iterator[Problem]:
    for check in result.checks:
        if check.outcome not in (Outcome.TODO, Outcome.SKIPPED):
            yield Problem(
                str(path),
                say(
                    "The untouched stub gets “{outcome}” in {id}, not “{todo}”.",
                    outcome=check.outcome.label,
                    id=check.id,
                    todo=Outcome.TODO.label,
                ),
            )


def _not_full(path: Path, result: ExerciseResult) -> Iterator[Problem]:
    for check in result.checks:
        if check.outcome is not Outcome.PASSED:
            told = "; ".join([*(message.en for message in check.messages), *check.flags])
            yield Problem(
                str(path),
                say(
                    "A right answer gets “{outcome}” in {id}: {told}",
                    outcome=check.outcome.label,
                    id=check.id,
                    told=told,
                ),
            )


def _diagnosed(mistake: Mistake, result: ExerciseResult) -> tuple[list[Problem], Confusion]:
    failed = [check for check in result.checks if check.outcome is not Outcome.PASSED]
    named = [item.id for item in result.diagnosis.mistakes] if result.diagnosis else []
    if result.diagnosis is not None and result.diagnosis.unexplained:
        named.append("?")
    problems: list[Text] = []
    if not any(set(check.objectives) & set(mistake.head.objectives) for check in failed):
        problems.append(say("No check of its objectives rejects this mistake."))
    if any(check.outcome is Outcome.GRADER_ERROR for check in failed):
        told = "; ".join(flag for check in failed for flag in check.flags)
        problems.append(say("This mistake makes the grader itself fail: {told}", told=told))
    if named != [mistake.id]:
        problems.append(
            say("This mistake is diagnosed as: {named}.", named=", ".join(named) or "-")
        )
    found = [Problem(str(mistake.path), what) for what in problems]
    return found, Confusion(mistake.id, named, len(failed))
