"""The command itself, as a person starts it: real processes, real files, every odd terminal.

Whatever goes wrong, a person gets one clear message and no traceback.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from grader.results import Outcome, Report, decode_report
from tests.commandline import PROGRAM, Grade, descendants, environment, gone, write
from tests.conftest import not_covered

RIGHT = "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"
SLOW = "import time\n\n\ndef double(x):\n    time.sleep(60)\n"


def edit(course: Path, old: str, new: str) -> None:
    """Replace a text in the description of the first exercise."""
    path = course / "exercises/01_double/exercise.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


class TestUsage:
    def test_no_arguments_lists_the_exercises(self, grade: Grade) -> None:
        """Number, title and state of each, and what to start with; nothing is graded."""
        done = grade()

        assert done.code == 0
        assert "A tiny course" in done.out
        assert "02 [not started] Indices (5 min)" in done.out
        assert "grade exercises/01" in done.out

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["exercises/99"], "Nothing to grade is called exercises/99."),
            (["nowhere.py"], "Nothing to grade is called nowhere.py."),
            (["exercises/01_duoble"], "Did you mean 01_double?"),
            ([".."], "holds no file of this course"),
            (["x" * 5000], "Nothing to grade"),
            ([b"\xc4\xe3.py"], "Nothing to grade"),
            (["--sandbox", "bubblewarp", "01"], "no sandbox called bubblewarp"),
            (["--lang", "fr", "01"], "fr"),
            (["--no-such-option", "01"], "--no-such-option"),
            (["--course", "nowhere", "01"], "nowhere"),
            (["--course", "solutions/01_double/double.py", "01"], "double.py"),
        ],
        ids=["number", "file", "slip", "folder", "long", "bytes", "sandbox", "language", "option",
             "no course", "file for course"],
    )  # fmt: skip
    def test_a_slip_is_one_message(self, grade: Grade, words: list[str], said: str) -> None:
        """Exit code 2, one message on stderr, nothing on stdout."""
        assert said in grade(*words).failed_with(2)

    def test_outside_a_course_there_is_a_way_in(self, grade: Grade, tmp_path: Path) -> None:
        """The message says what to do."""
        assert "--course" in grade("01", cwd=tmp_path).failed_with(2)
        assert "--course" in grade(cwd=tmp_path).failed_with(2)

    @pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["doctor", "-h"]])
    def test_help_needs_no_course(self, grade: Grade, tmp_path: Path, words: list[str]) -> None:
        """Anywhere, in either language."""
        english, chinese = grade(*words, cwd=tmp_path), grade("--lang=zh", *words, cwd=tmp_path)

        assert english.code == chinese.code == 0
        assert "Language of what is shown." in english.out
        assert "Language of what is shown." not in chinese.out

    @pytest.mark.parametrize("named", ["C", "zh_CN.UTF-8"])
    def test_the_doctor_names_the_locale_that_was_asked_for(self, grade: Grade, named: str) -> None:
        """And the variable that names it, not what the C library made of it."""
        assert f"LANG={named}" in grade("doctor", "--sandbox", "process", LANG=named).out

    def test_the_version_is_shown(self, grade: Grade) -> None:
        """One line."""
        assert grade("--version").out.startswith("grade 0.")


class TestBrokenCourse:
    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("minutes: 5\n", "minutes: 5\nminutes: 6\n", "exercise.yaml:4: The key `minutes`"),
            ("minutes: 5\n", "minuts: 5\n", "Did you mean `minutes`?"),
            ("minutes: 5\n", "minutes: soon\n", "exercise.yaml:3: `minutes` has the wrong type"),
            ("minutes: 5\n", "", "The field `minutes` is missing here."),
            ("minutes: 5\n", "minutes: [5\n", "not valid YAML"),
            ("minutes: 5\n", "minutes: !!python/name:os.system x\n", "not valid YAML"),
        ],
        ids=["twice", "unknown", "type", "missing", "syntax", "tag"],
    )
    def test_a_broken_file_is_one_message(
        self, grade: Grade, course: Path, old: str, new: str, said: str
    ) -> None:
        """File, line, what is wrong, what to write instead; other exercises still work."""
        edit(course, old, new)

        assert said in " ".join(grade("01", COLUMNS="400").failed_with(2).split())
        assert grade("exercises/99").failed_with(2)

    def test_a_broken_hidden_test_is_one_message(self, grade: Grade, course: Path) -> None:
        """Named with its file; no point is lost by it."""
        write(course / "solutions/01_double/test_hidden.py", "import no_such_module\n")

        done = grade("01", COLUMNS="400")

        assert done.code == 2
        assert done.out == ""
        assert "test_hidden.py: This test file cannot be imported" in done.err
        assert "no_such_module" in done.err
        assert "grader/" not in done.err


class TestGrading:
    def test_exit_codes(self, grade: Grade, course: Path) -> None:
        """0 all passed, 1 something not passed (by far the most tests here), 3 a fault of ours."""
        right = write(course.parent / "a/double.py", RIGHT)
        fault = write(course.parent / "b/faulty.py", "def faulty(n):\n    return n\n")

        assert grade(str(right)).code == 0
        assert grade(str(fault)).code == 3

    def test_json_is_a_report(self, grade: Grade, course: Path) -> None:
        """One document on stdout that decodes, of all exercises, and nothing on stderr."""
        write(course / "exercises/01_double/double.py", RIGHT)

        done = grade("exercises", "--json")

        report = decode_report(done.out)
        assert isinstance(report, Report)
        assert report.exercises[0].exercise == "01_double"
        assert [result.passed for result in report.exercises] == [True, False, False, False]
        assert json.loads(done.out)["schema"] == "grade-report/1"
        assert done.err == ""
        assert done.code == report.exit_code == 3

    def test_language_goes_before_or_after_the_target(self, grade: Grade) -> None:
        """In either place; the later one wins."""
        chinese_words = [
            ["--lang", "zh", "99"],
            ["--lang=zh", "99"],
            ["--lang", "en", "99", "--lang", "zh"],
        ]
        english_words = [
            ["99", "--lang", "en"],
            ["99", "--lang=en"],
            ["--lang", "zh", "99", "--lang", "en"],
        ]

        chinese, english = (
            {grade(*words).err for words in group} for group in (chinese_words, english_words)
        )

        assert len(chinese) == len(english) == 1
        assert "Nothing to grade is called 99." in english.pop()
        assert "Nothing" not in chinese.pop()

    @pytest.mark.parametrize(
        ("source", "encoding", "said"),
        [
            ("# 两倍\n" + RIGHT, "gbk", "double.py was read as GB18030"),
            (RIGHT.replace("(x):", "（x):"), "utf-8", "is “（” (U+FF08)"),
        ],
        ids=["gbk", "full-width"],
    )
    def test_what_chinese_editors_do_is_understood(
        self, grade: Grade, tmp_path: Path, source: str, encoding: str, said: str
    ) -> None:
        """Another encoding is read, a full-width sign is named; in a folder with spaces."""
        path = write(tmp_path / "我的 作业 (2)/double.py", source, encoding)

        done = grade(str(path), COLUMNS="200")

        assert said in done.out
        assert "Traceback" not in done.out + done.err
        assert done.code == (0 if encoding == "gbk" else 1)

    def test_a_course_in_a_chinese_folder_with_spaces(
        self, grade: Grade, course: Path, tmp_path: Path
    ) -> None:
        """Every path of the course may hold anything a file system allows."""
        moved = tmp_path / "课程 2026 'a'"
        course.rename(moved)

        done = grade("01", cwd=moved)

        assert done.code == 1
        assert "[not started]" in done.out

    def test_a_read_only_course_is_graded(self, course: Path) -> None:
        """Nothing has to be written where the course lies."""
        write(course / "exercises/02_indices/indices.py", "def indices(n):\n    return [7] * n\n")
        command = [*PROGRAM, "02", "--json", "--sandbox", "process"]
        if os.geteuid() == 0:  # no mode binds root
            if shutil.which("bwrap") is None:
                not_covered("root without bwrap cannot make a folder read-only")
            bind = ["--dev-bind", "/", "/", "--ro-bind", str(course), str(course)]
            command = ["bwrap", *bind, *command]
        else:
            for path in [course, *course.rglob("*")]:
                path.chmod(path.stat().st_mode & ~0o222)

        done = subprocess.run(
            command, cwd=course, env=environment(), capture_output=True, timeout=120, check=False
        )

        assert done.returncode == 1, done.stderr
        outcomes = {check.outcome for check in decode_report(done.stdout).exercises[0].checks}
        assert Outcome.FAILED in outcomes
        assert not (course / ".grade").exists()


class TestTerminals:
    @pytest.mark.parametrize(
        ("variables", "encoding", "said"),
        [
            ({"LANG": "C", "PYTHONUTF8": "0"}, "utf-8", "[not started]"),
            ({"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "gbk"}, "gbk", "[未开始]"),
            ({"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "ascii"}, "ascii", "[???]"),
        ],
        ids=["C", "gbk", "ascii"],
    )
    def test_every_console_is_written_to(
        self, grade: Grade, variables: dict[str, str], encoding: str, said: str
    ) -> None:
        """What a console cannot show is replaced, and the run goes on to its end."""
        done = grade("01", encoding=encoding, **variables)

        assert done.code == 1
        assert said in done.out
        assert "Traceback" not in done.out + done.err

    def test_json_is_utf8_on_every_console(self, course: Path) -> None:
        """What a program reads does not depend on the console."""
        variables = environment(LANG="zh_CN.UTF-8", PYTHONIOENCODING="ascii")

        done = subprocess.run(
            [*PROGRAM, "01", "--json"], cwd=course, env=variables, capture_output=True, check=False
        )

        assert decode_report(done.stdout).course.zh == "小课程"
        assert done.stderr == b""

    @pytest.mark.parametrize("encoding", ["ascii", "gbk"])
    def test_errors_and_help_are_written_to_every_console(
        self, grade: Grade, encoding: str
    ) -> None:
        """Also what comes before any report."""
        variables = {"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": encoding}

        for words, code in ((["exercises/99"], 2), (["--help"], 0), (["--lang", "fr"], 2), ([], 0)):
            done = grade(*words, encoding=encoding, **variables)

            assert done.code == code
            assert "Traceback" not in done.err

    def test_forty_columns_are_enough(self, grade: Grade) -> None:
        """Nothing is wider than the terminal says it is; a Chinese character takes two columns."""
        done = grade("01", COLUMNS="40", LANG="zh_CN.UTF-8")

        assert max(map(cell_len, done.out.splitlines())) <= 40
        assert "[未开始]" in done.out

    @pytest.mark.parametrize("words", [[], ["01", "--json"], ["--help"]])
    def test_a_reader_that_has_gone_is_no_error(self, course: Path, words: list[str]) -> None:
        """As in ``grade | head -1``: no message, no traceback."""
        read_end, write_end = os.pipe()
        os.close(read_end)

        done = subprocess.run(
            [*PROGRAM, *words], cwd=course, env=environment(), stdout=write_end,
            stderr=subprocess.PIPE, timeout=120, check=False,
        )  # fmt: skip
        os.close(write_end)

        assert done.stderr == b""
        assert done.returncode in (141, 1)  # click itself ends with 1 when its help is not read

    @pytest.mark.parametrize("words", [[], ["01", "--json"]])
    def test_a_full_disk_is_one_message(self, course: Path, words: list[str]) -> None:
        """Output that cannot be written is no success."""
        if not Path("/dev/full").exists():
            not_covered("no /dev/full")
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*PROGRAM, *words], cwd=course, env=environment(), stdout=full,
                stderr=subprocess.PIPE, timeout=120, check=False, text=True,
            )  # fmt: skip

        assert "Traceback" not in done.stderr
        assert done.stderr.count("Error:") == 1
        assert done.returncode == 2

    def test_no_standard_output_at_all(self, course: Path) -> None:
        """Started with stdout closed, as by some schedulers: no traceback."""
        done = subprocess.run(
            ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM], cwd=course, env=environment(),
            stderr=subprocess.PIPE, timeout=120, check=False,
        )  # fmt: skip

        assert done.stderr == b""
        assert done.returncode == 0


class TestInterrupt:
    @pytest.mark.parametrize("tier", ["strongest", "process"])
    def test_ctrl_c_leaves_nothing(self, course: Path, tier: str) -> None:
        """In the middle of a check: one line, exit code 130, no process and no folder left."""
        answer = write(course.parent / "slow/double.py", SLOW)
        scratch = course.parent / "scratch"
        scratch.mkdir()
        words = [str(answer), *(["--sandbox", tier] if tier == "process" else [])]
        with subprocess.Popen(
            [*PROGRAM, *words], cwd=course, env=environment(TMPDIR=str(scratch)),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as command:  # fmt: skip
            below = _wait_for_check(command.pid)
            command.send_signal(signal.SIGINT)
            out, err = command.communicate(timeout=30)

        assert command.returncode == 130
        assert out == ""
        assert err.strip() == "Interrupted; nothing was lost."
        assert gone(below)
        assert list(scratch.iterdir()) == []

    def test_ctrl_c_at_the_start_leaves_nothing(self, course: Path) -> None:
        """While everything is still being imported."""
        with subprocess.Popen(
            [*PROGRAM, "01"], cwd=course, env=environment(), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as command:  # fmt: skip
            while not descendants(command.pid) and command.poll() is None:
                time.sleep(0.01)
            below = descendants(command.pid)
            command.send_signal(signal.SIGINT)
            _, err = command.communicate(timeout=30)

        assert command.returncode == 130
        assert "Traceback" not in err
        assert gone(below)


def _wait_for_check(pid: int) -> list[int]:
    """Wait until a check's process runs: four or more below the command, the same for a second."""
    end = time.monotonic() + 60
    below: list[int] = []
    while time.monotonic() < end:
        before, below = below, descendants(pid)
        if len(below) >= 4 and below == before:
            return below
        time.sleep(1)
    raise AssertionError(f"no check was started below {pid}")
