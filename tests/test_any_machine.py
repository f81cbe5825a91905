"""Linux, macOS and Windows: no Unix outside the modules of its tiers, and every odd console.

Windows itself is not here. A run with everything taken away that Windows lacks comes near.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

import grader
from grader.results import decode_report
from tests.commandline import PROGRAM, Done, Grade, environment, write
from tests.conftest import not_covered
from tests.test_cli import RIGHT

PACKAGE = Path(grader.__file__).parent
# What forks, limits and isolates; none of them is imported where `os.fork` is missing.
UNIX_MODULES = {
    "worker/keeper.py", "worker/forkhooks.py", "worker/loader.py", "worker/system.py",
    "worker/zygote.py",
}  # fmt: skip
# Asked for before it is used: `hasattr(os, "fork")`, `getattr(os, "O_NOFOLLOW", 0)`.
UNIX_IMPORTS = {"resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix"}
UNIX_NAMES = {
    "os": {
        "fork", "forkpty", "wait3", "wait4", "waitstatus_to_exitcode", "setsid", "setpgid",
        "killpg", "getpgid", "setuid", "setgid", "setresuid", "setresgid", "setgroups",
        "getuid", "getgid",
        "mkfifo", "mknod", "chown", "chroot", "nice", "uname", "WNOHANG", "O_NOFOLLOW",
        "O_NONBLOCK", "sched_getaffinity", "unshare", "setns", "pipe2", "posix_spawn",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGKILL", "SIGXCPU", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGSTOP",
        "SIGCONT", "SIGWINCH", "SIGPIPE", "alarm", "setitimer", "pause", "pthread_kill",
        "pthread_sigmask", "sigwait",
    },
    "socket": {"AF_UNIX", "send_fds", "recv_fds", "SCM_RIGHTS", "SO_PEERCRED"},
    "multiprocessing": set(),
}  # fmt: skip
GUARDED = {
    # a tier of Linux alone, whose probe says so
    "sandbox/bubblewrap.py": {"signal.SIGKILL", "signal.SIGSTOP"},
    # only reached with files to hand over, which only `forked` does
    "sandbox/channel.py": {"socket.send_fds"},
    "worker/link.py": {"socket.recv_fds"},
    # in the branch for terminals of Unix; Windows has one of its own there
    "watch/keys.py": {"termios", "tty", "signal.SIGCONT", "signal.pthread_kill"},
}
TO_COPY = "jupyter lab "  # a command is on one line, so that it can be copied
CONSOLES = [("gbk", "zh_CN.UTF-8"), ("ascii", "zh_CN.UTF-8"), ("utf-8", "zh_CN.UTF-8")]


def unix_in(path: Path) -> set[str]:
    """Return what a module uses that Windows lacks."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & UNIX_IMPORTS
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found |= {module} & UNIX_IMPORTS
            found |= {
                f"{module}.{a.name}" for a in node.names if a.name in UNIX_NAMES.get(module, ())
            }
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in UNIX_NAMES.get(node.value.id, ())
        ):
            found.add(f"{node.value.id}.{node.attr}")
    return found


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_unix_stays_in_its_modules(path: Path) -> None:
    """No fork, no resource, no alarm outside the modules that only Unix imports."""
    name = path.relative_to(PACKAGE).as_posix()
    if name in UNIX_MODULES:
        assert unix_in(path), f"{name} needs no exception any more"
        return

    assert unix_in(path) - GUARDED.get(name, set()) == set()


def test_modules_of_unix_are_imported_by_their_own_only() -> None:
    """What every system imports never leads to them at import."""
    names = {f"grader.{name.removesuffix('.py').replace('/', '.')}" for name in UNIX_MODULES}
    names.add("grader.sandbox.forked")
    program = (
        "import sys, grader.cli, grader.grading, grader.doctor, grader.notebook.desk, "
        "grader.commands.grading, grader.worker.spawned; print(*sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    # `system` guards itself; the calls of the others are made below a fork.
    assert names & set(done.stdout.split()) <= {"grader.worker.system"}


class Stripped:
    """Runs the command where what Windows lacks is missing, in the worker as well."""

    PRELUDE = """
import os, signal, socket, sys
for module, names in NAMES.items():
    for name in names:
        vars({"os": os, "signal": signal, "socket": socket}[module]).pop(name, None)
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
for name in ABSENT:
    sys.modules.pop(name, None)
"""

    def __init__(self, folder: Path) -> None:
        # subprocess and numpy use a few of these themselves on Unix.
        kept = {
            "os": {"WNOHANG", "waitstatus_to_exitcode", "uname"},
            "signal": {"SIGKILL"},
            "socket": {"AF_UNIX"},
        }
        names = {
            module: sorted(UNIX_NAMES[module] - kept.get(module, set()))
            for module in ("os", "signal", "socket")
        }
        absent = sorted(UNIX_IMPORTS - {"posix", "fcntl"})  # the interpreter's own, tempfile's
        prelude = f"NAMES = {names!r}\nABSENT = {absent!r}\n{self.PRELUDE}"
        self.prelude = write(folder / "stripped/prelude.py", prelude)
        shim = write(
            folder / "stripped/python",
            "#!/bin/sh\nstart=$4\nshift 4\n"
            f"exec '{sys.executable}' -I -B -c \"exec(open('{self.prelude}').read())\n"
            '$start" "$@"\n',
        )
        shim.chmod(0o755)
        self.program = [
            sys.executable, "-c",
            f"exec(open({str(self.prelude)!r}).read())\n"
            f"import sys; sys.executable = {str(shim)!r}; sys.argv[0] = 'grade'\n"
            "from grader.cli import main; main()",
        ]  # fmt: skip

    def run(self, cwd: Path, *words: str, **variables: str) -> Done:
        """Run the command; nothing is on the path, so no bubblewrap either."""
        done = subprocess.run(
            [*self.program, *words], cwd=cwd, env=environment(PATH="/nowhere", **variables),
            capture_output=True, timeout=180, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr, "utf-8")


@pytest.fixture
def stripped(tmp_path: Path) -> Stripped:
    if os.name != "posix":
        not_covered("this machine is the real thing")
    return Stripped(tmp_path)


class TestWithoutUnix:
    def test_an_answer_is_graded(self, stripped: Stripped, course: Path) -> None:
        """On the spawn tier, chosen by itself, and the result says what it does not limit."""
        write(course / "exercises/01_double/double.py", RIGHT)

        done = stripped.run(course, "01", "02", "--json")

        report = decode_report(done.out)
        first, second = report.exercises
        assert first.passed, done.err
        assert not second.passed
        assert first.sandbox is not None
        assert first.sandbox.tier == "spawn"
        assert "Memory" in first.sandbox.why.en
        assert done.code == 1

    def test_doctor_explains(self, stripped: Stripped, course: Path) -> None:
        """Which tiers are not here, and that the trial went well."""
        done = stripped.run(course, "doctor", COLUMNS="200")

        assert done.code == 0, done.out + done.err
        assert "process [not here] This system has no fork()." in done.out
        assert "spawn [in use]" in done.out
        assert "are not limited" in done.out

    def test_the_other_commands_work(self, stripped: Stripped, course: Path) -> None:
        """Dashboard, hints, the file to hand in."""
        assert stripped.run(course).code == 0
        assert stripped.run(course, "hint", "01").code == 0
        assert stripped.run(course, "submit").code == 0
        assert stripped.run(course, "check", "--jobs", "1", "--help").code == 0


class TestConsoles:
    @pytest.mark.parametrize(("encoding", "locale"), CONSOLES, ids=[c[0] for c in CONSOLES])
    @pytest.mark.parametrize("words", [["submit"], ["notebook", "01"], ["submit", "--help"]])
    def test_every_console_shows_it(
        self, grade: Grade, words: list[str], encoding: str, locale: str
    ) -> None:
        """In 60 columns, without colour, whatever the console can encode."""
        done = grade(
            *words, encoding=encoding, LANG=locale, PYTHONIOENCODING=encoding, COLUMNS="60",
            NO_COLOR="1",
        )  # fmt: skip

        assert done.code == 0, done.err
        assert "Traceback" not in done.err
        assert "\x1b" not in done.out
        if (encoding, words[-1]) != ("ascii", "--help"):  # click writes UTF-8 there
            lines = done.out.splitlines()
            assert max(cell_len(line) for line in lines if not line.startswith(TO_COPY)) <= 60
        if encoding != "ascii":
            assert re.search("[\u4e00-\u9fff]", done.out)

    def test_crlf_answers_are_handed_in_as_they_are(self, grade: Grade, course: Path) -> None:
        """An answer that differs from the stub by its line ends alone is not started."""
        path = course / "exercises/01_double/double.py"
        stub = path.read_bytes().replace(b"\r\n", b"\n")
        path.write_bytes(stub.replace(b"\n", b"\r\n"))

        assert "01 Double: not started, left out" in grade("submit").out

    def test_a_read_only_course_can_still_be_handed_in(self, course: Path, tmp_path: Path) -> None:
        """One message that names the way out, and the way out works."""
        write(course / "exercises/01_double/double.py", RIGHT)
        if os.geteuid() == 0:  # no mode binds root
            bind = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(course), str(course)]
            if subprocess.run([*bind, "true"], check=False, capture_output=True).returncode != 0:
                not_covered("root without bwrap cannot make a folder read-only")
        else:
            bind = []
            course.chmod(0o555)

        def submit(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [*bind, *PROGRAM, "submit", *words], cwd=course, env=environment(), text=True,
                capture_output=True, check=False,
            )  # fmt: skip

        refused, done = submit(), submit("--output", str(tmp_path / "x.zip"))

        assert refused.returncode == 2
        assert "--output FILE" in refused.stderr
        assert done.returncode == 0
        assert (tmp_path / "x.zip").is_file()
