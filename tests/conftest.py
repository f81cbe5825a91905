"""What several test modules share."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from grader.results import Limits
from grader.sandbox import SubmissionRun, Zygote, choose
from tests import simulated, smallclass
from tests.browser import Browser, find_browser
from tests.commandline import Done, Grade, run_grade
from tests.postgres import Postgres, find_programs

# Examples are not timed: other work on the machine must not fail a test.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

# A shell that starts us in the background has us ignore Ctrl-C, and every program we start, too;
# so has nohup with a terminal that closes.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

COURSES = Path(__file__).parent / "courses"
MOST_WORKERS = 4  # each holds a warm sandbox; beyond that they wait for each other's disk


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run the whole suite on several cores; what was named by hand runs in this process.

    One worker more than there are cores: tests of deadlines and of other programs mostly wait.
    """
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return min((os.cpu_count() or 1) + 1, MOST_WORKERS) if whole else 0


def not_covered(reason: str) -> NoReturn:
    """Skip, because this machine lacks something; where everything is required, fail."""
    if os.environ.get("GRADE_REQUIRE_ALL") == "1":
        pytest.fail(f"not covered: {reason}")
    pytest.skip(f"not covered: {reason}")


@pytest.fixture(scope="session")
def mini() -> Path:
    """The root of the tiny course."""
    return COURSES / "mini"


@pytest.fixture
def course(mini: Path, tmp_path: Path) -> Path:
    """A copy of the tiny course, with private twins."""
    root = tmp_path / "course"
    for part in ("exercises", "solutions"):
        shutil.copytree(mini / part, root / part)
    return root


@pytest.fixture
def grade(course: Path) -> Grade:
    """Return a function that runs the command in the course's folder."""

    def run(*words: str | bytes, cwd: Path = course, encoding: str = "utf-8", **more: str) -> Done:
        return run_grade(cwd, *words, encoding=encoding, **more)

    return run


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    """A warm worker in the strongest tier that works here."""
    found = Zygote(choose()[0])
    found.start()
    yield found
    found.kill()


@pytest.fixture
def isolating(zygote: Zygote) -> Zygote:
    """The same, for promises that only namespaces can keep."""
    if not zygote.tier.isolates:
        not_covered(f"the {zygote.tier.name} tier makes no namespaces")
    return zygote


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium without a window."""
    program = find_browser()
    if program is None:
        not_covered("no Chromium here")
    found = Browser(program, tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture
def submit(zygote: Zygote) -> Iterator[Callable[..., SubmissionRun]]:
    """Return a function that makes a sandbox run of a source text."""
    runs: list[SubmissionRun] = []

    def make(source: str, **limits: int) -> SubmissionRun:
        runs.append(SubmissionRun(zygote, {"answer": source}, "answer", Limits(**limits)))
        return runs[-1]

    yield make
    for run in runs:
        run.close()


@pytest.fixture(scope="session")
def graded_once(tmp_path_factory: pytest.TempPathFactory) -> smallclass.Place:
    """A small class, graded; for tests that change nothing."""
    base = tmp_path_factory.mktemp("class")
    place = smallclass.Place(smallclass.make_course(base / "course"), base / "class")
    smallclass.make_class(place.folder)
    smallclass.grade_class(place)
    return place


@pytest.fixture
def place(graded_once: smallclass.Place, tmp_path: Path) -> smallclass.Place:
    """A copy of the small class and its course, in a folder whose name is no plain word."""
    copy = smallclass.Place(tmp_path / "课 1" / "course", tmp_path / "课 1" / "class")
    shutil.copytree(graded_once.root, copy.root)
    shutil.copytree(graded_once.folder, copy.folder)
    return copy


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL of our own, ended with the tests."""
    programs = find_programs()
    if programs is None:
        not_covered("no PostgreSQL here")
    found = Postgres(programs)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="session")
def simulated_class(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, simulated.Truth]:
    """A simulated class, collected and graded, with everybody's true marks; nobody changes it."""
    students = int(os.environ.get("GRADE_CLASS", "40"))  # 200 by command
    return simulated.graded_class(tmp_path_factory.mktemp("全班 作业"), students)
