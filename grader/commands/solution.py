"""``grade solution``: the reference, once it is earned or asked for in so many words."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec

from grader.commands.common import Settings, course_root, show_json, show_notices
from grader.course import Course, Exercise, load_course, only_exercises, resolve_targets
from grader.errors import UsageError
from grader.progress import ItemHistory, Store, now
from grader.progress.events import SolutionShown
from grader.report import Screen
from grader.text import Text, say

__all__ = ["Solution", "SolutionList", "show_solution"]


class Variant(msgspec.Struct, frozen=True):
    """A right answer written in another way, and how it goes about it."""

    name: str
    how: str


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The reference of one exercise and what else is right."""

    id: str
    source: str
    accepted: list[Variant]


class SolutionList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade solution --json`` prints."""

    schema: str = "grade-solution/1"
    solutions: list[Solution]


def show_solution(words: list[str], settings: Settings, *, give_up: bool) -> int:
    """Print the solutions of what ``words`` name and record that they were looked at."""
    root = course_root(settings, words)
    targets = only_exercises(resolve_targets(words, root, Path.cwd()), _of_quiz)
    course = load_course(root, only=[target.exercise for target in targets])
    store = Store(root)
    history = store.history()
    found = []
    for exercise in course.exercises:
        item = history.of("exercise", exercise.id)
        _allow(course, exercise, item, give_up=give_up)
        found.append(_solution(exercise))
        gave_up = item.state != "done"
        store.add(SolutionShown(kind="exercise", id=exercise.id, at=now(), gave_up=gave_up))
    if settings.as_json:
        show_json(SolutionList(solutions=found))
    else:
        for solution in found:
            _show(solution, course, Screen(settings.language))
    show_notices(store, settings)
    return 0


def _allow(course: Course, exercise: Exercise, item: ItemHistory, *, give_up: bool) -> None:
    """Refuse, with the reason, what may not be seen.

    Raises:
        UsageError: this is a class, the solutions are not here, or it is too early.
    """
    if course.file.policy.mode == "class":
        raise UsageError(
            say("This course is in class mode: solutions are shown by the instructor only."),
            say("`grade hint {number}` shows a hint.", number=exercise.number),
        )
    if not exercise.reference.is_file():
        raise UsageError(
            say("The solutions are not on this machine: this copy of the course has none."),
            say("`grade hint {number}` shows a hint.", number=exercise.number),
        )
    if item.state != "done" and not give_up:
        best = item.best.score if item.best else None
        earned, possible = (best.earned, best.possible) if best else (0, 0)
        what = (
            say("Not all checks of {id} have passed yet: {earned:g} of {possible:g} points.",
                id=exercise.id, earned=earned, possible=possible)
            if best
            else say("{id} was not tried yet.", id=exercise.id)
        )  # fmt: skip
        raise UsageError(
            what,
            say(
                "`grade hint {number}` helps on; `grade solution {number} --give-up` shows the "
                "solution now, and that is recorded.",
                number=exercise.number,
            ),
        )


def _solution(exercise: Exercise) -> Solution:
    accepted = [
        Variant(path.stem, _first_line(path))
        for path in sorted((exercise.solution / "accepted").glob("*.py"))
    ]
    source = exercise.reference.read_text(encoding="utf-8")
    return Solution(id=exercise.id, source=source, accepted=accepted)


def _first_line(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0]


def _show(solution: Solution, course: Course, screen: Screen) -> None:
    language = screen.language
    exercise = course.exercise(solution.id)
    heading = say(
        "{number} {title}: the reference", number=exercise.number, title=exercise.file.title
    )
    screen.line(heading.pick(language), "bold")
    screen.code(solution.source)
    if solution.accepted:
        screen.line(say("Also right, in other ways:").pick(language), "bold")
    for variant in solution.accepted:
        screen.line(f"{screen.sign('arrow')} {variant.name}: {variant.how}", indent=2)


def _of_quiz(quiz: str) -> Text:
    command = f"grade quizzes/{quiz.partition('_')[0]} --explain"
    return say("Right answers to a quiz, once you have answered: {command}", command=command)
