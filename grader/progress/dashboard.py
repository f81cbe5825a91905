"""Where a student stands: every exercise and quiz, every objective, and what comes next."""

from __future__ import annotations

import msgspec

from grader.course import Course
from grader.progress.events import Attempt, Kind, Score
from grader.progress.history import History, ItemHistory, State
from grader.text import Text, say

__all__ = [
    "Dashboard",
    "Item",
    "ItemStanding",
    "NextStep",
    "ObjectiveStanding",
    "exercise_items",
    "make_dashboard",
    "next_step",
]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise or quiz, as far as the dashboard needs to know it.

    Attributes:
        id: an exercise's folder or a quiz's file without its ending; starts with its number.
        minutes: how long it takes.
        difficulty: 1 to 5.
        needs: ids of what should be done before.
        objectives: ids of those it contributes to.
        begun: whether it is a quiz that an instructor marks, with an item answered; such a quiz has
            no attempts here.
        answered: whether every item of it is: nothing is left to do here.
    """

    kind: Kind
    id: str
    title: Text
    minutes: int
    difficulty: int = 1
    needs: list[str] = []
    objectives: list[str] = []
    begun: bool = False
    answered: bool = False

    @property
    def target(self) -> str:
        """What to type after ``grade``."""
        folder = "exercises" if self.kind == "exercise" else "quizzes"
        return f"{folder}/{self.id.partition('_')[0]}"


class ItemStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How far one exercise or quiz is.

    Attributes:
        best: score of the attempt that counts; None before the first.
        latest: score of the last attempt.
        attempts: how many there were.
        hints: how many were shown.
        gave_up: whether the solution was looked at before all checks had passed.
        not_run: hidden checks that are not on this machine.
    """

    item: Item
    state: State
    best: Score | None
    latest: Score | None
    attempts: int
    hints: int
    gave_up: bool
    not_run: int


class ObjectiveStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How far one objective is.

    Attributes:
        share: mean over the exercises and quizzes that carry it of what their best attempts earned
            of it, 0.0 to 1.0; each weighs the same and what was not tried counts nothing, since the
            points of what was never graded are not known here.
        score: points of those that were tried.
        tried: how many of them were tried.
        of: how many there are.
        mastered: whether ``share`` reaches the course's threshold.
    """

    id: str
    title: Text
    share: float
    score: Score
    tried: int
    of: int
    mastered: bool


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """What to do now, and why that."""

    kind: Kind
    id: str
    target: str
    title: Text
    why: Text


class Dashboard(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade`` without words shows; what ``grade --json`` prints."""

    schema: str = "grade-dashboard/1"
    course: Text
    objectives: list[ObjectiveStanding]
    exercises: list[ItemStanding]
    quizzes: list[ItemStanding]
    next: NextStep | None


def exercise_items(course: Course) -> list[Item]:
    """Return the course's exercises as items."""
    return [
        Item(
            kind="exercise", id=exercise.id, title=exercise.file.title,
            minutes=exercise.file.minutes, difficulty=exercise.file.difficulty,
            needs=exercise.file.needs, objectives=exercise.file.objectives,
        )
        for exercise in course.exercises
    ]  # fmt: skip


def make_dashboard(course: Course, items: list[Item], history: History) -> Dashboard:
    """Put together where the student stands.

    Args:
        course: for its objectives and policy.
        items: exercises and quizzes, each in order.
        history: what was recorded.
    """
    standings = [_standing(item, history.of(item.kind, item.id)) for item in items]
    best = [history.of(item.kind, item.id).best for item in items]
    objectives = [
        _objective(course, id_, list(zip(items, best, strict=True)))
        for id_ in (objective.id for objective in course.file.objectives)
        if any(id_ in item.objectives for item in items)
    ]
    return Dashboard(
        course=course.file.title,
        objectives=objectives,
        exercises=[found for found in standings if found.item.kind == "exercise"],
        quizzes=[found for found in standings if found.item.kind == "quiz"],
        next=next_step(standings),
    )


def _standing(item: Item, history: ItemHistory) -> ItemStanding:
    best, latest = history.best, history.latest
    return ItemStanding(
        item=item,
        state="in_progress" if item.begun and not history.attempts else history.state,
        best=best.score if best else None,
        latest=latest.score if latest else None,
        attempts=len(history.attempts),
        hints=history.hints,
        gave_up=history.gave_up,
        not_run=best.not_run if best else 0,
    )


def _objective(
    course: Course, id_: str, tried: list[tuple[Item, Attempt | None]]
) -> ObjectiveStanding:
    # What was graded without anything of this objective cannot say anything about it.
    best = [
        attempt.objectives[id_] if attempt else None
        for item, attempt in tried
        if id_ in item.objectives and (attempt is None or id_ in attempt.objectives)
    ]
    scores = [score for score in best if score is not None]
    share = sum(score.share for score in scores) / len(best) if best else 0.0
    return ObjectiveStanding(
        id=id_,
        title=course.objective(id_).title,
        share=share,
        score=Score(sum(s.earned for s in scores), sum(s.possible for s in scores)),
        tried=len(scores),
        of=len(best),
        mastered=bool(best) and share >= course.file.policy.mastery,
    )


def next_step(
    standings: list[ItemStanding], beside: tuple[Kind, str] | None = None
) -> NextStep | None:
    """Suggest what to do: go on with what was begun, else the easiest whose needs are met.

    A need is met when it is done, or when its solution was looked at: nobody is stuck for good.

    Args:
        standings: exercises and quizzes in order.
        beside: kind and id of one to leave out, where something else is asked for.

    Returns:
        None when nothing is left.
    """
    met = {s.item.id for s in standings if s.state == "done" or s.gave_up}
    left = [
        s
        for s in standings
        if s.state != "done" and not s.item.answered and (s.item.kind, s.item.id) != beside
    ]
    ready = [s for s in left if all(need in met for need in s.item.needs)]
    chosen = min(ready or left, key=_urgency, default=None)
    if chosen is None:
        return None
    item = chosen.item
    return NextStep(
        kind=item.kind, id=item.id, target=item.target, title=item.title, why=_why(chosen)
    )


def _urgency(standing: ItemStanding) -> tuple[bool, bool, int]:
    """Begun before new, own work before solutions that were looked at, easy before hard."""
    return standing.gave_up, standing.state != "in_progress", standing.item.difficulty


def _why(standing: ItemStanding) -> Text:
    if standing.best is None and standing.state == "in_progress":
        return say("in progress, about {minutes} minutes in all", minutes=standing.item.minutes)
    if standing.best is None:
        return say(
            "not started, about {minutes} minutes, difficulty {difficulty} of 5",
            minutes=standing.item.minutes, difficulty=standing.item.difficulty,
        )  # fmt: skip
    return say(
        "in progress, {earned:g} of {possible:g} points so far",
        earned=standing.best.earned, possible=standing.best.possible,
    )  # fmt: skip
