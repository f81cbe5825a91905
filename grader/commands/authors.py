"""``grade check`` and ``grade doctor``: prove the course, explain the machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import grader
from grader.commands.common import Settings, course_root, worker
from grader.course import load_course, resolve_targets
from grader.report import Screen

__all__ = ["check_course", "show_doctor"]


def show_doctor(settings: Settings) -> int:
    """Print what works on this machine."""
    from grader.doctor import examine

    return examine(Screen(settings.language), settings.sandbox, as_json=settings.as_json)


def check_course(words: list[str], jobs: int | None, settings: Settings, *, what: str) -> int:
    """Check the course's files and prove its graders."""
    from grader.authoring import check_exercises, check_side_by_side

    root = course_root(settings, words)
    names = [target.exercise for target in resolve_targets(words or ["exercises"], root, root)]
    screen = Screen(settings.language)
    jobs = min(len(names), jobs or os.cpu_count() or 1)
    if jobs > 1:
        extra = [] if what == "gate" else [f"--{what}"]
        commands = {name: [*_alone(name, root, settings), *extra] for name in names}
        return check_side_by_side(commands, jobs, screen, as_json=settings.as_json)
    course = load_course(root, only=names)
    with worker(settings) as (zygote, why):
        return check_exercises(course, zygote, why, screen, as_json=settings.as_json, what=what)


def _alone(name: str, root: Path, settings: Settings) -> list[str]:
    """Return the command line that checks one exercise and prints JSON."""
    start = "import sys; sys.path[:0] = [sys.argv.pop(1)]; from grader.cli import main; main()"
    command = [sys.executable, "-c", start, str(Path(grader.__file__).parent.parent), "check", name]
    command += ["--json", "--jobs", "1", "--course", str(root)]
    return command + (["--sandbox", settings.sandbox] if settings.sandbox else [])
