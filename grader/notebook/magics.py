"""The magics: ``%%grade 03``, ``%grade``, ``%grade_hint 03``, ``%grade_setup``."""

from __future__ import annotations

import argparse
import atexit
import io
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from IPython.core.error import UsageError as ShownError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.display import display

from grader.commands.hint import show_hint_on
from grader.commands.overview import dashboard_of
from grader.course import Course, find_root, load_course, only_exercises, resolve_targets
from grader.errors import GradeError, UsageError
from grader.notebook.cells import read_cell
from grader.notebook.client import DeskClient
from grader.notebook.desk import Order, Refused
from grader.notebook.view import ReportView, TextView, text_columns
from grader.progress import Hint, Store, next_hint
from grader.progress.backups import put_answer
from grader.report import Screen, show_dashboard
from grader.text import Language, Text, preferred_language, say

__all__ = ["GradeMagics", "register", "unregister"]

SAVE = "--save"

_client = DeskClient()


def register(shell: InteractiveShell) -> None:
    """Add the magics to a shell; the desk ends with the kernel."""
    shell.register_magics(GradeMagics)
    atexit.register(_client.close)


def unregister() -> None:
    """End the desk now."""
    atexit.unregister(_client.close)
    _client.close()


@magics_class
class GradeMagics(Magics):
    """What a notebook can ask of the grader."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.language: Language = preferred_language()
        self.course: Path | None = None
        self.sandbox: str | None = None

    @line_magic
    def grade_setup(self, line: str) -> None:
        """``%grade_setup [--lang zh|en] [--course FOLDER] [--sandbox TIER]``."""
        parser = _Words("%grade_setup")
        parser.add_argument("--lang", choices=["zh", "en"])
        parser.add_argument("--course", type=Path)
        parser.add_argument("--sandbox")
        with self._shown():
            given = parser.parse(line)
            self.language = given.lang or self.language
            self.sandbox = given.sandbox or self.sandbox
            if given.course is not None:
                self.course = find_root(given.course.expanduser())

    @line_cell_magic
    def grade(self, line: str, cell: str | None = None) -> None:
        """``%%grade 03`` grades the cell; ``%grade 03`` the file; ``%grade`` says where you are.

        ``%%grade 03 --save`` also writes the cell to the exercise's file, for ``grade submit``.
        """
        with self._shown():
            words = _split(line)
            save = SAVE in words
            words = [word for word in words if word != SAVE]
            if cell is not None:
                found = read_cell(cell)
                if not words:
                    raise UsageError(
                        say("Which exercise does this cell answer?"), say("Write `%%grade 03`.")
                    )
                (name,) = self._grade(words, found.source, found.notices)
                if save:
                    self._save(name, found.source.removeprefix("\n"))
            elif words:
                self._grade(words, None, [])
            else:
                course = load_course(self._root())
                store = Store(course.root)
                dashboard = dashboard_of(course, store)
                self._print(lambda screen: show_dashboard(dashboard, screen))
                self._tell(store.new_notices())

    @line_magic
    def grade_hint(self, line: str) -> None:
        """``%grade_hint 03`` shows the next hint; ``--number 1`` an opened one again."""
        parser = _Words("%grade_hint")
        parser.add_argument("exercise")
        parser.add_argument("--number", type=int, choices=[1, 2, 3])
        with self._shown():
            given = parser.parse(line)
            root = self._root()
            targets = only_exercises(resolve_targets([given.exercise], root, Path.cwd()))
            course = load_course(root, only=[target.exercise for target in targets])
            store = Store(root)
            for exercise in course.exercises:
                hint = next_hint(store, exercise, given.number)
                self._print(partial(_show_hint, hint))
            self._tell(store.new_notices())

    # --- helpers ---------------------------------------------------------------------------------

    def _grade(self, words: list[str], source: str | None, notices: list[Text]) -> list[str]:
        """Grade, show the report, and return the names of the exercises."""
        root = self._root()
        order = Order(
            root=str(root), cwd=str(Path.cwd()), words=words, source=source, notices=notices,
            sandbox=self.sandbox,
        )  # fmt: skip
        with self._waiting() as show:
            answer = _client.ask(order)
            if isinstance(answer, Refused):
                show(TextView(""))
                raise GradeError(answer.what, answer.next_step)
            names = [result.exercise for result in answer.report.exercises]
            course: Course = load_course(root, only=names)
            show(ReportView(answer.report, course, self.language))
        self._tell(answer.notices)
        return names

    def _save(self, name: str, source: str) -> None:
        """Write a cell's answer to the exercise's file; what stood there is kept first."""
        root = self._root()
        (exercise,) = load_course(root, only=[name]).exercises
        store = Store(root)
        done = put_answer(store, exercise, source)
        path = exercise.answer.relative_to(root).as_posix()
        told = [say("Saved as {path}.", path=path)]
        if done.backup is not None:
            told.append(say("What stood there before is now {backup}.", backup=done.backup))
        self._tell([*told, *store.new_notices()])

    @contextmanager
    def _waiting(self) -> Iterator[Callable[[Any], None]]:
        """Say that something is going on, and yield what puts the result in its place."""
        if not hasattr(self.shell, "kernel"):  # a terminal: nothing shown can be replaced
            yield lambda found: display(found) if repr(found) else None
            return
        handle = display(TextView(say("Grading ...").pick(self.language)), display_id=True)
        try:
            yield handle.update
        except BaseException:
            handle.update(TextView(""))
            raise

    def _root(self) -> Path:
        if self.course is not None:
            return self.course
        try:
            return find_root(Path.cwd())
        except UsageError as error:
            raise UsageError(
                error.what, say("Name the course's folder: %grade_setup --course FOLDER")
            ) from None

    def _print(self, show: Callable[[Screen], None]) -> None:
        out = io.StringIO()
        show(Screen(self.language, out, text_columns(), plain=True))
        display(TextView(out.getvalue().rstrip("\n")))

    def _tell(self, notices: list[Text]) -> None:
        for notice in notices:
            display(TextView(say("Note: {notice}", notice=notice).pick(self.language)))

    @contextmanager
    def _shown(self) -> Iterator[None]:
        """Turn our errors into one that IPython shows without a traceback."""
        try:
            yield
        except KeyboardInterrupt:
            stopped = say("Interrupted; nothing was lost.")
            raise ShownError(stopped.pick(self.language)) from None
        except GradeError as error:
            parts = [error.what, *([error.next_step] if error.next_step else [])]
            raise ShownError("\n".join(part.pick(self.language) for part in parts)) from None


def _show_hint(hint: Hint, screen: Screen) -> None:
    show_hint_on(screen, hint)


class _Words(argparse.ArgumentParser):
    """Parses a magic's line; a slip is an error and never ends the kernel."""

    def __init__(self, name: str) -> None:
        super().__init__(prog=name, add_help=False, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        usage = self.format_usage().strip()
        raise UsageError(Text(message, message), Text(usage, usage))

    def parse(self, line: str) -> argparse.Namespace:
        return self.parse_args(_split(line))


def _split(line: str) -> list[str]:
    """Split a line into words; a path of Windows keeps its backslashes."""
    words = shlex.shlex(line, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.escape = words.commenters = ""
    try:
        return list(words)
    except ValueError as error:
        raise UsageError(Text(str(error), str(error))) from None
