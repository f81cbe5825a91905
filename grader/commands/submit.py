"""``grade submit``: one file to hand in, and what is amiss in it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from grader.atomic import replace_file
from grader.commands.common import Settings, course_root, show_json
from grader.errors import writing
from grader.intake import Manifest, read_bundle
from grader.report import Screen
from grader.submit import Gathered, Part, gather, output_path
from grader.text import say

__all__ = ["Submitted", "submit"]


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade submit --json`` prints.

    Attributes:
        path: of the file that was written.
        size: in bytes.
        sha256: of its bytes.
        manifest: what stands in it.
        parts: every exercise and quiz, with warnings.
    """

    schema: str = "grade-submit/1"
    path: str
    size: int
    sha256: str
    manifest: Manifest
    parts: list[Part]


def submit(output: Path | None, student: str, settings: Settings) -> int:
    """Write the bundle; whatever is amiss is said and nothing is refused."""
    root = course_root(settings, [])
    path = output_path(root, output, student)
    gathered = gather(root, student)
    data = gathered.bundle()
    with writing(path, say("Name another place: --output FILE")):
        replace_file(path, data, folders=True)
    done = Submitted(
        path=str(path.resolve()), size=len(data), sha256=hashlib.sha256(data).hexdigest(),
        manifest=read_bundle(data).manifest, parts=gathered.parts,
    )  # fmt: skip
    if settings.as_json:
        return show_json(done)
    _show(done, gathered, Screen(settings.language))
    return 0


def _show(done: Submitted, gathered: Gathered, screen: Screen) -> None:
    language = screen.language
    for kind, title in (("exercise", say("Exercises")), ("quiz", say("Quizzes"))):
        parts = [part for part in done.parts if part.kind == kind]
        screen.line(title.pick(language) if parts else "", "bold")
        for part in parts:
            _show_part(part, screen)
    screen.line()
    facts = say(
        "Written: {path} ({count} files, {size} KiB)",
        path=done.path, count=len(gathered.files), size=f"{done.size / 1024:.1f}",
    )  # fmt: skip
    screen.line(facts.pick(language), "bold")
    screen.line(f"SHA-256: {done.sha256}")
    if not gathered.files:
        screen.line(say("There is nothing in it yet.").pick(language), "yellow")
        return
    screen.line(say("Hand in this one file. The same answers give the same file.").pick(language))


def _show_part(part: Part, screen: Screen) -> None:
    language = screen.language
    name = f"{part.id.partition('_')[0]} {part.title.pick(language)}"
    if not part.file and not part.warnings:
        line = say("{name}: not started, left out", name=name)
        screen.line(f"{screen.sign('todo')} {line.pick(language)}", "cyan", 2)
        return
    sign, style = ("half", "yellow") if part.warnings else ("passed", "green")
    screen.line(f"{screen.sign(sign)} {name}", style, 2)
    for warning in part.warnings:
        screen.line(warning.pick(language), indent=6)
