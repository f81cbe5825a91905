"""From a file or folder to a submission."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
from pathlib import Path

import pytest

from grader.course import Exercise, load_course
from grader.errors import IntakeError
from grader.intake import Submission, take_in
from grader.intake.submission import SOURCE_BYTES_MOST, submission_from_source
from grader.results import Outcome

SOURCE = "def double(x):\n    return 2 * x\n"


@pytest.fixture(scope="module")
def exercise(mini: Path) -> Exercise:
    """The exercise whose module is ``double``."""
    return load_course(mini, only=["01_double"]).exercises[0]


def outcome(submission: Submission) -> Outcome | None:
    """Return why a submission is refused."""
    return submission.refusal[0] if submission.refusal else None


class TestTakeIn:
    def test_a_file_is_taken_under_any_name(self, exercise: Exercise, tmp_path: Path) -> None:
        """The file named on the command line is the submission; its bytes are identified."""
        path = tmp_path / "my answer (2).py"
        path.write_text(SOURCE)

        found = take_in(exercise, path)

        assert found.source == SOURCE
        assert found.refusal is None
        assert found.sha256 == hashlib.sha256(SOURCE.encode()).hexdigest()
        assert found.notices == []

    def test_a_folder_holds_the_file(self, exercise: Exercise, tmp_path: Path) -> None:
        """Of a folder the file named like the stub is taken; up to five extras are named."""
        (tmp_path / "double.py").write_text(SOURCE)
        for number in range(7):
            (tmp_path / f"extra{number}.txt").write_text("x")

        found = take_in(exercise, tmp_path)

        assert found.source == SOURCE
        assert [notice.en for notice in found.notices] == [
            "Only double.py is taken; left aside: extra0.txt, extra1.txt, extra2.txt, extra3.txt, "
            "extra4.txt (+2)."
        ]

    def test_a_changed_course_file_is_remarked_on(self, exercise: Exercise, tmp_path: Path) -> None:
        """A copy of a course file that differs is named; one that does not is no news."""
        (tmp_path / "double.py").write_text(SOURCE)
        (tmp_path / "test_visible.py").write_text("# all passed\n")
        shutil.copy(exercise.folder / "README.md", tmp_path)

        (notice,) = take_in(exercise, tmp_path).notices

        assert notice.en == "test_visible.py was changed; the course's own copy is used."

    def test_the_exercises_own_folder_has_no_extras(self, exercise: Exercise) -> None:
        """Where the stub is filled in in place, nothing is left aside."""
        assert take_in(exercise, exercise.folder).notices == []

    def test_a_folder_without_the_file_is_missing(self, exercise: Exercise, tmp_path: Path) -> None:
        """An empty folder is a missing file, not an error of the command."""
        assert outcome(take_in(exercise, tmp_path)) is Outcome.MISSING

    def test_a_path_that_is_not_there_is_an_error(self, exercise: Exercise, tmp_path: Path) -> None:
        """A path that does not exist cannot be blamed on a student."""
        with pytest.raises(IntakeError):
            take_in(exercise, tmp_path / "nowhere.py")

    def test_size_is_capped(self, exercise: Exercise, tmp_path: Path) -> None:
        """A file of exactly the cap is taken, one byte more is not."""
        path = tmp_path / "double.py"
        path.write_bytes(b"#" * SOURCE_BYTES_MOST)
        fits = take_in(exercise, path)
        path.write_bytes(b"#" * (SOURCE_BYTES_MOST + 1))

        too_large = take_in(exercise, path)

        assert outcome(fits) is None
        assert outcome(too_large) is Outcome.REJECTED

    @pytest.mark.parametrize("kind", ["link", "dangling link", "folder", "fifo", "socket"])
    def test_only_regular_files_are_taken(
        self, exercise: Exercise, tmp_path: Path, kind: str
    ) -> None:
        """Links, folders, pipes and sockets are refused at once, and none is waited for."""
        path = tmp_path / "double.py"
        (tmp_path / "target.py").write_text(SOURCE)
        with socket.socket(socket.AF_UNIX) as server:
            if kind == "folder":
                path.mkdir()
            elif kind == "fifo":
                os.mkfifo(path)
            elif kind == "socket":
                server.bind(str(path))
            else:
                path.symlink_to("target.py" if kind == "link" else "nowhere.py")

            found = take_in(exercise, tmp_path)

        assert outcome(found) is Outcome.REJECTED

    def test_names_in_any_encoding_can_be_shown(self, exercise: Exercise, tmp_path: Path) -> None:
        """A file name that is not UTF-8, as in archives from Windows, can still be printed."""
        (tmp_path / "double.py").write_text(SOURCE)
        Path(os.fsdecode(bytes(tmp_path) + b"/" + "说明.txt".encode("gbk"))).write_text("x")

        (notice,) = take_in(exercise, tmp_path).notices

        assert ".txt" in notice.en
        notice.en.encode()

    def test_a_source_text_is_a_submission(self) -> None:
        """References and mistakes go in as they are."""
        found = submission_from_source("x = 1\r\n")

        assert found.source == "x = 1\r\n"
        assert found.refusal is None
