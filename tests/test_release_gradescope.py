"""The autograder for Gradescope: its own scripts, run here in a folder of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.gradescope import exercise_results, handed_in
from grader.course import load_course
from grader.errors import GraderFault
from grader.results import CheckResult, ExerciseResult, Limits, Outcome
from grader.scoring import fixed_points
from grader.text import Text
from tests.commandline import environment, run_grade, write
from tests.releasing import course_to_release, repacked

ROOT = Path(__file__).parent.parent
HALF_RIGHT = (
    'def double(x):\n    return 2 * x\n\n\ndef greet(name, mark="!"):\n    return name + "!"\n'
)
ONE_ROUND_AFTER_THE_OTHER = "def indices(n):\n    return [*range(n), *range(n)]\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in a folder with spaces and Chinese in its name."""
    return course_to_release(tmp_path_factory.mktemp("自动 批改") / "course")


def autograder(course: Path, folder: Path, exercise: str) -> Path:
    """Unpack an exercise's autograder as Gradescope does; return the autograder's folder."""
    done = run_grade(course, "release", "--gradescope", exercise, "--output", str(folder))
    assert done.code == 0, done.err
    (archive,) = folder.glob("*.gradescope.zip")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "source")
    (folder / "submission").mkdir()
    return folder


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the autograder on what lies in ``submission``."""
    variables = environment(
        AUTOGRADER_ROOT=str(folder), AUTOGRADER_PYTHON=sys.executable, PYTHONPATH=str(ROOT)
    )
    return subprocess.run(
        ["bash", str(folder / "source/run_autograder")], env=variables, capture_output=True,
        text=True, check=False, cwd=folder,
    )  # fmt: skip


def results(folder: Path) -> dict[str, Any]:
    """Run the autograder; return what it wrote."""
    done = run(folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads((folder / "results/results.json").read_bytes())
    return found


def test_a_submission_is_graded_into_results_json(course: Path, tmp_path: Path) -> None:
    """Points by hand: one visible, hidden 2 + 1 + 1 + 1; the greeting's parameter loses one."""
    folder = autograder(course, tmp_path, "exercises/01")
    write(folder / "submission/double.py", HALF_RIGHT)

    found = results(folder)

    assert found["score"] == 5
    assert [(test["score"], test["max_score"]) for test in found["tests"]] == [
        (1, 1), (2, 2), (1, 1), (1, 1), (0, 1)
    ]  # fmt: skip
    assert [test["visibility"] for test in found["tests"]] == ["visible", *["after_published"] * 4]
    assert [test["status"] for test in found["tests"]] == [*["passed"] * 4, "failed"]
    assert found["output_format"] == "text"
    assert found["stdout_visibility"] == "hidden"
    assert found["extra_data"]["exercise"] == "01_double"


def test_hidden_checks_tell_their_outcome_and_nothing_else(course: Path, tmp_path: Path) -> None:
    """Neither inputs nor expected values nor paths; a known mistake is named above the checks."""
    folder = autograder(course, tmp_path, "02")
    write(folder / "submission/indices.py", ONE_ROUND_AFTER_THE_OTHER)

    found = results(folder)
    text = json.dumps(found)

    assert "one round after the other" in found["output"]
    assert {test["output"] for test in found["tests"] if test["visibility"] != "visible"} <= {
        "passed", "other convention"
    }  # fmt: skip
    for secret in ("[0, 0, 1, 1, 2, 2]", str(folder), str(ROOT), "test_hidden"):
        assert secret not in text


def test_what_grade_submit_wrote_is_found_where_it_lies(course: Path, tmp_path: Path) -> None:
    """Gradescope unpacks archives: the exercise's own folder wins over others."""
    folder = autograder(course, tmp_path, "01")
    write(folder / "submission/a/double.py", "raise SystemExit\n")
    own = write(folder / "submission/b/exercises/01_double/double.py", HALF_RIGHT).parent
    exercise = load_course(course).exercise("01_double")

    assert handed_in(exercise, folder / "submission") == own
    shutil.rmtree(folder / "submission/a")
    assert results(folder)["score"] == 5


def test_what_students_really_send_is_taken(course: Path, tmp_path: Path) -> None:
    """A notebook, a renamed copy, an archive in an archive: as `grade collect` takes them."""
    cell = {"cell_type": "code", "metadata": {}, "source": HALF_RIGHT, "outputs": []}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    inner = repacked({"exercises/01_double/double.py": HALF_RIGHT.encode()})
    folder = autograder(course, tmp_path, "01")
    for name, data in (
        ("我的作业.ipynb", notebook.encode()), ("double (1).py", HALF_RIGHT.encode("gbk")),
        ("a.zip", repacked({"b.zip": inner})),
    ):  # fmt: skip
        (folder / "submission" / name).write_bytes(data)

        assert results(folder)["score"] == 5, name
        (folder / "submission" / name).unlink()


def test_an_untouched_stub_is_not_started(course: Path, tmp_path: Path) -> None:
    """It is no wrong answer and not missing either."""
    folder = autograder(course, tmp_path, "01")
    shutil.copy(course / "exercises/01_double/.stub.py", folder / "submission/double.py")

    found = results(folder)

    assert {test["output"].partition("\n")[0] for test in found["tests"]} <= {
        "not started", "skipped"
    }  # fmt: skip


def test_nothing_handed_in_is_zero_with_a_reason(course: Path, tmp_path: Path) -> None:
    """The file is missing: every check says so."""
    folder = autograder(course, tmp_path, "01")

    found = results(folder)

    assert found["score"] == 0
    assert {test["output"].partition("\n")[0] for test in found["tests"]} == {"missing"}


def test_a_fault_of_ours_writes_nothing(course: Path, tmp_path: Path) -> None:
    """Gradescope reports a failed autograder then, and nobody gets a nought."""
    folder = autograder(course, tmp_path, "01")
    write(folder / "submission/double.py", HALF_RIGHT)
    shutil.rmtree(folder / "source/solutions")

    done = run(folder)

    assert done.returncode == 3
    assert "holds the solution of one exercise" in done.stderr
    assert not (folder / "results").exists()


def test_the_zip_holds_one_solution_and_scripts_that_run(course: Path, tmp_path: Path) -> None:
    """Other exercises' solutions and the quizzes' keys are not in it; both scripts are programs."""
    folder = autograder(course, tmp_path, "02")

    with zipfile.ZipFile(next(folder.glob("*.zip"))) as archive:
        names = archive.namelist()
        rights = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.filelist}
    assert {name.split("/")[1] for name in names if name.startswith("solutions/")} == {"02_indices"}
    assert (rights["setup.sh"], rights["run_autograder"]) == (0o755, 0o755)
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", str(folder / "source" / script)], check=True)


def test_an_autograder_is_for_one_exercise(course: Path) -> None:
    """Several, or a quiz, are refused with a reason."""
    assert run_grade(course, "release", "--gradescope", "exercises").code == 2
    assert run_grade(course, "release", "--gradescope", "quizzes/01").code == 2
    assert not (course / "exports").exists()


def check(points: int, outcome: Outcome, *, bonus: bool = False) -> CheckResult:
    """Return a check that earned all or nothing."""
    return CheckResult(
        id="c", title=Text("检", "c"), points=points, objectives=[], hidden=False, outcome=outcome,
        earned=float(points) if outcome is Outcome.PASSED else 0.0, bonus=bonus,
    )  # fmt: skip


def test_a_fault_of_ours_is_shared_out_over_what_could_be_judged() -> None:
    """3 of 4 judged points of 8 are 6 of 8; nothing judged is no score at all."""
    checks = [
        check(3, Outcome.PASSED), check(1, Outcome.FAILED), check(4, Outcome.GRADER_ERROR),
        check(9, Outcome.FAILED, bonus=True),
    ]  # fmt: skip
    result = ExerciseResult(
        exercise="e", title=Text("题", "e"), submission_sha256="", checks=checks, earned=3.0,
        possible=4.0, limits=Limits(),
    )  # fmt: skip

    found = exercise_results(result, "en")

    assert fixed_points(checks) == (6.0, 8.0)
    assert found.score == 6.0
    assert [test.score for test in found.tests] == [3.0, 0.0, None, 0.0]
    assert fixed_points([check(4, Outcome.GRADER_ERROR)]) == (None, 4.0)
    assert fixed_points([]) == (0.0, 0.0)
    with pytest.raises(GraderFault, match="No check could be judged"):
        exercise_results(
            ExerciseResult(
                exercise="e", title=Text("题", "e"), submission_sha256="", checks=checks[2:3],
                earned=0.0, possible=0.0, limits=Limits(),
            ), "en",
        )  # fmt: skip


def test_links_in_a_submission_are_not_followed(course: Path, tmp_path: Path) -> None:
    """A link to the solution is not accepted as an answer."""
    folder = autograder(course, tmp_path, "01")
    solution = folder / "source/solutions/01_double/double.py"
    (folder / "submission/double.py").symlink_to(solution)

    found = results(folder)

    assert found["score"] == 0
    assert {test["output"].partition("\n")[0] for test in found["tests"]} == {"not accepted"}
