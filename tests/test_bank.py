"""The bank of known mistakes: heads, and observations kept on disk."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from grader.checking.bank import _read, _write, load_mistakes
from grader.checking.values import same
from grader.course import load_course
from grader.errors import CourseError

SEEN = {
    "row": torch.arange(6.0).reshape(2, 3),
    "word": "ValueError",
    "number": 0.1,
    "both": (torch.zeros(0, dtype=torch.bfloat16), None, True, (1, "二")),
}


class TestCache:
    def test_observations_come_back_as_they_were(self, tmp_path: Path) -> None:
        """Every kind of observation survives the file."""
        _write(tmp_path / "a" / "x.seen", SEEN)

        found = _read(tmp_path / "a" / "x.seen")

        assert found is not None
        assert same(found, SEEN)
        assert list(found) == list(SEEN)

    def test_nothing_but_the_file_is_left(self, tmp_path: Path) -> None:
        """Writing in one step leaves no temporary file."""
        _write(tmp_path / "x.seen", SEEN)
        _write(tmp_path / "x.seen", SEEN)

        assert [path.name for path in tmp_path.iterdir()] == ["x.seen"]

    @pytest.mark.parametrize("keep", [0, 1, 11, 12, 13, 60, -1])
    def test_a_cut_file_is_no_observation(self, tmp_path: Path, keep: int) -> None:
        """A file that ends early, by a crash or a full disk, is observed anew."""
        path = tmp_path / "x.seen"
        _write(path, SEEN)
        path.write_bytes(path.read_bytes()[:keep])

        assert _read(path) is None

    @pytest.mark.parametrize("byte", [0, 4, 12, 13, 40, -1, -60])
    def test_a_changed_file_is_no_crash(self, tmp_path: Path, byte: int) -> None:
        """A flipped byte gives an observation or none."""
        path = tmp_path / "x.seen"
        _write(path, SEEN)
        data = bytearray(path.read_bytes())
        data[byte] ^= 0xFF
        path.write_bytes(data)

        assert isinstance(_read(path), dict | None)

    def test_a_missing_file_is_no_observation(self, tmp_path: Path) -> None:
        """Nothing was observed yet."""
        assert _read(tmp_path / "x.seen") is None

    def test_a_folder_that_cannot_be_written_is_no_error(self, tmp_path: Path) -> None:
        """A read-only course is graded without a cache."""
        (tmp_path / "file").touch()

        _write(tmp_path / "file" / "x.seen", SEEN)

        assert (tmp_path / "file").is_file()


class TestLoadMistakes:
    def test_heads_are_read(self, mini: Path) -> None:
        """Name, kind and words of every file, in order."""
        course = load_course(mini)

        found = load_mistakes(course, course.exercises[1])

        assert [(mistake.id, mistake.head.kind) for mistake in found] == [
            ("from-one", "mistake"),
            ("halves", "convention"),
        ]
        assert found[0].what.en == "You count from one."

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [("objectives: [order]", "objectives: [ordr]", 5), ('lesson: "1"', 'lesson: "7"', 4),
         ("zh: 从", "zn: 从", 2), ("[order]", "[order]\nkind: convention\nkind: mistake", 7)],
        ids=["objective", "lesson", "field", "twice"],
    )  # fmt: skip
    def test_a_wrong_head_is_placed_in_the_python_file(
        self, mini: Path, tmp_path: Path, old: str, new: str, line: int
    ) -> None:
        """The line is that of the file, not that of the docstring."""
        for part in ("exercises", "solutions"):
            shutil.copytree(mini / part, tmp_path / part)
        path = tmp_path / "solutions/02_indices/mistakes/from-one.py"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        course = load_course(tmp_path)

        with pytest.raises(CourseError) as caught:
            load_mistakes(course, course.exercises[1])

        assert (caught.value.path, caught.value.line) == (path, line)

    @pytest.mark.parametrize("text", ["x = 1\n", "def f(:\n", ""], ids=["none", "broken", "empty"])
    def test_a_file_without_a_head_is_an_error(self, mini: Path, tmp_path: Path, text: str) -> None:
        """No docstring, not even Python: a CourseError with the file's name."""
        for part in ("exercises", "solutions"):
            shutil.copytree(mini / part, tmp_path / part)
        path = tmp_path / "solutions/02_indices/mistakes/from-one.py"
        path.write_text(text)
        course = load_course(tmp_path)

        with pytest.raises(CourseError) as caught:
            load_mistakes(course, course.exercises[1])

        assert caught.value.path == path
