"""Source notebooks: nbgrader's own commands validate, release and grade them, in parts, too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.cells import UNFILLED, answer_of, earned_points
from grader.classroom.release.leaks import LeakScan, bundle_bytes
from grader.classroom.release.nbgrader import source_notebooks
from grader.course import load_course
from grader.errors import UsageError
from tests.commandline import environment, run_grade
from tests.conftest import not_covered
from tests.releasing import course_to_release

# double is right; greet forgets its parameter: one of two points of that part is lost.
HALF_RIGHT = """\
import torch

def double(x):
    return 2 * x

def greet(name, mark="!"):
    return name + "!"
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in a folder with spaces and Chinese in its name."""
    return course_to_release(tmp_path_factory.mktemp("笔记 本") / "course")


@pytest.fixture(scope="module")
def classroom(course: Path) -> Path:
    """An nbgrader course made by the command."""
    pytest.importorskip("nbformat")
    done = run_grade(course, "release", "--nbgrader", "class")
    assert done.code == 0, done.err
    return course / "class"


def nbgrader(classroom: Path, *words: str) -> str:
    """Run one of nbgrader's commands; return what it says."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words], cwd=classroom, capture_output=True, text=True,
        env=environment(PATH=programs, PYTHONPATH=root, JUPYTER_PLATFORM_DIRS="1"), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def cells(path: Path) -> dict[str, Any]:
    """Return the cells of a notebook that nbgrader knows, by their names."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    marked = [cell for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in marked}


def test_nbgrader_validates_releases_and_grades(course: Path, classroom: Path) -> None:
    """The reference gets everything; nothing of it is released; a half-right answer gets part."""
    try:
        import nbgrader as _  # noqa: F401
    except ImportError:
        not_covered("nbgrader is not installed")
    name = "01_double"
    source = classroom / f"source/{name}/{name}.ipynb"
    assert "passes all the tests" in nbgrader(classroom, "validate", str(source))

    nbgrader(classroom, "generate_assignment", name)

    released = classroom / f"release/{name}/{name}.ipynb"
    assert LeakScan(course).search("release", bundle_bytes(classroom / "release")) == []
    assert "return x + x" not in released.read_text(encoding="utf-8")
    assert "earned_points" not in "".join(cells(released)["hidden"]["source"])
    assert "def double" in "".join(cells(released)["answer"]["source"])

    notebook = json.loads(released.read_text(encoding="utf-8"))
    (answer,) = [cell for cell in notebook["cells"] if cell.get("id") == "answer"]
    answer["source"] = HALF_RIGHT
    handed_in = classroom / f"submitted/ada/{name}/{name}.ipynb"
    handed_in.parent.mkdir(parents=True)
    handed_in.write_text(json.dumps(notebook), encoding="utf-8")
    nbgrader(classroom, "autograde", name)

    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{classroom / 'gradebook.db'}") as book:
        submission = book.find_submission(name, "ada")
        scores = {
            g.name: (g.auto_score, g.max_score) for n in submission.notebooks for g in n.grades
        }
    # By hand: one visible check of 1 point; hidden 2 + 1 + 1 + 1, and the keyword's point is lost.
    assert scores == {"visible": (1, 1), "hidden": (4, 5)}


def test_every_exercise_becomes_a_notebook_that_repeats_exactly(course: Path) -> None:
    """One assignment each, helpers beside it; the same course gives the same bytes."""
    files = source_notebooks(load_course(course), "zh")

    names = [exercise.id for exercise in load_course(course).exercises]
    assert [name for name in files if name.endswith(".ipynb")] == [
        f"source/{name}/{name}.ipynb" for name in names
    ]
    assert source_notebooks(load_course(course), "zh") == files


def test_settings_that_are_there_are_kept(classroom: Path, course: Path) -> None:
    """A teacher's nbgrader_config.py is not written over."""
    (classroom / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")

    assert run_grade(course, "release", "--nbgrader", "class").code == 0

    assert (classroom / "nbgrader_config.py").read_text(encoding="utf-8") == "c = get_config()\n"


def test_without_nbformat_the_package_is_named(course: Path) -> None:
    """Students do not have it, and a teacher is told what to install."""
    hidden = course / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['nbformat'] = None\n")
    paths = os.pathsep.join([str(hidden), str(Path(__file__).parent.parent)])

    done = run_grade(course, "release", "--nbgrader", "elsewhere", PYTHONPATH=paths)

    assert "nbformat" in done.failed_with(2)
    assert not (course / "elsewhere").exists()


def test_points_are_a_number_and_nothing_is_an_error(
    course: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What nbgrader sees: the value; standard error would cost everything, so it stays empty."""
    monkeypatch.setenv("GRADE_COURSE", str(course))

    earned = [earned_points("01_double", part, [HALF_RIGHT]) for part in ("visible", "hidden")]
    told = capfd.readouterr()

    assert earned == [1.0, 4.0]
    assert told.err == ""
    assert told.out.count("\n") >= 5


def test_hidden_checks_elsewhere_are_no_full_marks(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell without a value gets points from nbgrader, so missing checks are an error."""
    shutil.copytree(course / "exercises", tmp_path / "exercises")
    monkeypatch.setenv("GRADE_COURSE", str(tmp_path))

    assert earned_points("01_double", "visible", [HALF_RIGHT]) == 1.0
    with pytest.raises(UsageError, match="not on this machine"):
        earned_points("01_double", "hidden", [HALF_RIGHT])
    with pytest.raises(UsageError, match="no exercise 77_nothing"):
        earned_points("77_nothing", "visible", [HALF_RIGHT])


def test_the_answer_is_what_all_cells_define() -> None:
    """Split over cells, tried out in between, with magics: the definitions count, the last wins."""
    stub = "def f(x):\n    raise NotImplementedError('TODO')\n"
    source = answer_of([
        "%matplotlib inline\nimport torch", "from __future__ import annotations\nN = 3",
        "def f(x):\n    return 1", "print(f(2))\nfor i in range(9):\n    f(i)",
        "@torch.no_grad()\ndef f(x):\n    return N\n\n" + UNFILLED,
        "!pip list\nf?", "def broken(:",
        "from grader.classroom.cells import earned_points\nearned_points('01', 'visible')",
    ], stub)  # fmt: skip
    found: dict[str, Any] = {}

    exec(compile(source, "answer.py", "exec"), found)  # noqa: S102

    assert found["f"](0) == 3
    assert "print" not in source
    assert "grader" not in source


def test_an_answer_that_is_no_python_is_graded_as_it_is() -> None:
    """Its syntax error is told, rather than that nothing was there."""
    assert "def f(x：" in answer_of(["def f(x：\n    return x"], "def f(x):\n    return 0\n")
    assert answer_of(["print(1)"], "def f(x):\n    return 0\n") == ""
