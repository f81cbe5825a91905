"""``grade report``: grade, and write one HTML page to look at."""

from __future__ import annotations

import contextlib
import datetime
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from grader.atomic import replace_file
from grader.commands.common import Settings, course_root, show_notices
from grader.commands.grading import graded
from grader.course import quiz_names, resolve_targets
from grader.course.load import exercise_names
from grader.errors import UsageError, writing
from grader.progress import History, Store
from grader.report import Screen, print_json
from grader.text import say

if TYPE_CHECKING:
    from grader.course import QuizTarget, Target

__all__ = ["write_report"]

REPORT = "report.html"
PAGE = b"<!doctype html"


def write_report(words: list[str], output: Path | None, settings: Settings, *, show: bool) -> int:
    """Grade what ``words`` name, or all that was begun; write the page and say where it is."""
    from grader.report.html import render_page

    root = course_root(settings, words)
    store = Store(root)
    path = _place(output, store)
    targets = resolve_targets(words, root, Path.cwd()) if words else _begun(root, store.history())
    course, report = graded(root, targets, store, settings, pictures=True)
    page = render_page(
        report, course, store.history(), settings.language,
        at=datetime.datetime.now(datetime.timezone.utc),
    )  # fmt: skip
    with writing(path, say("Choose another place: grade report --output FILE")):
        replace_file(path, page, folders=True)
    if settings.as_json:
        print_json(report.to_json())
    else:
        screen = Screen(settings.language)
        screen.line(say("The report is here:").pick(settings.language))
        screen.code(str(path).encode("utf-8", "replace").decode())
    show_notices(store, settings)
    if show:
        webbrowser.open(path.resolve().as_uri())
    return report.exit_code


def _place(output: Path | None, store: Store) -> Path:
    """Return where to write: ``output``, a file in it if it is a folder, or the usual place.

    Raises:
        UsageError: something that is no page is there.
    """
    path = output if output is not None else store.folder / REPORT
    if path.is_dir():
        path = path / REPORT
    with contextlib.suppress(OSError):  # writing tells what is amiss
        with path.open("rb") as file:
            begins = file.read(len(PAGE))
        if begins.lower() != PAGE:
            raise UsageError(
                say("{file} is there already and is no report.", file=path),
                say("Name another file: --output FILE"),
            )
    return path


def _begun(root: Path, history: History) -> list[Target | QuizTarget]:
    """Return what was attempted and is still part of the course.

    Raises:
        UsageError: nothing.
    """
    words = [f"exercises/{name}" for name in exercise_names(root)]
    words = [word for word in words if history.of("exercise", Path(word).name).attempts]
    quizzes = [name for name in quiz_names(root) if history.of("quiz", name).attempts]
    words += [f"quizzes/{name}" for name in quizzes]
    if not words:
        raise UsageError(
            say("Nothing has been graded here yet, so there is nothing to report."),
            say("Name what to report on: grade report exercises/03"),
        )
    return resolve_targets(words, root, root)
