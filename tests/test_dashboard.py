"""Where a student stands, counted by hand."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from grader.course import Course, load_course
from grader.progress import (
    Dashboard,
    History,
    Item,
    Kind,
    Score,
    exercise_items,
    make_dashboard,
    next_step,
)
from grader.progress.dashboard import ItemStanding, ObjectiveStanding
from grader.progress.events import Event, HintShown, SolutionShown, now
from grader.report import Screen, show_dashboard
from grader.report.words import percent
from grader.text import Language, Text
from tests.test_progress import attempt


def item(
    id_: str, *, difficulty: int = 1, needs: tuple[str, ...] = (), kind: Kind = "exercise"
) -> Item:
    """Return an item that carries one objective of the tiny course."""
    return Item(
        kind=kind, id=id_, title=Text(f"题{id_}", f"title of {id_}"), minutes=20,
        difficulty=difficulty, needs=list(needs), objectives=["values"],
    )  # fmt: skip


def scored(id_: str, earned: float, possible: float = 10, **more: object) -> Event:
    """Return an attempt all of whose points carry that objective."""
    return attempt(
        earned, possible=possible, id_=id_, objectives={"values": Score(earned, possible)}, **more
    )


def gave_up(id_: str) -> Event:
    """Return the event of looking at a solution too early."""
    return SolutionShown(kind="exercise", id=id_, at=now(), gave_up=True)


@pytest.fixture(scope="module")
def tiny(mini: Path) -> Course:
    """The tiny course: objectives values, order, limits; mastery from 0.8."""
    return load_course(mini)


def stand(tiny: Course, items: list[Item], *events: Event) -> Dashboard:
    """Return the dashboard after some events."""
    return make_dashboard(tiny, items, History(list(events)))


def values(dashboard: Dashboard) -> ObjectiveStanding:
    """Return the standing of the one objective."""
    return next(found for found in dashboard.objectives if found.id == "values")


class TestObjectives:
    def test_each_exercise_weighs_the_same(self, tiny: Course) -> None:
        """6 of 10 and 20 of 20 of four: (0.6 + 1 + 0 + 0) / 4 = 0.4."""
        items = [item("01_a"), item("02_b"), item("03_c"), item("04_d", kind="quiz")]

        found = values(stand(tiny, items, scored("01_a", 6), scored("02_b", 20, 20)))

        assert found.share == pytest.approx(0.4)
        assert (found.score, found.tried, found.of) == (Score(26, 30), 2, 4)
        assert not found.mastered

    def test_a_quiz_counts_like_an_exercise(self, tiny: Course) -> None:
        """Both carry objectives: (1 + 0.7) / 2 = 0.85, above the threshold of 0.8."""
        items = [item("01_a"), item("01_a", kind="quiz")]

        found = values(stand(tiny, items, scored("01_a", 10), scored("01_a", 7, kind="quiz")))

        assert found.share == pytest.approx(0.85)
        assert found.mastered

    def test_what_could_not_be_measured_is_left_out(self, tiny: Course) -> None:
        """Where the checks of an objective are all hidden, a copy without them says nothing."""
        items = [item("01_a"), item("02_b")]

        found = values(stand(tiny, items, scored("01_a", 5), attempt(3, id_="02_b")))

        assert (found.share, found.tried, found.of) == (0.5, 1, 1)

    def test_an_objective_that_nothing_carries_is_not_shown(self, tiny: Course) -> None:
        """There is nothing to say about it."""
        assert [found.id for found in stand(tiny, [item("01_a")]).objectives] == ["values"]


class TestItems:
    def test_what_happened_is_counted(self, tiny: Course) -> None:
        """Best and last score, attempts, hints, the solution."""
        hint = HintShown(kind="exercise", id="01_a", at=now(), number=2)
        events = [scored("01_a", 8), hint, scored("01_a", 3, not_run=0), gave_up("01_a")]

        (found,) = stand(tiny, [item("01_a")], *events).exercises

        assert (found.state, found.best, found.latest) == (
            "in_progress",
            Score(8, 10),
            Score(3, 10),
        )
        assert (found.attempts, found.hints, found.gave_up) == (2, 2, True)

    def test_exercises_and_quizzes_stand_apart(self, tiny: Course) -> None:
        """Each in its own list, in order."""
        found = stand(tiny, [item("01_a"), item("02_b"), item("01_q", kind="quiz")])

        assert [s.item.id for s in found.exercises] == ["01_a", "02_b"]
        assert [s.item.id for s in found.quizzes] == ["01_q"]

    def test_the_courses_exercises_are_items(self, tiny: Course) -> None:
        """All of them, with what they need."""
        assert [found.id for found in exercise_items(tiny)] == [
            "01_double", "02_indices", "03_limited", "04_faulty",
        ]  # fmt: skip


class TestNextStep:
    @staticmethod
    def chosen(
        tiny: Course,
        items: list[Item],
        *events: Event,
        beside: tuple[Kind, str] | None = None,
    ) -> str:
        """Return the id of what is suggested."""
        history = History(list(events))
        standings: list[ItemStanding] = make_dashboard(tiny, items, history).exercises
        found = next_step(standings, beside)
        return found.id if found else "-"

    def test_the_easiest_first_and_among_equals_the_earliest(self, tiny: Course) -> None:
        """Difficulty before number."""
        items = [item("01_a", difficulty=2), item("02_b"), item("03_c")]

        assert self.chosen(tiny, items) == "02_b"
        assert self.chosen(tiny, items, scored("02_b", 10)) == "03_c"

    def test_not_before_what_it_needs(self, tiny: Course) -> None:
        """However easy it is."""
        items = [item("01_a", needs=("02_b",)), item("02_b", difficulty=5)]

        assert self.chosen(tiny, items) == "02_b"
        assert self.chosen(tiny, items, scored("02_b", 9)) == "02_b"
        assert self.chosen(tiny, items, scored("02_b", 10)) == "01_a"

    def test_what_was_begun_goes_on(self, tiny: Course) -> None:
        """Before anything new."""
        items = [item("01_a"), item("02_b", difficulty=3)]

        assert self.chosen(tiny, items, scored("02_b", 1)) == "02_b"

    def test_something_else_can_be_asked_for(self, tiny: Course) -> None:
        """As by the key for the next exercise."""
        items = [item("01_a"), item("02_b")]

        assert self.chosen(tiny, items, scored("01_a", 1), beside=("exercise", "01_a")) == "02_b"
        assert self.chosen(tiny, items[:1], beside=("exercise", "01_a")) == "-"

    def test_nobody_is_stuck_for_good(self, tiny: Course) -> None:
        """A solution that was looked at meets a need and is suggested last; a circle opens."""
        items = [item("01_a"), item("02_b", needs=("01_a",))]
        circle = [item("01_a", needs=("02_b",)), item("02_b", needs=("01_a",))]

        assert self.chosen(tiny, items, scored("01_a", 4), gave_up("01_a")) == "02_b"
        assert self.chosen(tiny, circle) == "01_a"

    def test_when_all_is_done_nothing_is_suggested(self, tiny: Course) -> None:
        """And the dashboard says so."""
        done = stand(tiny, [item("01_a")], scored("01_a", 10))

        assert done.next is None
        assert "Everything is done." in shown(done)


def shown(dashboard: Dashboard, language: Language = "en", width: int = 200) -> str:
    """Return what is printed."""
    stream = io.StringIO()
    show_dashboard(dashboard, Screen(language, stream, width))
    return stream.getvalue()


class TestShown:
    def test_every_state_by_word_and_number(self, tiny: Course) -> None:
        """Readable without colour and signs."""
        items = [item("01_a"), item("02_b"), item("03_c"), item("01_q", kind="quiz")]
        events = [
            scored("01_a", 10, not_run=7), scored("02_b", 6), scored("02_b", 2.5), gave_up("02_b"),
        ]  # fmt: skip

        text = shown(stand(tiny, items, *events))

        assert "[done] title of 01_a (10/10 points; 7 hidden checks not run here)" in text
        assert "[in progress] title of 02_b (6/10 points; last attempt: 2.5; solution l" in text
        assert "[not started] title of 03_c (20 min)" in text
        assert "Exercises: 1 of 3 done" in text
        assert "Quizzes: 0 of 1 done" in text
        assert "████░░░░░░  40 % Return the right value (16/20 points; 2 of 4 tried)" in text
        assert "Next: 03 title of 03_c (not started, about 20 minutes, difficulty 1 of 5)" in text
        assert "grade exercises/03" in text

    def test_no_quizzes_no_heading(self, tiny: Course) -> None:
        """A course may have none."""
        assert "Quizzes" not in shown(stand(tiny, [item("01_a")]))

    def test_a_bar_is_full_only_when_nothing_is_missing(self, tiny: Course) -> None:
        """99.9 % is not 100 %."""
        almost = stand(tiny, [item("01_a")], scored("01_a", 999, 1000))
        whole = stand(tiny, [item("01_a")], scored("01_a", 1000, 1000))

        assert "█████████░  99 %" in shown(almost)
        assert "██████████ 100 %" in shown(whole)

    def test_percent_is_cut_off_and_exact(self) -> None:
        """29 of 50 points are 58 %, as in whole numbers, and 199 of 200 are not 100 %."""
        shares = [(earned, all_) for all_ in range(1, 201) for earned in range(all_ + 1)]

        assert [s for s in shares if percent(s[0] / s[1]) != s[0] * 100 // s[1]] == []

    def test_chinese_says_the_same(self, tiny: Course) -> None:
        """Nothing is left in English."""
        items = [item("01_a"), item("02_b")]
        text = shown(stand(tiny, items, scored("01_a", 10), gave_up("02_b")), "zh")

        assert "[完成] 题01_a" in text
        assert not any(word in text for word in ("points", "done", "Next", "solution", "tried"))
