"""What commands share: their options, the course, the record, the warm worker, JSON."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from grader.course import find_root
from grader.errors import GraderFault, UsageError
from grader.progress import Store
from grader.report import Screen, print_json
from grader.sandbox import SandboxBroken, Zygote, choose
from grader.text import Language, Text, say

__all__ = ["Settings", "busy", "course_root", "progress", "show_json", "show_notices", "worker"]


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
