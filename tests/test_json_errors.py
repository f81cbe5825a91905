"""With ``--json`` an error is JSON, too: one line on standard output, the same words beside it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.errors import GradeError, GraderFault, IntakeError, UsageError
from grader.report.problem import Problem, problem_of
from grader.text import Text
from tests.commandline import PROGRAM, Done, Grade, descendants, environment, run_grade, write

COMMANDS = [
    "watch", "hint", "reset", "solution", "submit", "report", "notebook", "doctor", "check",
    "collect", "batch", "release", "gradebook", "feedback", "export quizzes", "export marks",
]  # fmt: skip
BROKEN = "title: [\n"


def problem(done: Done) -> Problem:
    """Return the one line on standard output; its words stand on standard error as well."""
    assert done.out.count("\n") == 1, done.out
    found = msgspec.json.decode(done.out, type=Problem)
    said = " ".join(done.err.split())
    assert found.schema == "grade-error/1"
    assert found.exit_code == done.code
    assert " ".join(found.what.en.split()) in said
    assert found.place in said
    if found.next_step is not None:
        assert " ".join(found.next_step.en.split()) in said
    return found


@pytest.mark.parametrize(
    ("words", "kind", "code"),
    [
        (("foo",), "usage", 2),
        (("exercises/99",), "usage", 2),
        (("hint", "foo"), "usage", 2),
        (("reset", "01", "--from", "none"), "usage", 2),
        (("reset", "01"), "usage", 2),
        (("solution", "01"), "usage", 2),
        (("notebook", "99"), "usage", 2),
        (("watch", "99"), "usage", 2),
        (("report",), "usage", 2),
        (("submit", "--output", "/dev/null/x.zip"), "usage", 2),
        (("check", "99"), "usage", 2),
        (("01", "--sandbox", "none"), "usage", 2),
        (("export", "quizzes", "--format", "print"), "usage", 2),
        (("--course", "/", "01"), "usage", 2),
    ],
)
def test_what_a_command_refuses(grade: Grade, words: tuple[str, ...], kind: str, code: int) -> None:
    """Whatever the command, wherever the option stands."""
    for line in (("--json", *words), (*words, "--json")):
        found = problem(grade(*line, COLUMNS="1000"))

        assert (found.kind, found.exit_code) == (kind, code)
        assert found.what.zh != found.what.en


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_command_line_itself_refuses(grade: Grade, command: str) -> None:
    """An option that no command has; where to read more is the next step."""
    found = problem(grade(*command.split(), "--json", "--no-such-option", COLUMNS="1000"))

    assert found.kind == "usage"
    assert "--no-such-option" in found.what.en
    assert found.next_step is not None
    assert f"grade {command} --help" in found.next_step.en


def test_a_broken_course_file_has_a_place(grade: Grade, course: Path) -> None:
    """As an editor finds it."""
    path = write(course / "exercises/01_double/exercise.yaml", BROKEN)

    found = problem(grade("01", "--json", COLUMNS="1000"))

    assert found.kind == "course"
    assert found.place.startswith(f"{path}:")


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (GradeError, "usage", 2), (UsageError, "usage", 2), (IntakeError, "intake", 2),
        (GraderFault, "grader", 3),
    ],
)  # fmt: skip
def test_each_class_of_error_has_its_kind(error: type[GradeError], kind: str, code: int) -> None:
    """Programs tell by it whose fault it was."""
    found = problem_of(error(Text("错", "Wrong"), Text("改", "Mend it")))

    assert (found.kind, found.exit_code) == (kind, code)
    assert (found.what.zh, found.next_step) == ("错", Text("改", "Mend it"))
    assert json.loads(found.line())["place"] == ""


def test_a_fault_of_ours_says_so(grade: Grade, course: Path) -> None:
    """Hidden tests that cannot be collected."""
    write(course / "solutions/01_double/test_hidden.py", "import no_such_module\n")

    done = grade("01", "--json", COLUMNS="1000")

    assert problem(done).kind == ("grader" if done.code == 3 else "course")


def test_without_the_option_there_is_none(grade: Grade) -> None:
    """People get words."""
    assert grade("foo").failed_with(2)
    assert grade("foo", "--", "--json").out == ""


def test_an_interrupt_is_told(course: Path) -> None:
    """Ctrl-C in the middle of a check: 130, as shells have it."""
    write(
        course / "exercises/01_double/double.py", "def double(x):\n    while True:\n        pass\n"
    )
    with subprocess.Popen(
        [*PROGRAM, "01", "--json"], cwd=course, env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as command:  # fmt: skip
        while len(descendants(command.pid)) < 3:
            assert command.poll() is None
            time.sleep(0.02)
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=60)

    assert problem(Done(command.returncode, out, err, "utf-8")).kind == "interrupted"
    assert command.returncode == 130


def test_a_full_disk_is_told_to_the_person(course: Path) -> None:
    """Where nothing can be written to standard output, standard error still says why."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, "--json"], cwd=course, env=environment(), stdin=subprocess.DEVNULL,
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip

    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_while_watching_what_is_amiss_is_a_line(course: Path) -> None:
    """A file that has gone is an object between two reports."""
    path = course / "exercises/01_double/double.py"
    with subprocess.Popen(
        [*PROGRAM, "watch", "01", "--json"], cwd=course, env=environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as command:  # fmt: skip
        assert command.stdout is not None

        def line() -> Any:
            assert command.stdout is not None
            return json.loads(command.stdout.readline())

        assert line()["schema"] == "grade-report/1"
        path.unlink()
        gone = line()
        write(path, "x = 1\n")
        assert line()["schema"] == "grade-report/1"
        command.send_signal(signal.SIGINT)
        command.communicate(timeout=60)

    assert (gone["schema"], gone["kind"]) == ("grade-error/1", "intake")


def test_words_are_in_both_languages(course: Path) -> None:
    """Standard error speaks the person's."""
    done = run_grade(course, "foo", "--json", LANG="zh_CN.UTF-8", COLUMNS="1000")

    assert json.loads(done.out)["what"]["zh"] in done.err
