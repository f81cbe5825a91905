"""``grade release``: what is in the bundles, and that a student can work in theirs."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import re
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import grader
from grader.classroom.release.bundles import instructor_bundle, student_bundle
from grader.classroom.release.packing import packed
from grader.classroom.release.wheel import build_wheel
from grader.classroom.rules import read_rules
from grader.course import load_course
from grader.quiz import load_quiz
from grader.released import RECORD
from tests.commandline import Done, environment, run_grade, write
from tests.releasing import course_to_release, read_yaml, unzipped

PACKAGE = Path(grader.__file__).parent
SOLUTION = "def indices(n: int) -> list[int]:\n    return [k // 2 for k in range(n + n)]\n"
HALVES = "def indices(n):\n    return [*range(n), *range(n)]\n"
OWN = ("answers/01_all.yaml", ".grade/progress.jsonl", "exports/x.html", "tests/test_x.py",
       "exercises/01_double/notes.txt", "exercises/01_double/__pycache__/double.pyc",
       "solutions/01_double/.grade/cache/x", "solutions/__pycache__/x.pyc")  # fmt: skip


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course in a folder with spaces and Chinese in its name, worked in by somebody."""
    root = course_to_release(tmp_path / "课程 1")
    for file in OWN:
        write(root / file, "private")
    write(root / "exercises/02_indices/indices.py", SOLUTION)
    return root


def test_students_get_stubs_tests_sealed_quizzes_and_the_engine(course: Path) -> None:
    """Everything to work with, nothing of anybody's own, nothing of the solutions."""
    files = student_bundle(course, "class", solutions=False).files

    folders = {name.partition("/")[0] for name in files}
    assert folders == {
        ".github", ".gitignore", "exercises", "quizzes", "wheels", "release.json", "START.md",
        "START.zh.html", "START.en.html",
    }  # fmt: skip
    assert {name.rpartition("/")[2] for name in files if name.startswith("exercises/01")} == {
        ".stub.py", "README.en.md", "README.md", "double.py", "exercise.yaml", "test_visible.py"
    }  # fmt: skip
    stub = (course / "exercises/02_indices/.stub.py").read_bytes()
    assert files["exercises/02_indices/indices.py"] == stub
    assert read_yaml(files["quizzes/01_all.yaml"])["sealed"]
    assert read_yaml(files["exercises/course.yaml"])["policy"]["mode"] == "class"


def test_the_same_course_gives_the_same_bytes(course: Path) -> None:
    """Whoever releases again gets the same zip, whatever lies around and however old it is."""
    first = packed(student_bundle(course, "class", solutions=False).files)
    for path in course.rglob("*"):
        os.utime(path, (1, 1))
    shutil.rmtree(course / "answers")

    assert packed(student_bundle(course, "class", solutions=False).files) == first


def test_the_instructors_part_is_the_course_without_anybodys_own(course: Path) -> None:
    """Solutions and keys as they are, no cache, no answers; class.yaml is one that can be read."""
    files = instructor_bundle(course).files

    kept = {
        path.relative_to(course).as_posix()
        for part in ("solutions", "quizzes") for path in (course / part).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and ".grade" not in path.parts
    }  # fmt: skip
    assert kept <= set(files)
    assert not [name for name in files if name in OWN]
    write(course / "class.yaml", files["class.yaml"].decode())
    rules = read_rules(course)
    assert (rules.attempt, rules.late.per_day, rules.late.most) == ("last", 0.1, 0.5)


def test_the_wheel_holds_the_engine_and_says_what_it_needs() -> None:
    """Every module, catalogue and template; the needs of today's pyproject.toml."""
    name, data = build_wheel()
    inside = unzipped(data)
    info = f"grader-{grader.__version__}.dist-info"

    modules = {path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*.py")}
    assert name == f"grader-{grader.__version__}-py3-none-any.whl"
    assert modules <= set(inside)
    assert "grader/locale/zh_CN/LC_MESSAGES/grader.mo" in inside
    assert not [member for member in inside if "__pycache__" in member]
    needs = inside[f"{info}/METADATA"].decode()
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    wanted = project.partition("dependencies = [")[2].partition("]")[0].split('"')[1::2]
    assert [need for need in wanted if f"Requires-Dist: {need}\n" not in needs] == []
    assert len(wanted) > 8


def test_a_students_install_brings_neither_jupyter_nor_dask() -> None:
    """Nor does anything it needs, however far down; instructors' extras bring both."""
    _, data = build_wheel()
    metadata = next(d for n, d in unzipped(data).items() if n.endswith("/METADATA")).decode()
    wanted = [Requirement(need) for need in re.findall(r"^Requires-Dist: (.+)$", metadata, re.M)]
    base = {one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})}
    extra = {one.name for one in wanted} - base

    brought = _closure(base)

    assert {"dask", "nbgrader"} <= extra
    assert {"click", "torch", "sympy"} <= brought  # sympy is torch's
    assert [n for n in brought if re.match("dask|distributed|jupyter|nb|notebook|ipy", n)] == []


def _closure(names: set[str]) -> set[str]:
    """Return packages with all that they need, as far as they are installed here."""
    found, queue = set(names), list(names)
    while queue:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            for need in map(Requirement, importlib.metadata.requires(queue.pop()) or []):
                plain = need.marker is None or need.marker.evaluate({"extra": ""})
                if plain and need.name.lower() not in found:
                    found.add(need.name.lower())
                    queue.append(need.name)
    return found


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A students' zip, unpacked and installed as START says, into an environment of its own.

    What the engine needs from others is lent by this environment, since tests do not download
    torch; a sandbox that shows the bundle's environment only does not have it.
    """
    folder = tmp_path_factory.mktemp("解包 2")
    course = course_to_release(folder / "from")
    done = run_grade(course, "release", "--for", "student", "--output", str(folder / "out"))
    assert done.code == 0, done.err
    with zipfile.ZipFile(folder / "out/student.zip") as archive:
        archive.extractall(folder)
    root = folder / "a-tiny-course"
    venv.create(root / ".venv", with_pip=False, symlinks=True)
    (target,) = (root / ".venv/lib").glob("python*/site-packages")
    (wheel,) = (root / "wheels").iterdir()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-index",
           "--no-deps", "--quiet", "--target", str(target), str(wheel)]  # fmt: skip
    subprocess.run(pip, check=True, capture_output=True)
    lent = "\n".join(site.getsitepackages())
    (target / "lent.pth").write_text(lent + "\n", encoding="utf-8")
    yield root
    shutil.rmtree(folder, ignore_errors=True)


def run(root: Path, *words: str) -> Done:
    """Run the installed engine in the bundle, in Chinese, as ``grade``."""
    variables = environment(LANG="zh_CN.UTF-8")
    variables.pop("PYTHONPATH", None)
    command = [root / ".venv/bin/python", "-m", "grader", *words, "--sandbox", "process"]
    done = subprocess.run(
        command, cwd=root, env=variables,
        capture_output=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, "utf-8")


def test_grade_runs_in_the_unpacked_bundle(unpacked: Path) -> None:
    """The engine is the bundle's own; visible checks run, hidden ones are said to be elsewhere."""
    where = "import grader; print(grader.__file__)"
    python = subprocess.run(
        [unpacked / ".venv/bin/python", "-c", where], cwd=unpacked, capture_output=True,
        env={"PATH": os.environ["PATH"]}, check=True, text=True,
    )  # fmt: skip

    done = run(unpacked, "exercises/01")

    assert python.stdout.startswith(str(unpacked / ".venv"))
    assert done.code == 1, done.err
    assert "未开始" in done.out
    assert "4 项隐藏检查" in done.out


def test_no_mistake_is_named_without_solutions(unpacked: Path) -> None:
    """A known mistake gets no name here; it fails what is visible, or nothing."""
    write(unpacked / "exercises/02_indices/indices.py", HALVES)

    report = json.loads(run(unpacked, "exercises/02", "--json").out)

    (result,) = report["exercises"]
    assert result["diagnosis"] is None
    assert result["hidden_absent"] == {"checks": 3, "points": 3}


def test_hints_quizzes_and_handing_in_work_without_solutions(unpacked: Path) -> None:
    """The first hint; answers saved and marked elsewhere; one file to hand in."""
    answers = "quiz: 01_all\nseed: s\nanswers:\n  even-one: four\n  doubled: 14\n"
    write(unpacked / "answers/01_all.yaml", answers)

    hint = run(unpacked, "hint", "01")
    quiz = run(unpacked, "quizzes/01")
    submitted = run(unpacked, "submit")

    assert hint.code == 0, hint.err
    assert "提示 1 / 3" in hint.out
    assert "老师" in quiz.out
    assert submitted.code == 0, submitted.err
    with zipfile.ZipFile(unpacked / "submission.zip") as archive:
        assert "answers/01_all.yaml" in archive.namelist()


def test_a_leaking_course_writes_nothing(course: Path) -> None:
    """A solution line pasted into a README: file, line, origin, exit code 1, no bundle."""
    readme = course / "exercises/01_double/README.md"
    readme.write_text("# 练习\n\n    return [i // 2 for i in range(2 * n)]\n", encoding="utf-8")

    done = run_grade(course, "release", "--output", "out")

    assert done.code == 1
    told = "".join(done.out.split())
    assert "exercises/01_double/README.md:3:alineofasolution,fromsolutions/02_indices/" in told
    assert not (course / "out").exists()


def test_a_bundle_can_be_searched_later(course: Path) -> None:
    """``--scan`` takes a zip or a folder, clean or not."""
    assert run_grade(course, "release", "--output", "out").code == 0

    clean = run_grade(course, "release", "--scan", "out/student.zip")
    leaking = run_grade(course, "release", "--scan", "out/instructor", "--json")

    assert clean.code == 0
    assert "none of them" in clean.out
    assert leaking.code == 1
    assert {leak["file"].partition("!")[2] for leak in json.loads(leaking.out)["leaks"]} >= {
        "solutions/01_double/double.py", "quizzes/01_all.yaml"
    }  # fmt: skip


def test_releasing_again_replaces_only_what_was_released(course: Path) -> None:
    """A folder that became a repository stays one; a file that is gone goes from it."""
    run_grade(course, "release", "--output", "out")
    write(course / "out/student/.git/config", "mine")
    shutil.rmtree(course / "exercises/04_faulty")
    shutil.rmtree(course / "solutions/04_faulty")
    (course / RECORD).unlink()  # no class keeps marks of it

    done = run_grade(course, "release", "--output", "out", "--mode", "practice")

    assert done.code == 0, done.err
    assert (course / "out/student/.git/config").read_text() == "mine"
    assert not (course / "out/student/exercises/04_faulty").exists()
    assert load_course(course / "out/student").file.policy.mode == "practice"


def test_a_folder_of_somebody_elses_is_left_alone(course: Path) -> None:
    """What is no earlier release is not written into."""
    write(course / "out/student/thesis.tex", "years of work")

    message = run_grade(course, "release", "--output", "out").failed_with(2)

    assert "holds no earlier release" in message
    assert [path.name for path in (course / "out/student").iterdir()] == ["thesis.tex"]


def test_who_studies_alone_gets_solutions_on_request_only(course: Path) -> None:
    """Keys are computed from the references: all or nothing, and never for a class."""
    files = student_bundle(course, "practice", solutions=True).files
    refused = run_grade(course, "release", "--with-solutions").failed_with(2)

    assert "solutions/quizzes/01_all.py" in files
    assert b"solutions/" in files["START.md"]
    assert b"grade submit" not in files["START.md"]  # to whom?
    assert "practice" in refused


def test_a_released_copy_cannot_release(course: Path) -> None:
    """Without solutions there is nothing to compare with; the message says where to go."""
    shutil.rmtree(course / "solutions")

    message = run_grade(course, "release").failed_with(2)

    assert "has no solution here" in " ".join(message.split())


def test_what_is_left_out_is_said(course: Path) -> None:
    """A teacher's own notes stay, and are named, in case they were meant to go."""
    done = run_grade(course, "release", "--output", "out", "--json")

    assert json.loads(done.out)["left_out"] == ["exercises/01_double/notes.txt"]


def test_the_workflow_is_yaml_that_runs_the_visible_checks(course: Path) -> None:
    """It cannot be run here; its form, its wheel and its command can be checked."""
    files = student_bundle(course, "class", solutions=False).files

    workflow = read_yaml(files[".github/workflows/grade.yml"])

    steps = workflow["jobs"]["grade"]["steps"]
    assert "push" in workflow[True]  # "on", which YAML 1.1 takes for a truth value
    assert [step.get("run", "").split(" --")[0] for step in steps][-1] == "grade exercises"
    assert "wheels/grader-*.whl" in steps[-2]["run"]


def test_sealed_quizzes_of_the_bundle_can_be_read(course: Path, tmp_path: Path) -> None:
    """The bundle is a course of its own."""
    for name, data in student_bundle(course, "class", solutions=False).files.items():
        path = tmp_path / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    found = load_course(tmp_path / "unpacked")

    assert [exercise.has_solution for exercise in found.exercises] == [False] * 4
    assert load_quiz(found, "01_all").file.sealed


def test_two_tasks_at_once_are_refused(course: Path) -> None:
    """One of them would be passed over, and a teacher think that it was done."""
    done = run_grade(course, "release", "--nbgrader", "nb", "--gradescope", "01", "--lang", "en")

    assert done.code == 2
    assert "--nbgrader, --gradescope cannot be done at once." in done.err
    assert not (course / "nb").exists()
