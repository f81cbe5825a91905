"""Every folder here is a hostile or broken submission and what has to become of it.

A row is ``<name>/expected.yaml`` beside the files handed in; none is listed anywhere. All rows of
one tier, exercise and set of limits go through one warm worker in one batch, an honest submission
between every few of them, the way a class is graded. What each left behind is looked at before the
next one starts.
"""

from __future__ import annotations

import fnmatch
import io
import multiprocessing
import os
import shutil
import sys
import sysconfig
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import yaml

from grader.course import Course, Exercise, load_course
from grader.discretion import EVERYBODYS
from grader.errors import GradeError
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import Submission, submission_from_source, take_in
from grader.report import Screen, show_report
from grader.results import ExerciseResult, Limits, Outcome
from grader.sandbox import Zygote, choose
from grader.scoring import make_report
from tests.conftest import not_covered

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TIERS = ("bubblewrap", "process", "spawn")
QUICK = {"check_cpu_s": 1, "memory_mib": 512}
NEIGHBOUR_EVERY = 8
TEMPORARY = "hostile-"  # how the temporary folder's name begins
VARIABLE = "GRADE_TEST_VARIABLE"  # of the grader's own; no result may show it
GROWTH_MOST_MIB = 700  # of the trusted process while it grades one submission
SPAWNED_S = 600  # where each check that fails costs the start of an interpreter with torch
# No CPU time is limited there, so a loop runs until the clock ends it; an honest answer takes
# milliseconds.
SPAWNED = {"submission_s": SPAWNED_S, "check_wall_s": 5}
SETTLE_S = 5.0  # for the kernel to take down what a session left
TEXT_MOST = 600_000  # characters of one result as JSON; each check may show 16 KiB of output

Outcomes = Outcome | list[Outcome]
Made = Literal["symlink", "fifo", "folder", "nothing", "huge_file", "huge_neighbours", "odd_names"]


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What has to become of one submission.

    Attributes:
        row: the row of the list of hostile submissions that this one stands for.
        exercise: whose submission it is.
        outcome: of every check that is not skipped; or by the check's name, "*" for the others.
        most_points: it may earn; ``least_points`` are what its honest part deserves.
        seconds: ceiling for grading it.
        tier: the lowest tier that has to hold.
        flagged: whether the instructor has to find a note.
        said: part of an English message or notice.
        unsaid: what may stand nowhere in the result.
        limits: other limits than the quick ones used here.
        default_limits: use the exercise's own limits.
        made: what the test adds to the folder, as no repository can hold it.
        not_spawned: why the spawn tier cannot hold, though it has to on every system.
    """

    row: str
    exercise: Literal["03_implement_forward", "04_fix_slicing_bug", "05_register_buffer"]
    outcome: Outcomes | dict[str, Outcomes]
    most_points: float
    least_points: float = 0.0
    seconds: float
    tier: Literal["process", "bubblewrap"]
    flagged: bool = False
    said: str = ""
    unsaid: str | list[str] = []
    limits: dict[str, int] = {}
    default_limits: bool = False
    made: Made | None = None
    not_spawned: str = ""


@dataclass(frozen=True)
class Row:
    """One folder."""

    name: str
    folder: Path
    expected: Expected

    @property
    def limits(self) -> dict[str, int]:
        """The limits that differ from the exercise's own."""
        return {} if self.expected.default_limits else QUICK | self.expected.limits


@dataclass
class Graded:
    """What became of one submission, and what it left behind."""

    result: ExerciseResult
    in_class: ExerciseResult
    processes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    mounts: list[str] = field(default_factory=list)
    open_files: int = 0
    growth_mib: int = 0
    neighbour: ExerciseResult | None = None


def read_rows() -> list[Row]:
    """Return every row, in the order of their names."""
    return [
        Row(
            path.parent.name,
            path.parent,
            msgspec.convert(yaml.safe_load(path.read_text("utf-8")), Expected),
        )
        for path in sorted(HERE.glob("*/expected.yaml"))
    ]


ROWS = read_rows()
CASES = [
    pytest.param(row, tier, id=f"{tier}-{row.name}")
    for tier in TIERS
    for row in ROWS
    if tier == "bubblewrap"
    or (row.expected.tier == "process" and (tier == "process" or not row.expected.not_spawned))
]


def test_every_folder_is_a_row():
    """A folder without an ``expected.yaml`` would be tested by nobody."""
    folders = {path.name for path in HERE.iterdir() if path.is_dir() and path.name[0] not in "._"}

    assert folders == {row.name for row in ROWS}


# --- grading ------------------------------------------------------------------------------------


class BothModes(ExerciseGrader):
    """Applies both policies to what was seen: the result in practice and the one in a class."""

    def __init__(self, course: Course, exercise: Exercise, zygote: Zygote, facts: Any) -> None:
        super().__init__(with_mode(course, "practice"), exercise, zygote, facts)
        self.strict = ExerciseGrader(with_mode(course, "class"), exercise, zygote, facts)
        self.in_class: list[ExerciseResult] = []

    def _result(self, *seen: Any) -> ExerciseResult:
        self.strict._bank = self.bank
        self.in_class.append(self.strict._result(*seen))
        return super()._result(*seen)


def with_mode(course: Course, mode: str) -> Course:
    policy = msgspec.structs.replace(course.file.policy, mode=mode)
    return msgspec.structs.replace(course, file=msgspec.structs.replace(course.file, policy=policy))


def with_limits(exercise: Exercise, changes: dict[str, int]) -> Exercise:
    limits: Limits = msgspec.structs.replace(exercise.file.limits, **changes)
    return msgspec.structs.replace(
        exercise, file=msgspec.structs.replace(exercise.file, limits=limits)
    )


class Batch:
    """Grades rows of one exercise and one set of limits one after another."""

    def __init__(
        self, zygote: Zygote, world: World, rows: list[Row], limits: dict[str, int]
    ) -> None:
        course = load_course(ROOT, only=[rows[0].expected.exercise])
        self.exercise = with_limits(course.exercises[0], limits)
        self.grader = BothModes(
            course, self.exercise, zygote, sandbox_facts(zygote, choose("process")[1])
        )
        self.honest = submission_from_source(self.exercise.reference.read_text("utf-8"))
        self.world = world
        self.rows = rows
        self.graded: dict[str, Graded] = {}
        self._results: list[ExerciseResult] = []

    def run(self) -> dict[str, Graded]:
        """Grade them all."""
        self.grader.bank.reference(), self.grader.bank.all()  # not on any row's time
        self.grader.grade(self._submissions(), self._results.append)
        return self.graded

    def _submissions(self) -> Iterator[Submission]:
        yield from self._graded(None, self.honest)
        for number, row in enumerate(self.rows, start=1):
            yield from self._graded(row, take_in(self.exercise, self.world.hand_in(row)))
            if number % NEIGHBOUR_EVERY == 0 or number == len(self.rows):
                yield from self._graded(None, self.honest)

    def _graded(self, row: Row | None, submission: Submission) -> Iterator[Submission]:
        """Hand one submission over; when the next one is asked for, its session is closed."""
        self.world.note()
        yield submission
        if row is not None:
            self.graded[row.name] = self.world.look(self._results[-1], self.grader.in_class[-1])
            return
        for graded in self.graded.values():
            graded.neighbour = graded.neighbour or self._results[-1]


class World:
    """This machine as far as a submission could leave something on it."""

    def __init__(self, temporary: Path) -> None:
        self.temporary = temporary
        self.inbox = temporary / "inbox"

    def hand_in(self, row: Row) -> Path:
        """Return a folder with the row's files, and what only a test can make."""
        folder = self.inbox / row.name
        shutil.copytree(row.folder, folder, ignore=shutil.ignore_patterns("expected.yaml"))
        if row.expected.made is not None:
            MAKE[row.expected.made](folder, row.expected.exercise[3:])
        return folder

    def note(self) -> None:
        """Remember how things are, to see later what one submission changed."""
        self._processes = len(self._below())
        self._mounts = mounts()
        self._open_files = len(list(Path("/proc/self/fd").iterdir()))
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
        self._size = memory_mib("VmRSS")

    def look(self, result: ExerciseResult, in_class: ExerciseResult) -> Graded:
        """Say what is left now that a submission has been graded."""
        graded = Graded(result, in_class, growth_mib=memory_mib("VmHWM") - self._size)
        end = time.monotonic() + SETTLE_S
        while len(self._below()) != self._processes and time.monotonic() < end:
            time.sleep(0.02)
        if len(self._below()) != self._processes:
            graded.processes = [f"{pid} {command_line(pid)}" for pid in self._below()]
        graded.mounts = sorted(mounts() - self._mounts)
        graded.files = self._files()
        graded.open_files = len(list(Path("/proc/self/fd").iterdir())) - self._open_files
        shutil.rmtree(self.inbox, ignore_errors=True)
        return graded

    def _below(self) -> list[int]:
        """List this process's descendants, and every process that was ever started from here.

        What lost its parents is known by its environment, which names this test's own folder.
        """
        mark = os.fsencode(self.temporary)
        pids = [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]
        parents = {int(pid): parent_of(pid) for pid in pids}
        found: set[int] = set()
        queue = [os.getpid()]
        while queue:
            above = queue.pop()
            below = [pid for pid, parent in parents.items() if parent == above]
            found.update(below)
            queue += below
        return sorted(found | {pid for pid in parents if mark in home_of(pid)})

    def _files(self) -> list[str]:
        """List what lies in the folders of the temporary one: the worker's is to be empty."""
        return [
            str(path)
            for folder in self.temporary.iterdir()
            if folder != self.inbox
            for path in folder.iterdir()
        ]


def mounts() -> set[str]:
    return {line.split(" ", 4)[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}


def memory_mib(name: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) // 1024
    return 0


def parent_of(pid: str) -> int:
    try:
        return int(Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def home_of(pid: int) -> bytes:
    try:
        words = Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:
        return b""
    return b" ".join(word for word in words if word.startswith(b"HOME="))


def command_line(pid: int) -> str:
    try:
        return Path("/proc", str(pid), "cmdline").read_bytes().replace(b"\0", b" ").decode()[:100]
    except OSError:
        return "?"


# --- what only a test can make ------------------------------------------------------------------


def make_symlink(folder: Path, module: str) -> None:
    reference = ROOT / "solutions" / "03_implement_forward" / "implement_forward.py"
    (folder / f"{module}.py").symlink_to(reference)


def make_fifo(folder: Path, module: str) -> None:
    os.mkfifo(folder / f"{module}.py")


def make_folder(folder: Path, module: str) -> None:
    (folder / f"{module}.py").mkdir()


def make_nothing(folder: Path, module: str) -> None:
    del folder, module


def make_huge_file(folder: Path, module: str) -> None:
    with (folder / f"{module}.py").open("wb") as file:
        file.truncate(2**42)


def make_huge_neighbours(folder: Path, module: str) -> None:
    """Course files of a terabyte (with holes), a pipe, a link to an endless file, a data set."""
    del module
    for name in ("README.md", "data.npz"):
        with (folder / name).open("wb") as file:
            file.truncate(2**42)
    os.mkfifo(folder / "test_visible.py")
    (folder / "README.en.md").symlink_to("/dev/zero")
    (folder / "exercise.yaml").mkdir()
    (folder / "__MACOSX").mkdir()


def make_odd_names(folder: Path, module: str) -> None:
    del module
    for name in (
        b"\xff\xfe",
        "新建 文件(1)+[copy].py".encode(),
        b"\x1b[2J\n",
        b"x" * 250,
        b"{x!r}",
    ):
        (folder / os.fsdecode(name)).write_bytes(b"x")


MAKE: dict[Made, Callable[[Path, str], None]] = {
    "symlink": make_symlink,
    "fifo": make_fifo,
    "folder": make_folder,
    "nothing": make_nothing,
    "huge_file": make_huge_file,
    "huge_neighbours": make_huge_neighbours,
    "odd_names": make_odd_names,
}


# --- fixtures -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wanted(request: pytest.FixtureRequest) -> list[tuple[Row, str]]:
    """The rows this run asks for, so that ``-k`` grades no others."""
    calls = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    return [(found["row"], found["tier"]) for found in calls if "row" in found]


@pytest.fixture(scope="module")
def grade(wanted: list[tuple[Row, str]]) -> Iterator[Callable[[str], dict[str, Graded]]]:
    """Return what gives a tier's results; the tiers are graded side by side, each once."""
    apart = multiprocessing.get_context("fork")
    running: dict[str, tuple[Any, Any]] = {}
    done: dict[str, dict[str, Graded] | str] = {}

    def start() -> None:
        for tier in dict.fromkeys(tier for _, tier in wanted if works(tier)):
            ours, theirs = apart.Pipe(duplex=False)
            rows = [row for row, its in wanted if its == tier]
            process = apart.Process(target=grade_apart, args=(tier, rows, theirs))
            process.start()
            theirs.close()
            running[tier] = process, ours

    def results(tier: str) -> dict[str, Graded]:
        if not running:
            start()
        if tier not in done:
            done[tier] = running[tier][1].recv()
        found = done[tier]
        return pytest.fail(found, pytrace=False) if isinstance(found, str) else found

    yield results
    for process, pipe in running.values():
        pipe.close()
        process.join()


@cache
def works(tier: str) -> bool:
    try:
        choose(tier)
    except GradeError:
        return False
    return True


def grade_apart(tier: str, rows: list[Row], answer: Any) -> None:
    """Grade in a process of its own; answer with the results, or with what went wrong."""
    try:
        answer.send(grade_on(tier, rows))
    except BaseException:  # noqa: BLE001 - also what ends pytest: somebody waits for an answer
        answer.send(f"grading on {tier} failed:\n{traceback.format_exc()}")


def grade_on(name: str, rows: list[Row]) -> dict[str, Graded]:
    """Grade ``rows`` on one tier with one warm worker."""
    tier, _ = choose(name)
    graded: dict[str, Graded] = {}
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix=TEMPORARY) as temporary,
    ):
        patch.setattr(tempfile, "tempdir", temporary)
        patch.setenv(VARIABLE, VARIABLE)
        zygote = Zygote(tier)
        try:
            zygote.wait_ready()
            for key, group in grouped(rows).items():
                limits = dict(key[1]) | (SPAWNED if name == "spawn" else {})
                batch = Batch(zygote, World(Path(temporary)), group, limits)
                graded |= batch.run()
        finally:
            zygote.kill()
        left = list(Path(temporary).iterdir())
    assert not left, f"the worker left files behind: {left}"
    return graded


def grouped(rows: list[Row]) -> dict[tuple[str, tuple[tuple[str, int], ...]], list[Row]]:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault((row.expected.exercise, tuple(sorted(row.limits.items()))), []).append(
            row
        )
    return groups


# --- the promises -------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "tier"), CASES)
def test_row(row: Row, tier: str, grade: Callable[[str], dict[str, Graded]]):
    """The outcome is that of a plain bug, nothing is won, and nothing is left behind."""
    if not works(tier):
        not_covered(f"{row.name} on {tier}: it does not work on this machine")
    graded = grade(tier)[row.name]
    problems = [
        *wrong_outcomes(row.expected, graded.result),
        *wrong_points(row.expected, graded),
        *left_behind(graded),
        *told_too_much(row.expected, graded),
    ]

    assert not problems, "\n".join([row.expected.row, *problems])


def wrong_outcomes(expected: Expected, result: ExerciseResult) -> list[str]:
    by_name = expected.outcome if isinstance(expected.outcome, dict) else {"*": expected.outcome}
    names = [check.id for check in result.checks]
    problems = [f"no check is called {name}" for name in by_name if not fnmatch.filter(names, name)]
    for check in result.checks:
        pattern = next(
            (
                name
                for name in sorted(by_name, key=len, reverse=True)
                if fnmatch.fnmatch(check.id, name)
            ),
            "",
        )
        allowed = by_name.get(pattern, [])
        allowed = [allowed] if isinstance(allowed, Outcome) else allowed
        skipped = check.outcome is Outcome.SKIPPED and pattern == "*"
        if check.outcome not in allowed and not skipped:
            said = [message.en[:200] for message in check.messages]
            problems.append(
                f"{check.id} is {check.outcome.value}: {said} {check.trace} {check.flags}"
            )
    return problems


def wrong_points(expected: Expected, graded: Graded) -> list[str]:
    result, problems = graded.result, []
    full = sum(check.points for check in result.checks)
    if not expected.least_points <= result.earned <= expected.most_points:
        problems.append(f"earned {result.earned}")
    if graded.in_class.earned != result.earned:
        problems.append("earned another mark in class")
    if result.possible != full:
        problems.append(
            f"the grader took the blame: {result.possible} of {full} points are counted"
        )
    spawned = result.sandbox is not None and result.sandbox.tier == "spawn"
    if result.seconds > (SPAWNED_S if spawned else expected.seconds):
        problems.append(f"took {result.seconds} s")
    neighbour = graded.neighbour
    if neighbour is None or not neighbour.passed or neighbour.earned != full:
        problems.append("an honest submission after it did not get all points")
    if expected.flagged and not any(check.flags for check in result.checks):
        problems.append("no flag for the instructor")
    return problems


def left_behind(graded: Graded) -> list[str]:
    problems = []
    if graded.processes:
        problems.append(f"processes are left: {graded.processes}")
    if graded.files:
        problems.append(f"files are left: {graded.files[:5]}")
    if graded.mounts:
        problems.append(f"mounts are left: {graded.mounts}")
    if graded.open_files > 0:
        problems.append(f"{graded.open_files} open files are left in the grader")
    if graded.growth_mib > GROWTH_MOST_MIB:
        problems.append(f"the grader grew by {graded.growth_mib} MiB")
    return problems


def told_too_much(expected: Expected, graded: Graded) -> list[str]:
    problems = []
    texts = [msgspec.json.encode(found).decode() for found in (graded.result, graded.in_class)]
    unsaid = [expected.unsaid] if isinstance(expected.unsaid, str) else expected.unsaid
    library = sysconfig.get_path("stdlib")
    machine = {str(ROOT), str(Path.home()), sys.prefix, sys.base_prefix, library, TEMPORARY}
    machine = {VARIABLE, *machine} - EVERYBODYS
    for text in texts:
        problems += [f"says {word}" for word in (*machine, *unsaid) if word in text]
        if len(text) > TEXT_MOST:
            problems.append(f"the result is {len(text)} characters long")
    obeyed = {c for c in on_a_terminal(graded) if not c.isprintable() and c not in "\n\t\u3000"}
    problems += [f"the terminal would obey {obeyed}"] if obeyed else []
    for check in graded.in_class.checks:
        told = bool(check.messages or check.trace or check.output)
        if check.hidden and told and check.outcome is not Outcome.SYNTAX_ERROR:
            problems.append(f"in class, {check.id} tells {check.messages} {check.output}")
    said = [check.messages for check in graded.result.checks] + [graded.result.notices]
    if not any(expected.said in message.en for messages in said for message in messages):
        problems += [f"never says {expected.said!r}"] if expected.said else []
    return problems


def on_a_terminal(graded: Graded) -> str:
    """Return the report as a person sees it."""
    stream = io.StringIO()
    course = load_course(ROOT, only=[graded.result.exercise])
    show_report(make_report(course, [graded.result]), course, Screen("en", stream, width=200))
    return stream.getvalue()


@pytest.mark.parametrize("tier", [tier for tier in TIERS if tier != "spawn"])
def test_a_worker_that_died_between_two_submissions_costs_nobody_a_point(tier: str):
    """Whoever or whatever killed it, the next submission gets a new one.

    The spawn tier keeps no worker between submissions.
    """
    if not works(tier):
        not_covered(f"{tier} does not work on this machine")
    course = load_course(ROOT, only=["03_implement_forward"])
    exercise = course.exercises[0]
    results: list[ExerciseResult] = []
    zygote = Zygote(choose(tier)[0])

    def submissions() -> Iterator[Submission]:
        honest = submission_from_source(exercise.reference.read_text("utf-8"))
        yield honest
        zygote._process.kill()
        yield honest
        yield honest

    try:
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, choose(tier)[1]))
        grader.grade(submissions(), results.append)
    finally:
        zygote.kill()

    assert [result.passed for result in results] == [True, True, True]
