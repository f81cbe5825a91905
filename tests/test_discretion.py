"""What a submission says is told without paths of this machine and not without end."""

from __future__ import annotations

import sys
import tempfile
import weakref
from pathlib import Path

import pytest

from grader.discretion import TEXT_MOST, Discretion
from grader.text import Text


@pytest.fixture
def discretion(tmp_path: Path) -> Discretion:
    """For a course in a folder of its own."""
    return Discretion(tmp_path / "course")


class TestPaths:
    """Paths give way to words that say what stood there."""

    def test_course_python_and_home_are_hidden(
        self, discretion: Discretion, tmp_path: Path
    ) -> None:
        """Wherever they stand in a sentence."""
        said = f"({sys.prefix}/lib/torch.py) '{tmp_path}/course/solutions' {Path.home()}/x"

        told = discretion.output(said)

        assert told.startswith("([python]/lib/torch.py) '[course]/solutions' ")
        assert str(Path.home()) not in told

    def test_the_library_of_a_systems_python_is_hidden(self, discretion: Discretion) -> None:
        """It lies below /usr there, which tells nothing; the words are those of any other."""
        told = discretion.output(f'File "{weakref.__file__}", line 649, in _exitfunc')

        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        assert told == f'File "[python]/lib/{version}/weakref.py", line 649, in _exitfunc'

    def test_the_scratch_folder_is_hidden_and_tmp_is_not(self, discretion: Discretion) -> None:
        """A submission's own /tmp is the same everywhere."""
        scratch = f"{tempfile.gettempdir()}/grade-ab12_x/session-9/file"

        assert discretion.output(scratch) == "[tmp]/session-9/file"
        assert discretion.output("/tmp/file /usr/lib") == "/tmp/file /usr/lib"  # noqa: S108

    def test_longer_names_that_begin_alike_are_left_alone(
        self, discretion: Discretion, tmp_path: Path
    ) -> None:
        """``course-notes`` is not ``course``."""
        other = f"{tmp_path}/course-notes"

        assert "[course]" not in discretion.output(other)


class TestLength:
    """Nothing said makes a result long."""

    def test_a_long_message_is_cut(self, discretion: Discretion) -> None:
        """In both languages."""
        told = discretion.text(Text("啊" * 10**6, "a" * 10**6))

        assert len(told.zh) == len(told.en) == TEXT_MOST + len(" [...]")

    def test_the_last_lines_of_a_trace_stay(self, discretion: Discretion) -> None:
        """They are nearest to what happened."""
        told = discretion.lines([f"line {number}" for number in range(1000)])

        assert told[-1] == "line 999"
        assert len(told) < 20
