"""From what a person types to what is graded."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course import Target, resolve_targets
from grader.errors import UsageError


def one(word: str, root: Path, cwd: Path | None = None) -> Target:
    """Return the single target a word names."""
    (found,) = resolve_targets([word], root, cwd or root)
    return found


def error_of(word: str, root: Path, cwd: Path | None = None) -> UsageError:
    """Return the error a word ends in."""
    with pytest.raises(UsageError) as caught:
        resolve_targets([word], root, cwd or root)
    return caught.value


class TestResolveTargets:
    @pytest.mark.parametrize(
        "word",
        ["02", "2", "02_indices", "indices", "exercises/02", "exercises/2", "exercises/02_indices",
         "exercises/02_indices/", "./exercises/02", "exercises/02_indices/indices.py"],
    )  # fmt: skip
    def test_an_exercise_has_many_names(self, word: str, mini: Path) -> None:
        """Number, name, folder, stub: all of them name the exercise."""
        assert one(word, mini).exercise == "02_indices"

    def test_numbers_work_from_anywhere(self, mini: Path, tmp_path: Path) -> None:
        """With a course named by option, the current folder does not matter."""
        assert one("02", mini, tmp_path) == Target("02_indices", mini / "exercises" / "02_indices")

    @pytest.mark.parametrize(
        ("word", "inside"), [("exercises", "."), (".", "."), (".", "exercises")]
    )
    def test_all_exercises_have_a_name(self, word: str, inside: str, mini: Path) -> None:
        """The folder of exercises, or a dot in it or in the root, means all of them."""
        found = resolve_targets([word], mini, mini / inside)

        assert [target.exercise for target in found] == [
            "01_double", "02_indices", "03_limited", "04_faulty"
        ]  # fmt: skip

    def test_a_dot_in_an_exercise_is_that_exercise(self, mini: Path) -> None:
        """Inside an exercise's folder, a dot is that exercise."""
        assert one(".", mini, mini / "exercises" / "01_double").exercise == "01_double"

    def test_a_file_is_known_by_its_name(self, mini: Path, tmp_path: Path) -> None:
        """A file named like a stub belongs to that exercise wherever it lies."""
        path = tmp_path / "作业 1" / "double.py"
        path.parent.mkdir()
        path.touch()

        assert one(str(path), mini) == Target("01_double", path)
        assert one("作业 1/double.py", mini, tmp_path).source == path

    def test_a_course_file_is_no_answer(self, mini: Path) -> None:
        """What lies beside the answer is not graded as the answer."""
        with pytest.raises(UsageError) as caught:
            one("exercises/01_double/test_visible.py", mini)

        assert "test_visible.py" in caught.value.what.en
        assert "double.py" in str(caught.value.next_step)

    def test_a_folder_is_known_by_what_it_holds(self, mini: Path, tmp_path: Path) -> None:
        """A folder with two answers is two targets."""
        for name in ("indices.py", "double.py", "other.py"):
            (tmp_path / name).touch()

        found = resolve_targets([str(tmp_path)], mini, mini)

        assert found == [Target("01_double", tmp_path), Target("02_indices", tmp_path)]

    def test_each_target_is_taken_once_in_order(self, mini: Path) -> None:
        """Order is the caller's; naming one twice changes nothing."""
        found = resolve_targets(["03", "01", "exercises/03_limited"], mini, mini)

        assert [target.exercise for target in found] == ["03_limited", "01_double"]

    @pytest.mark.parametrize("word", ["99", "exercises/99", "nowhere.py", "", "a/b/02", "02/x"])
    def test_what_is_not_there_is_an_error(self, word: str, mini: Path, tmp_path: Path) -> None:
        """A word that names nothing says so."""
        with pytest.raises(UsageError):
            resolve_targets([word], mini, tmp_path / "nothing")

    def test_a_near_miss_is_offered(self, mini: Path) -> None:
        """A misspelt name is answered with the nearest."""
        error = error_of("exercises/02_indizes", mini)

        assert error.next_step is not None
        assert error.next_step.en == "Did you mean 02_indices?"

    def test_a_strange_file_says_how_to_name_it(self, mini: Path, tmp_path: Path) -> None:
        """A file named like no stub belongs to no exercise."""
        (tmp_path / "answer.py").touch()

        error = error_of("answer.py", mini, tmp_path)

        assert error.next_step is not None
        assert "double.py, indices.py" in error.next_step.en

    def test_a_collected_attempt_is_a_folder_of_answers(self, mini: Path, tmp_path: Path) -> None:
        """As a class keeps it: each file in a folder called like its exercise."""
        for name in ("01_double/double.py", "02_indices/indices.py"):
            (tmp_path / name).parent.mkdir()
            (tmp_path / name).write_text("", encoding="utf-8")

        assert resolve_targets([str(tmp_path)], mini, tmp_path) == [
            Target("01_double", tmp_path / "01_double"),
            Target("02_indices", tmp_path / "02_indices"),
        ]

    def test_a_folder_without_answers_is_an_error(self, mini: Path, tmp_path: Path) -> None:
        """An empty folder holds nothing to grade."""
        assert "holds no file of this course" in error_of(str(tmp_path), mini).what.en

    def test_a_word_too_long_for_a_file_name_is_an_error(self, mini: Path) -> None:
        """A paste gone wrong is a usage error like any other."""
        assert error_of("x" * 5000, mini).exit_code == 2
