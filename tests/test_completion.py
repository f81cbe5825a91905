"""The shell completes commands, options, exercises and quizzes, at once."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commandline import PROGRAM, environment, write
from tests.conftest import not_covered


def complete(cwd: Path, *words: str) -> list[str]:
    """Return the completions of the last word; ``<file>`` where any file name may stand."""
    variables = {
        "_GRADE_COMPLETE": "bash_complete", "COMP_WORDS": shlex.join(["grade", *words]),
        "COMP_CWORD": str(len(words)),
    }  # fmt: skip
    done = subprocess.run(
        PROGRAM, cwd=cwd, env=environment(**variables), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    pairs = [line.partition(",") for line in done.stdout.splitlines()]
    return [value if kind == "plain" else f"<{kind}>" for kind, _, value in pairs]


@pytest.fixture
def quizzes(course: Path) -> Path:
    """The tiny course with two quizzes."""
    for name in ("01_order", "02_shape"):
        write(course / f"quizzes/{name}.yaml", "")
    return course


def test_the_first_word_is_a_command_or_a_target(quizzes: Path) -> None:
    """Also from a folder inside the course, or with the course named."""
    assert complete(quizzes, "exercises/01") == ["exercises/01_double"]
    assert complete(quizzes / "exercises", "exercises/01") == ["exercises/01_double"]
    assert complete(quizzes, "quiz") == ["quizzes/01_order", "quizzes/02_shape"]
    assert complete(quizzes, "03") == ["03_limited"]
    assert complete(quizzes, "wat") == ["watch"]
    assert {"watch", "hint", "exercises/01_double"} <= set(complete(quizzes, ""))
    named = ["--course", str(quizzes), "exercises/02"]
    assert complete(quizzes.parent, *named) == ["exercises/02_indices"]


@pytest.mark.parametrize("command", ["hint", "reset", "solution"])
def test_commands_for_exercises_complete_exercises(quizzes: Path, command: str) -> None:
    """There is no hint to a quiz."""
    found = complete(quizzes, command, "")

    assert "exercises/04_faulty" in found
    assert not any(word.startswith("quizzes") for word in found)
    assert "--lang" in complete(quizzes, command, "--l")


def test_what_is_no_target_completes_as_a_file(quizzes: Path) -> None:
    """Answers may lie anywhere."""
    assert complete(quizzes, "../my") == ["<file>"]
    assert complete(quizzes, "01", "../my") == ["<file>"]
    assert complete(quizzes, "watch", "/") == ["<file>"]


def test_further_targets_are_completed(quizzes: Path) -> None:
    """``grade 01 02`` takes several."""
    assert complete(quizzes, "01", "exercises/02") == ["exercises/02_indices"]


def test_outside_a_course_there_are_commands_only(tmp_path: Path) -> None:
    """And no message in the middle of a line."""
    assert complete(tmp_path, "exercises") == ["<file>"]
    assert complete(tmp_path, "doc") == ["doctor"]


def test_bash_itself_completes(quizzes: Path, tmp_path: Path) -> None:
    """The line of the README, in a real shell."""
    bash = shutil.which("bash")
    if bash is None:
        not_covered("bash is not installed")
    starter = write(tmp_path / "bin/grade", f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    starter.chmod(0o755)
    script = (
        'eval "$(_GRADE_COMPLETE=bash_source grade)"\n'
        "COMP_WORDS=(grade exercises/0); COMP_CWORD=1; _grade_completion grade\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    variables = environment()
    done = subprocess.run(
        [bash, "--norc", "-c", script], cwd=quizzes, capture_output=True, text=True, check=True,
        env=variables | {"PATH": f"{starter.parent}:{variables['PATH']}"},
    )  # fmt: skip

    assert done.stdout.split() == [
        "exercises/01_double", "exercises/02_indices", "exercises/03_limited",
        "exercises/04_faulty",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(tmp_path: Path, shell: str) -> None:
    """Anywhere; it calls this command."""
    variables = environment(_GRADE_COMPLETE=f"{shell}_source")

    done = subprocess.run(
        PROGRAM, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )

    assert f"_GRADE_COMPLETE={shell}_complete" in done.stdout
    assert done.stderr == ""


def test_completing_loads_nothing_heavy(quizzes: Path) -> None:
    """A key must not wait for torch."""
    program = (
        "import atexit, sys; sys.argv[0] = 'grade'; from grader.cli import main;"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    variables = environment(
        _GRADE_COMPLETE="bash_complete", COMP_WORDS="grade exercises/0", COMP_CWORD="1"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=quizzes, env=variables, capture_output=True, text=True,
        check=True,
    )  # fmt: skip

    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert "grader" in loaded
    assert loaded & {"torch", "pytest", "numpy", "rich", "watchfiles"} == set()


def test_python_m_grader_is_the_command(course: Path) -> None:
    """The same overview and exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "grader"], cwd=course, env=environment(), capture_output=True,
        text=True, check=True,
    )  # fmt: skip

    assert "Exercises: 0 of 4 done" in done.stdout
