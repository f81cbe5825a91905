"""``grade watch``: one grading for every save, single keys, and nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from grader.progress import Attempt, Store
from grader.results import Outcome, decode_report
from grader.watch import Changes, ended_by_signals
from tests.commandline import PROGRAM, descendants, environment, gone, write
from tests.terminals import Terminal

ANSWER = "exercises/01_double/double.py"
RIGHT = "def double(x):\n    return 2 * x\n\n\ndef greet(name, mark='!'):\n    return name + mark\n"
WRONG = RIGHT.replace("2 * x", "3 * x")
ENDLESS = "def double(x):\n    while True:\n        pass\n"
KEYS = "Watching double.py. Keys:"


# --- what counts as a save -----------------------------------------------------------------------


def written(path: Path) -> None:
    """Write over the file, as simple editors do."""
    path.write_text("two")


def in_pieces(path: Path) -> None:
    """Empty it first and write in small pieces."""
    with path.open("w") as file:
        for piece in "two":
            file.flush()
            time.sleep(0.01)
            file.write(piece)


def renamed(path: Path) -> None:
    """Write another file and rename it, as careful editors do."""
    path.with_suffix(".tmp").write_text("two")
    path.with_suffix(".tmp").replace(path)


def moved_away(path: Path) -> None:
    """Rename the old file to a backup, then write a new one, as vim does; change its mode, too."""
    path.replace(path.with_suffix(".py~"))
    path.write_text("two")
    path.chmod(0o644)
    path.with_suffix(".py~").unlink()


def made_again(path: Path) -> None:
    """Delete and create."""
    path.unlink()
    time.sleep(0.02)
    path.write_text("two")


def the_same(path: Path) -> None:
    """Save an unchanged text once more: who saves wants to see a verdict."""
    path.write_text(path.read_text())


class Saves:
    """Counts the saves of a file."""

    def __init__(self, path: Path, *, notify: bool) -> None:
        self.count = 0
        self._came = threading.Semaphore(0)
        # Long enough that a busy machine does not end a save in its middle.
        self.changes = Changes(path, self._on_save, notify=notify, settle_s=0.5, settle_empty_s=1.5)

    def _on_save(self) -> None:
        self.count += 1
        self._came.release()

    def wait(self) -> None:
        """Wait for one."""
        assert self._came.acquire(timeout=60)

    def stay_at(self, count: int) -> bool:
        """Return whether no more come within a while."""
        time.sleep(2.5)
        return self.count == count


@pytest.fixture(params=[True, False], ids=["notified", "looking"])
def saves(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Saves]:
    """The saves of one file, in a folder whose name is no plain ASCII."""
    path = write(tmp_path / "我的 作业/answer.py", "one")
    found = Saves(path, notify=request.param)
    with found.changes:
        yield found


class TestChanges:
    @pytest.mark.parametrize(
        "save", [written, in_pieces, renamed, moved_away, made_again, the_same]
    )
    def test_every_way_to_save_is_one_save(
        self, saves: Saves, save: Callable[[Path], None]
    ) -> None:
        """However many things happen to the disk; and the next one is noticed as well."""
        for count in (1, 2):
            save(saves.changes.path)
            saves.wait()

            assert saves.stay_at(count)

    def test_what_is_no_save_is_none(self, saves: Saves) -> None:
        """Another file beside it, another mode, somebody reading."""
        path = saves.changes.path
        path.with_name("other.py").write_text("x")
        path.chmod(0o600)
        path.read_text()

        assert saves.stay_at(0)

    def test_a_file_that_has_gone_is_told_once_and_its_return_too(self, saves: Saves) -> None:
        """Also when its folder goes and comes back."""
        path = saves.changes.path
        path.unlink()
        saves.wait()
        path.write_text("two")
        saves.wait()
        shutil.rmtree(path.parent)
        saves.wait()
        write(path, "three")
        saves.wait()

        assert saves.stay_at(4)

    def test_it_ends_when_it_is_closed(self, tmp_path: Path) -> None:
        """No thread is left."""
        before = threading.active_count()

        with Changes(write(tmp_path / "a.py", ""), lambda: None):
            assert threading.active_count() > before

        assert threading.active_count() == before


# --- the command ---------------------------------------------------------------------------------


def attempts(course: Path) -> list[Attempt]:
    """Return what is recorded of the first exercise."""
    return Store(course).history().of("exercise", "01_double").attempts


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_who_was_started_to_outlive_the_terminal_does() -> None:
    """As ``nohup`` starts it; what was there before is there afterwards."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals() as ended:
            signal.raise_signal(signal.SIGHUP)

        assert ended == []
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with pytest.raises(KeyboardInterrupt), ended_by_signals() as ended:
            signal.raise_signal(signal.SIGHUP)
        assert ended == [signal.SIGHUP]
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


class TestKeys:
    def test_a_save_is_graded_and_keys_do_what_they_say(self, course: Path) -> None:
        """Hint, overview, the stub again (only after yes), grade again, next, quit."""
        write(course / ANSWER, WRONG)
        with Terminal(course, "watch", "01") as terminal:
            failed = terminal.expect(KEYS)
            assert "[failed]" in failed
            assert "Next hint: press h (hint 1 of 3)" in failed
            assert terminal.reads_single_keys
            write(course / ANSWER, RIGHT)
            passed = terminal.expect(KEYS)
            terminal.type("h")
            hint = terminal.expect(KEYS)
            terminal.type("l")
            overview = terminal.expect(KEYS)
            terminal.type("rx")
            terminal.expect("Nothing was changed.")
            kept = (course / ANSWER).read_text()
            terminal.type("ry")
            terminal.expect("the stub is back")
            again = terminal.expect(KEYS)
            terminal.type("\r")
            terminal.expect(KEYS)
            terminal.type("n")
            following = terminal.expect("Watching indices.py. Keys:")
            terminal.type("q")

            assert terminal.wait() == 0
            assert terminal.as_before
        assert "Exercise 01 is done." in passed
        assert "Next: 02 Indices" in passed
        assert "hint 1 of 3" in hint
        assert "[done] Double" in overview
        assert kept == RIGHT
        assert "[not started]" in again
        assert "02 Indices: 0 of" in following
        assert [attempt.passed for attempt in attempts(course)] == [False, True]

    def test_arrow_keys_and_unknown_ones_do_nothing(self, course: Path) -> None:
        """A slip of the finger starts nothing."""
        with Terminal(course, "watch", "01") as terminal:
            terminal.expect(KEYS)
            terminal.type("\x1b[A")
            time.sleep(0.3)
            terminal.type("x?é")
            terminal.type("ｈ")  # as a Chinese keyboard writes it

            assert "not started" not in terminal.expect("hint 1 of 3")

    def test_without_a_word_it_starts_at_the_next_step(self, course: Path) -> None:
        """The one that the overview names."""
        write(course / ANSWER, RIGHT)
        subprocess.run([*PROGRAM, "01"], cwd=course, env=environment(), check=True)

        with Terminal(course, "watch") as terminal:
            terminal.expect("Watching indices.py. Keys:")

    def test_a_file_elsewhere_is_watched_and_never_replaced(self, course: Path) -> None:
        """Answers may lie anywhere; the stub goes back into the course's folder only."""
        mine = write(course.parent / "my answers/double.py", WRONG)
        own = (course / ANSWER).read_bytes()
        with Terminal(course, "watch", str(mine)) as terminal:
            assert "[failed]" in terminal.expect(KEYS)
            terminal.type("ry")
            terminal.expect("is not the course's own file")
            write(mine, RIGHT)
            assert "Exercise 01 is done." in terminal.expect(KEYS)

        assert (course / ANSWER).read_bytes() == own
        assert mine.read_text() == RIGHT

    def test_a_file_that_has_gone_is_waited_for(self, course: Path) -> None:
        """Deleted and written again."""
        with Terminal(course, "watch", "01") as terminal:
            terminal.expect(KEYS)
            (course / ANSWER).unlink()
            terminal.expect("double.py is not there")
            terminal.expect(KEYS)
            write(course / ANSWER, RIGHT)

            assert "Exercise 01 is done." in terminal.expect(KEYS)

    def test_what_cannot_be_taken_in_is_said_and_watching_goes_on(self, course: Path) -> None:
        """A broken file is a verdict, and the next save is graded."""
        write(course / ANSWER, "def double(x:\n")
        with Terminal(course, "watch", "01") as terminal:
            assert "[syntax error]" in terminal.expect(KEYS)
            write(course / ANSWER, RIGHT)

            assert "Exercise 01 is done." in terminal.expect(KEYS)


class TestEnd:
    @pytest.mark.parametrize("way", ["q", "\x03", "SIGTERM", "SIGHUP", "error", "closed"])
    def test_nothing_is_left(self, course: Path, tmp_path: Path, way: str) -> None:
        """No process and no file, however it ends, and the terminal is as it was."""
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        with Terminal(course, "watch", "01", TMPDIR=str(scratch)) as terminal:
            terminal.expect(KEYS)
            below = descendants(terminal.program.pid)
            assert below
            if way == "closed":
                terminal.hang_up()
                code = terminal.program.wait(timeout=60)
            else:
                if way == "error":
                    write(course / "solutions/02_indices/test_hidden.py", "import no_such_module\n")
                    terminal.type("n")
                elif way.startswith("SIG"):
                    terminal.program.send_signal(getattr(signal, way))
                else:
                    terminal.type(way)
                code = terminal.wait()
                assert terminal.as_before
            assert gone(below)

        wanted = {"SIGTERM": 143, "SIGHUP": 129, "closed": 129, "error": 2}
        assert code == wanted.get(way, 0)
        assert "Traceback (most recent" not in terminal.seen
        assert list(scratch.iterdir()) == []

    @pytest.mark.parametrize("key", ["q", "\x03"])
    def test_an_endless_loop_keeps_nobody(self, course: Path, key: str) -> None:
        """Quitting does not wait for a check to run out of time."""
        path = course / "exercises/01_double/exercise.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "limits: {check_cpu_s: 900, check_wall_s: 900, submission_s: 900}\n")
        with Terminal(course, "watch", "01") as terminal:
            terminal.expect(KEYS)
            write(course / ANSWER, ENDLESS)
            below = _wait_for_check(terminal.program.pid)
            terminal.type(key)

            assert terminal.wait() == 0
            assert terminal.as_before
            assert gone(below)

    def test_stopped_and_continued_it_goes_on(self, course: Path) -> None:
        """Ctrl-Z gives the terminal back; afterwards keys work again, and so does the next one."""
        with Terminal(course, "watch", "01", below_shell=True) as terminal:
            terminal.expect(KEYS)
            for _ in range(2):
                terminal.type("\x1a")
                terminal.expect("the shell says: stopped")
                assert terminal.as_before
                terminal.type("a line\n")
                _until(lambda: terminal.reads_single_keys)
            terminal.type("h")
            terminal.expect("hint 1 of 3")
            terminal.type("q")

            assert terminal.wait() == 0
            assert terminal.as_before

    def test_where_nobody_could_continue_it_it_does_not_stop(self, course: Path) -> None:
        """As the only program of a terminal; keys go on working."""
        with Terminal(course, "watch", "01") as terminal:
            terminal.expect(KEYS)
            terminal.type("\x1a")
            terminal.type("h")
            terminal.expect("hint 1 of 3")

            assert terminal.reads_single_keys


class TestWithoutTerminal:
    @pytest.fixture
    def watching(self, course: Path) -> Iterator[subprocess.Popen[str]]:
        """The command, printing JSON, with nothing to read from."""
        write(course / ANSWER, WRONG)
        with subprocess.Popen(
            [*PROGRAM, "watch", "01", "--json"], cwd=course, env=environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        ) as command:  # fmt: skip
            yield command
            command.kill()

    def test_every_save_is_one_line_of_json(
        self, watching: subprocess.Popen[str], course: Path
    ) -> None:
        """For editors: a report a line, until Ctrl-C."""
        assert watching.stdout is not None
        first = _report_line(watching.stdout)
        write(course / ANSWER, RIGHT)
        second = _report_line(watching.stdout)
        below = descendants(watching.pid)
        watching.send_signal(signal.SIGINT)
        out, err = watching.communicate(timeout=60)

        assert Outcome.FAILED.value in first
        assert set(second) == {"passed"}
        assert (watching.returncode, out, err) == (0, "", "")
        assert gone(below)

    def test_text_needs_no_terminal_either(self, course: Path) -> None:
        """No keys are offered and the screen is not cleared."""
        with subprocess.Popen(
            [*PROGRAM, "watch", "01"], cwd=course, env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        ) as command:  # fmt: skip
            assert command.stdout is not None
            lines = list(iter(command.stdout.readline, "Watching double.py. Ctrl-C ends.\n"))
            command.send_signal(signal.SIGINT)
            command.communicate(timeout=60)

        assert command.returncode == 0
        assert any("[not started]" in line for line in lines)
        assert "\x1b" not in "".join(lines)


def _report_line(stream: IO[str]) -> list[str]:
    report = decode_report(json.dumps(json.loads(stream.readline())))
    return [check.outcome.value for check in report.exercises[0].checks]


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def _wait_for_check(pid: int) -> list[int]:
    """Wait until a process below ``pid`` computes without end; return all below."""
    ticks = os.sysconf("SC_CLK_TCK")

    def busy(below: int) -> bool:
        try:
            fields = Path(f"/proc/{below}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False
        return int(fields[11]) + int(fields[12]) > ticks // 2 and not descendants(below)

    before = {below for below in descendants(pid) if busy(below)}
    _until(lambda: any(busy(below) and below not in before for below in descendants(pid)))
    return descendants(pid)
