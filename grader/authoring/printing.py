"""Print proofs as they come, or as one JSON report."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from grader.authoring.mutants import Listed, MutantReport
from grader.authoring.pairs import PairReport
from grader.authoring.proofs import CheckReport, ExerciseProof
from grader.authoring.quizzes import QuizProof
from grader.report import Screen, print_json
from grader.text import Text, say

__all__ = ["report_proofs"]

KILLED_LEAST_OVERALL = 0.97  # of the mutants of all exercises that are not equivalent


def report_proofs(
    proofs: Iterable[ExerciseProof | QuizProof], screen: Screen, *, as_json: bool
) -> int:
    """Print each proof as it comes, or one JSON report; return 0 when all may ship, else 1."""
    exercises: list[ExerciseProof] = []
    quizzes: list[QuizProof] = []
    for proof in proofs:
        if isinstance(proof, QuizProof):
            quizzes.append(proof)
        else:
            exercises.append(proof)
        if not as_json:
            _show(proof, screen)
    if as_json:
        report = CheckReport(exercises=exercises, quizzes=quizzes)
        print_json(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    killed = sum(proof.mutants.killed for proof in exercises if proof.mutants)
    survived = sum(len(proof.mutants.survived) for proof in exercises if proof.mutants)
    share = killed / (killed + survived) if killed else 1.0
    if killed and not as_json:
        total = say(
            "All together: {killed} killed, {survived} survived ({share:.1f} %).",
            killed=killed, survived=survived, share=share * 100,
        )  # fmt: skip
        screen.line(total.pick(screen.language), "bold")
    problems = [proof.problems for proof in exercises] + [proof.problems for proof in quizzes]
    failed = share < KILLED_LEAST_OVERALL or any(problems)
    return 1 if failed else 0


def _show(proof: ExerciseProof | QuizProof, screen: Screen) -> None:
    language = screen.language
    if isinstance(proof, QuizProof):
        _show_quiz(proof, screen)
        return
    if proof.mutants is not None:
        _show_mutants(proof, proof.mutants, screen)
        return
    if proof.pairs is not None:
        _show_pairs(proof, proof.pairs, screen)
        return
    named = sum(item.right for item in proof.confusion)
    line = say(
        "{id}: {problems} problems; {named} of {all} mistakes named as themselves; {seconds} s",
        id=proof.exercise, problems=len(proof.problems), seconds=proof.seconds,
        named=named, all=len(proof.confusion),
    )  # fmt: skip
    _show_head(proof, line, screen)
    for item in proof.confusion:
        names = ", ".join(item.named) or "-"
        text = say(
            "{mistake}: failed {count} checks, named {names}",
            mistake=item.mistake,
            count=item.rejected_by,
            names=names,
        )
        screen.line(
            f"{screen.sign('passed' if item.right else 'failed')} {text.pick(language)}", "dim", 4
        )


def _show_head(proof: ExerciseProof | QuizProof, line: Text, screen: Screen) -> None:
    """Show the line that sums a proof up, and every problem."""
    language = screen.language
    sign = screen.sign("failed" if proof.problems else "passed")
    screen.line(f"{sign} {line.pick(language)}", "red" if proof.problems else "green")
    for problem in proof.problems:
        screen.line(f"{problem.path}: {problem.what.pick(language)}", indent=4)


def _show_quiz(proof: QuizProof, screen: Screen) -> None:
    language = screen.language
    line = say(
        "{id}: {problems} problems; {items} items, {keys} keys computed, {lesson} taken from the "
        "lesson; {seconds} s",
        id=f"quizzes/{proof.quiz}", problems=len(proof.problems), items=proof.items,
        keys=proof.keys, lesson=len(proof.from_lesson), seconds=proof.seconds,
    )  # fmt: skip
    _show_head(proof, line, screen)
    for id_ in proof.from_lesson:
        screen.line(say("{id}: key from the lesson, not computed", id=id_).pick(language), "dim", 4)
    for note in proof.notes:
        screen.line(say("Note: {notice}", notice=note).pick(language), "yellow", 4)


def _show_mutants(proof: ExerciseProof, report: MutantReport, screen: Screen) -> None:
    line = say(
        "{id}: {killed} killed, {survived} survived, {equivalent} equivalent "
        "({share:.1f} %); {seconds} s",
        id=proof.exercise, killed=report.killed, survived=len(report.survived),
        equivalent=len(report.equivalent), share=report.share * 100, seconds=proof.seconds,
    )  # fmt: skip
    _show_head(proof, line, screen)
    for title, listed in (
        (say("survived"), report.survived),
        (say("equivalent"), report.equivalent),
    ):
        for item in listed:
            _show_mutant(item, title, screen)


def _show_pairs(proof: ExerciseProof, report: PairReport, screen: Screen) -> None:
    line = say(
        "{id}: both named in {right} of {all} pairs ({share:.1f} %); {clashing} change the same "
        "code, {hidden} hide one another, {undone} undo one another, {turned} turn into others; "
        "{seconds} s",
        id=proof.exercise, right=report.right, all=report.counted, share=report.share * 100,
        clashing=report.clashing, hidden=report.hidden, undone=report.undone, turned=report.turned,
        seconds=proof.seconds,
    )  # fmt: skip
    _show_head(proof, line, screen)
    for pair in report.wrong:
        names = ", ".join(pair.named) or "-"
        screen.line(f"{' + '.join(pair.mistakes)} {screen.sign('arrow')} {names}", "dim", 4)


def _show_mutant(item: Listed, title: Text, screen: Screen) -> None:
    arrow = screen.sign("arrow")
    change = f"{item.line}: {item.before} {arrow} {item.after}"
    screen.line(f"[{title.pick(screen.language)}] {change}", "dim", 4)
    if item.why:
        screen.line(item.why, "dim", 8)
