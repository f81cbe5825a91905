"""What commands share: their options, the course, the record, the warm worker, JSON."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.course import find_root
from grader.errors import GraderFault, UsageError
from grader.progress import Store
from grader.report import Screen, print_json
from grader.sandbox import SandboxBroken, Zygote, choose
from grader.text import Language, Text, say

if TYPE_CHECKING:
    from grader.classroom.model import Trouble

__all__ = [
    "Settings", "busy", "course_root", "progress", "show_json", "show_notices", "show_troubles",
    "worker",
]  # fmt: skip

TROUBLES_SHOWN = 30


class Settings(msgspec.Struct, frozen=True):
    """The options that every command takes."""

    language: Language
    as_json: bool = False
    course: Path | None = None  # found from the current folder if left out
    sandbox: str | None = None  # the strongest tier that works if left out


def course_root(settings: Settings, words: list[str]) -> Path:
    """Find the course: the one named, else around this folder, else around the first target."""
    if settings.course is not None:
        return find_root(settings.course)
    inside = [Path(word) for word in words if os.path.exists(word)]  # noqa: PTH110 - never raises
    try:
        return find_root(Path.cwd())
    except UsageError:
        if not inside:
            raise
        return find_root(inside[0])


def show_json(found: msgspec.Struct) -> int:
    """Print a struct as JSON; return 0."""
    print_json(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return 0


def show_notices(store: Store, settings: Settings) -> None:
    """Say on standard error what the student should know of the record."""
    for notice in store.new_notices():
        text = say("Note: {notice}", notice=notice).pick(settings.language)
        Screen(settings.language, sys.stderr).line(text, "yellow")


def show_troubles(troubles: Sequence[Trouble], screen: Screen) -> None:
    """Print what a person should look at in a class, a line each."""
    if not troubles:
        return
    screen.line(say("To look at:").pick(screen.language), "bold yellow")
    for one in troubles[:TROUBLES_SHOWN]:
        text = say("{student}, {item}: {what}", student=one.student, item=one.item, what=one.what)
        screen.line(" ".join(text.pick(screen.language).split("\n")), "yellow", 2)
    if len(troubles) > TROUBLES_SHOWN:
        left = len(troubles) - TROUBLES_SHOWN
        more = say("{count} more; `grade feedback` writes all of them on the class's page.",
                   count=left)  # fmt: skip
        screen.line(more.pick(screen.language), "yellow", 2)


@contextlib.contextmanager
def worker(settings: Settings) -> Iterator[tuple[Zygote, Text]]:
    """Start the warm worker, and end it with everything in it however the block is left."""
    tier, why = choose(settings.sandbox)
    zygote = Zygote(tier)
    try:
        zygote.start()
        yield zygote, why
    except SandboxBroken as error:
        raise GraderFault(
            say("The sandbox failed: {error}", error=str(error)),
            say(
                "`grade doctor` explains; "
                "`--sandbox process` grades without isolation on your own machine."
            ),
        ) from error
    finally:
        zygote.kill()


@contextlib.contextmanager
def busy(what: Text, settings: Settings) -> Iterator[None]:
    """Show that something is going on, where a person is looking."""
    if settings.as_json or not sys.stderr.isatty():
        yield
        return
    screen = Screen(settings.language, sys.stderr)
    with screen.console.status(what.pick(settings.language)):
        yield


@contextlib.contextmanager
def progress(total: int, what: Text, settings: Settings) -> Iterator[Callable[[], None]]:
    """Show how much is done and how long the rest takes, where a person is looking.

    Args:
        total: how often the function that the block gets will be called.
        what: is being done.
        settings: of the command.
    """
    if settings.as_json or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich import progress as bars

    columns = (
        bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn(),
        bars.TimeRemainingColumn(),
    )  # fmt: skip
    console = Screen(settings.language, sys.stderr).console
    with bars.Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task(what.pick(settings.language), total=total)
        yield lambda: shown.advance(task)
