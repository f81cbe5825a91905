"""The report as read in a terminal; every state by word and sign, never by colour alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grader.course import Course
from grader.report.quizzes import show_quiz
from grader.report.screen import Screen
from grader.report.words import (
    objective_state,
    points,
    repeated,
    shared_messages,
    sign_of,
    unexplained,
)
from grader.results import (
    CheckResult,
    ExerciseResult,
    NamedMistake,
    ObjectiveScore,
    Outcome,
    Report,
)
from grader.text import Text, say

__all__ = ["show_report"]

OUTPUT_LINES = 12
TRACE_LINES = 4
COLOURS = {
    "passed": "green",
    "todo": "cyan",
    "half": "yellow",
    "skipped": "dim",
    "fault": "bold magenta",
    "failed": "red",
}
# Outcomes that say themselves what to do; a hint about the task does not help there.
HINTLESS = {
    Outcome.PASSED,
    Outcome.SYNTAX_ERROR,
    Outcome.ENCODING_ERROR,
    Outcome.REJECTED,
    Outcome.GRADER_ERROR,
}
NO_HINTS: Mapping[str, Text] = MappingProxyType({})


def show_report(
    report: Report,
    course: Course,
    screen: Screen,
    next_hints: Mapping[str, Text] = NO_HINTS,
    *,
    explain: bool = False,
    open_items: bool = True,
) -> None:
    """Print ``report``: each exercise's checks and diagnosis, the objectives, what to do next.

    Args:
        report: what was found.
        course: whose exercises these are.
        screen: where to print.
        next_hints: exercise id -> where its next hint is; told where it may help
            and work is not being marked.
        explain: whether marked quizzes tell right answers, too.
        open_items: whether what was not answered in a quiz is repeated, too.
    """
    for result in report.exercises:
        _Exercise(result, course, screen).show()
        hint = next_hints.get(result.exercise)
        # A copy without the hidden checks is a student's own: nobody's work is marked there.
        own = report.mode == "practice" or result.hidden_absent is not None
        if hint is not None and own and _wants_hint(result):
            screen.line(hint.pick(screen.language), "cyan", 2)
        screen.line()
    for quiz in report.quizzes:
        show_quiz(quiz, course, screen, explain=explain, open_items=open_items)
    _show_objectives(report.objectives, screen)
    _show_next_step(report, course, screen)


class _Exercise:
    """Prints one exercise's result."""

    def __init__(self, result: ExerciseResult, course: Course, screen: Screen) -> None:
        self.result = result
        self.course = course
        self.screen = screen
        self._repeated = repeated(result.checks)

    def say(self, text: Text, style: str = "", indent: int = 0, lead: str = "") -> None:
        """Print a sentence in the screen's language."""
        self.screen.line(text.pick(self.screen.language), style, indent, lead)

    def show(self) -> None:
        """Print heading, notices, checks, diagnosis."""
        number = self.result.exercise.partition("_")[0]
        self.say(
            say(
                "{number} {title}: {earned} of {possible} points",
                number=number,
                title=self.result.title,
                earned=points(self.result.earned),
                possible=points(self.result.possible),
            ),
            "bold",
        )
        for notice in self.result.notices:
            self.say(say("Note: {notice}", notice=notice), "yellow", 2)
        shared = shared_messages(self.result)
        for message in shared:
            self.say(message, "red", 2)
        for hidden, title in ((False, say("Visible checks")), (True, say("Hidden checks"))):
            checks = [check for check in self.result.checks if check.hidden is hidden]
            if checks:
                self.say(title, "dim", 2)
            for check in checks:
                self._show_check(check, told=bool(shared))
        absent = self.result.hidden_absent
        if absent is not None:
            self.say(
                say(
                    "{count} hidden checks worth {points} points run where your work is marked; "
                    "they are not on this machine.",
                    count=absent.checks,
                    points=absent.points,
                ),
                "dim",
                2,
            )
        self._show_diagnosis()

    def _show_check(self, check: CheckResult, *, told: bool) -> None:
        sign = sign_of(check.outcome)
        language = self.screen.language
        share = f"{points(check.earned)}/{check.points}"
        if check.bonus:
            share = say("bonus: {points}", points=share).pick(language)
        outcome = check.outcome.label.pick(language)
        title = check.title.pick(language)
        self.screen.line(
            f"[{outcome}] {title} ({share})", COLOURS[sign], 4, f"{self.screen.sign(sign)} "
        )
        if not told:
            self._show_reason(check)
        if check.output and check.outcome is not Outcome.PASSED:
            self._show_output(check.output)

    def _show_reason(self, check: CheckResult) -> None:
        """Print why a check did not pass; a line that failed before is only named again."""
        if check.id in self._repeated:
            self.say(say("As above: {place}", place=check.trace[-1]), "dim", 8)
            return
        for message in check.messages:
            self.say(message, indent=8)
        for frame in check.trace[-TRACE_LINES:]:
            self.screen.line(frame, "dim", 8)

    def _show_output(self, output: str) -> None:
        lines = output.rstrip("\n").split("\n")
        self.say(say("It printed:"), "dim", 8)
        for line in lines[:OUTPUT_LINES]:
            self.screen.line(line[:200], "dim", 10)
        if len(lines) > OUTPUT_LINES:
            self.say(say("... and {count} lines more", count=len(lines) - OUTPUT_LINES), "dim", 10)

    def _show_diagnosis(self) -> None:
        diagnosis = self.result.diagnosis
        if diagnosis is None:
            return
        mistakes = [mistake for mistake in diagnosis.mistakes if mistake.kind == "mistake"]
        conventions = [mistake for mistake in diagnosis.mistakes if mistake.kind != "mistake"]
        if mistakes:
            self.say(say("What went wrong:"), "bold", 2)
        for mistake in mistakes:
            self._show_mistake(mistake)
        if conventions:
            self.say(
                say("Right under another convention, which is not the one asked for here:"),
                "bold",
                2,
            )
        for mistake in conventions:
            self._show_mistake(mistake)
        if (rest := unexplained(diagnosis)) is not None:
            self.say(rest, "bold", 2)

    def _show_mistake(self, mistake: NamedMistake) -> None:
        self.say(
            say("{what} ({id})", what=mistake.what, id=mistake.id),
            indent=4,
            lead=f"{self.screen.sign('arrow')} ",
        )
        self.say(say("It shows with: {input}", input=mistake.shown_by), indent=8)
        title = self.course.file.lesson[mistake.lesson]
        self.say(
            say("The lesson treats this in section {id}: {title}", id=mistake.lesson, title=title),
            indent=8,
        )


def _wants_hint(result: ExerciseResult) -> bool:
    """Whether work has begun and something did not pass that thinking on can mend."""
    outcomes = {check.outcome for check in result.checks if not check.bonus}
    begun = not outcomes <= {Outcome.TODO, Outcome.SKIPPED}
    return begun and not outcomes <= HINTLESS


def _show_objectives(scores: list[ObjectiveScore], screen: Screen) -> None:
    if scores:
        screen.line(say("Learning objectives").pick(screen.language), "bold")
    for score in scores:
        facts = screen.joined(Text(score.id, score.id), objective_state(score))
        screen.line(
            f"{score.title.pick(screen.language)} ({facts})",
            indent=2,
            lead=f"{screen.bar(score.share)} {points(score.earned)}/{points(score.possible)} ",
        )
        if score.code.possible and score.quiz.possible:
            parts = say(
                "code {code}, quiz {quiz}",
                code=f"{points(score.code.earned)}/{points(score.code.possible)}",
                quiz=f"{points(score.quiz.earned)}/{points(score.quiz.possible)}",
            )
            screen.line(parts.pick(screen.language), "dim", indent=4)


def _show_next_step(report: Report, course: Course, screen: Screen) -> None:
    screen.line()
    outcomes = [check.outcome for result in report.exercises for check in result.checks]
    if report.exercises and all(result.passed for result in report.exercises):
        screen.line(_all_passed(report).pick(screen.language), "bold green")
    elif outcomes and all(outcome is Outcome.TODO for outcome in outcomes):
        exercise = next(e for e in course.exercises if e.id == report.exercises[0].exercise)
        screen.line(
            say(
                "Not started yet. Read {readme}, then fill in {stub}.",
                readme=_readme(exercise.folder.name, screen),
                stub=f"exercises/{exercise.id}/{exercise.answer.name}",
            ).pick(screen.language)
        )
    for result in report.exercises[:1]:
        _show_conditions(result, screen)


def _all_passed(report: Report) -> Text:
    """Say that all passed, and what of it was only a part."""
    absent = [result.hidden_absent for result in report.exercises if result.hidden_absent]
    if absent:
        count = sum(hidden.checks for hidden in absent)
        return say("All visible checks passed; {count} hidden ones were not run.", count=count)
    checks = [check for result in report.exercises for check in result.checks]
    if all(check.outcome is Outcome.PASSED for check in checks):
        return say("All checks passed.")
    return say("All required checks passed.")


def _show_conditions(result: ExerciseResult, screen: Screen) -> None:
    """Print what stood around the submission: sandbox and limits."""
    if result.sandbox is not None:
        facts = say("Sandbox: {tier}. {why}", tier=result.sandbox.tier, why=result.sandbox.why)
        screen.line(facts.pick(screen.language), "dim")
    limits = result.limits
    text = say(
        "Limits: importing {load} s; a check {cpu} s of computing, {wall} s in all; {memory} MiB.",
        load=limits.load_s, cpu=limits.check_cpu_s, wall=limits.check_wall_s,
        memory=limits.memory_mib,
    )  # fmt: skip
    screen.line(text.pick(screen.language), "dim")


def _readme(folder: str, screen: Screen) -> str:
    return f"exercises/{folder}/{'README.md' if screen.language == 'zh' else 'README.en.md'}"
