"""Hints come one after another, each of the later ones after another attempt."""

from __future__ import annotations

import datetime
import hashlib
import shutil
from pathlib import Path

import pytest

from grader.course import Exercise, load_course
from grader.errors import UsageError
from grader.progress import Score, Store, hint_pointer, next_hint
from grader.progress.events import Attempt
from tests.test_progress import no_record_possible

MINI = Path(__file__).parent / "courses" / "mini"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course of one's own."""
    shutil.copytree(MINI / "exercises", tmp_path / "exercises")
    return tmp_path


@pytest.fixture
def exercise(root: Path) -> Exercise:
    """Its first exercise."""
    return load_course(root, ["01_double"]).exercises[0]


def graded(store: Store, exercise: Exercise, text: str, *, passed: bool = False) -> None:
    """Write an answer and record that it was graded."""
    exercise.answer.write_text(text)
    store.add(
        Attempt(
            kind="exercise", id=exercise.id, at=datetime.datetime.now(datetime.timezone.utc),
            submission=hashlib.sha256(text.encode()).hexdigest(), score=Score(1, 2), objectives={},
            passed=passed,
        )
    )  # fmt: skip


def test_the_first_is_open_and_each_next_one_after_another_attempt(
    root: Path, exercise: Exercise
) -> None:
    """Asking again brings the same one; the last stays."""
    store = Store(root)
    shown = []
    for text in ("one", "two", "three", "four"):
        shown += [next_hint(store, exercise) for _ in range(2)]
        graded(store, exercise, text)

    assert [hint.number for hint in shown] == [1, 1, 2, 2, 3, 3, 3, 3]
    assert [hint.hint for hint in shown[::2]][:3] == exercise.file.hints
    assert shown[-1].next is None


def test_the_message_says_what_opens_the_next(root: Path, exercise: Exercise) -> None:
    """Before the attempt what to do, after it which command."""
    store = Store(root)

    closed = next_hint(store, exercise).next
    graded(store, exercise, "something")
    opened = next_hint(store, exercise, 1).next

    assert closed is not None
    assert "Hint 2 opens after another attempt" in closed.en
    assert "grade exercises/01" in closed.en
    assert opened is not None
    assert opened.en == "`grade hint 01` shows hint 2."


def test_the_same_answer_graded_again_opens_nothing(root: Path, exercise: Exercise) -> None:
    """Nor does the answer as it stood when the hint was shown, first graded afterwards."""
    store = Store(root)
    exercise.answer.write_text("one")
    next_hint(store, exercise)
    graded(store, exercise, "one")

    assert next_hint(store, exercise).number == 1


def test_an_earlier_hint_can_be_seen_again(root: Path, exercise: Exercise) -> None:
    """That takes back nothing and opens nothing."""
    store = Store(root)
    next_hint(store, exercise)
    graded(store, exercise, "one")
    next_hint(store, exercise)

    assert next_hint(store, exercise, 1).number == 1
    assert next_hint(store, exercise).number == 2


@pytest.mark.parametrize("number", [2, 3])
def test_a_hint_that_is_not_open_is_refused(root: Path, exercise: Exercise, number: int) -> None:
    """With the reason, and without counting as shown."""
    store = Store(root)
    next_hint(store, exercise)

    with pytest.raises(UsageError) as refused:
        next_hint(store, exercise, number)

    assert f"Hint {number} of 01_double is not open yet." in refused.value.what.en
    assert refused.value.next_step is not None
    assert "another attempt" in refused.value.next_step.en
    assert store.history().of("exercise", exercise.id).hints == 1


def test_all_are_open_once_it_is_solved(root: Path, exercise: Exercise) -> None:
    """Who has passed reads on without another attempt."""
    store = Store(root)
    graded(store, exercise, "right", passed=True)

    assert [next_hint(store, exercise).number for _ in range(4)] == [1, 2, 3, 3]


def test_all_are_open_where_no_record_can_be_kept(root: Path, exercise: Exercise) -> None:
    """Nobody is kept out for a disk; it is said once."""
    store = no_record_possible(root)

    assert [next_hint(store, exercise, number).number for number in (1, 3, None)] == [1, 3, 1]
    assert len(store.new_notices()) == 1


def test_an_answer_that_is_not_there_has_hints(root: Path, exercise: Exercise) -> None:
    """A deleted file is no reason for a traceback."""
    exercise.answer.unlink()

    assert next_hint(Store(root), exercise).number == 1


def test_where_keys_are_read_the_key_is_named(root: Path, exercise: Exercise) -> None:
    """Nobody leaves `grade watch` to type a command; there a save is an attempt."""
    store = Store(root)

    def pointer() -> str:
        return hint_pointer(store.history().of("exercise", exercise.id), exercise, key="h").en

    assert pointer() == "Next hint: press h (hint 1 of 3)"
    graded(store, exercise, "one")
    closed = "Hint 2 opens after another attempt: change your answer and save it."
    shown = next_hint(store, exercise, key="h").next
    assert shown is not None
    assert shown.en == closed
    assert pointer() == closed
    graded(store, exercise, "two")
    assert pointer() == "Next hint: press h (hint 2 of 3)"
    assert next_hint(store, exercise, key="h").number == 2


def test_the_report_points_to_the_next_hint(root: Path, exercise: Exercise) -> None:
    """Open, closed until another attempt, open again; after the last, the page to read again."""
    store = Store(root)

    def pointer() -> str:
        return hint_pointer(store.history().of("exercise", exercise.id), exercise).en

    assert pointer() == "Next hint: grade hint 01 (hint 1 of 3)"
    graded(store, exercise, "one")
    next_hint(store, exercise)
    assert pointer().startswith("Hint 2 opens after another attempt")
    graded(store, exercise, "two")
    assert pointer() == "Next hint: grade hint 01 (hint 2 of 3)"
    for text in ("three", "four"):
        next_hint(store, exercise)
        graded(store, exercise, text)
    assert pointer().startswith(
        "You have seen all 3 hints. Read exercises/01_double/README.en.md again"
    )
