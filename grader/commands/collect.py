"""``grade collect``: what a class handed in, into the class's folder."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.classroom.collect import (
    CollectReport,
    Options,
    StudentReport,
    collect,
    read_roster,
    read_zone,
)
from grader.classroom.files import as_word
from grader.commands.common import Settings, course_root, show_json
from grader.course import load_course
from grader.report import Screen
from grader.text import Text, say

__all__ = ["collect_class"]


def collect_class(
    sources: Sequence[Path],
    folder: Path,
    roster: Path | None,
    settings: Settings,
    *,
    kind: str,
    zone: str | None,
    file_times: bool,
) -> int:
    """Collect ``sources`` into ``folder``; 0, or 1 if something needs a person to look at it."""
    options = Options(kind=kind, zone=read_zone(zone), file_times=file_times)
    course = load_course(course_root(settings, []))
    students = read_roster(roster)
    with _progress(settings) as tick:
        report = collect(sources, folder, course, students, options, on_progress=tick)
    if settings.as_json:
        show_json(report)
    else:
        _show(report, Screen(settings.language))
    return 1 if report.refused else 0


def _show(report: CollectReport, screen: Screen) -> None:
    language = screen.language
    for source in report.sources:
        taken = say(
            "{source}: taken as {kind}; hand-ins: {count}",
            source=source.source, kind=source.kind, count=source.handins,
        )  # fmt: skip
        screen.line(taken.pick(language), "bold")
    for student in report.students:
        _show_student(student, screen)
    _show_list(say("Belongs to nobody or nothing:"), report.aside, screen)
    if report.absent:
        names = ", ".join(report.absent)
        nothing = say("Nothing from {count} on the class list: {names}",
                      count=len(report.absent), names=names)  # fmt: skip
        screen.line(nothing.pick(language), "yellow")
    new = sum(len(student.new) for student in report.students)
    known = sum(student.known for student in report.students)
    summary = say(
        "{students} students: {new} new attempts, {known} known before.",
        students=len(report.students), new=new, known=known,
    )  # fmt: skip
    screen.line(summary.pick(language), "bold")
    if new:
        step = say("Next: grade batch {folder}", folder=as_word(report.into))
        screen.line(step.pick(language), "dim")


def _show_student(student: StudentReport, screen: Screen) -> None:
    """Print what is new of one student; who only has what was known stands in the summary."""
    language = screen.language
    who = f"{student.id} {student.name}" if student.name not in ("", student.id) else student.id
    for attempt in student.new:
        at = f"{attempt.at:%Y-%m-%d %H:%M %z}" if attempt.at is not None else say("no time")
        items = ", ".join(sorted(attempt.files)) or say("nothing of this course")
        line = say(
            "{who}: attempt {number} ({at}): {items}; from {origin}",
            who=who, number=attempt.number, at=at, items=items, origin=attempt.origin,
        )  # fmt: skip
        sign, style = ("half", "yellow") if student.refused else ("passed", "green")
        if not attempt.files:
            sign, style = "failed", "yellow"
        screen.line(f"{screen.sign(sign)} {line.pick(language)}", style)
        for notice in attempt.notices:
            screen.line(notice.pick(language), indent=4)
    if student.namesakes:
        if not student.new:
            screen.line(f"{screen.sign('half')} {who}", "yellow")
        several = say(
            "Whose this is cannot be told: {ids} on the class list have this name. Collect with "
            "the platform's own list, or put the id into the name of the folder or file.",
            ids=", ".join(student.namesakes),
        )  # fmt: skip
        screen.line(several.pick(language), "yellow", 4)
    elif student.listed is False and student.new:
        screen.line(say("Not on the class list.").pick(language), "yellow", 4)


def _show_list(title: Text, lines: Sequence[Text], screen: Screen) -> None:
    if lines:
        screen.line(title.pick(screen.language), "bold")
    for line in lines:
        screen.line(line.pick(screen.language), indent=2)


@contextlib.contextmanager
def _progress(settings: Settings) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done, where a person is looking."""
    if settings.as_json or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich import progress as bars

    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn())
    console = Screen(settings.language, sys.stderr).console
    with bars.Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(say("Collecting").pick(settings.language), total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
