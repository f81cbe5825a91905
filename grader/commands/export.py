"""``grade export``: carry quizzes into other systems."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grader.classroom.quizzes.export import Exported, Format, export_quizzes
from grader.classroom.quizzes.markup import Languages
from grader.commands.common import Settings, busy, course_root, show_json
from grader.course import QuizTarget, load_course, resolve_targets
from grader.course.load import quiz_names
from grader.errors import UsageError
from grader.report import Screen
from grader.text import Text, say

__all__ = ["ExportList", "Note", "export_quiz_files"]

EXPORT_FOLDER = Path("exports")


class Note(msgspec.Struct, frozen=True):
    """What a teacher should know of one quiz's export."""

    quiz: str
    note: Text


class ExportList(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade export quizzes --json`` prints."""

    schema: str = "grade-export/1"
    format: str
    files: list[str]
    notes: list[Note]


def export_quiz_files(
    words: list[str],
    form: Format,
    languages: Languages,
    settings: Settings,
    *,
    output: Path | None,
    versions: int,
) -> int:
    """Write the quizzes that ``words`` name, or all, and say which files there are."""
    if versions > 1 and form != "print":
        raise UsageError(
            say("Only sheets of paper have versions."),
            say("Leave --versions out, or give --format print."),
        )
    root = course_root(settings, words)
    targets = resolve_targets(words, root, Path.cwd()) if words else []
    names = [target.quiz for target in targets if isinstance(target, QuizTarget)]
    if len(names) < len(targets):
        raise UsageError(
            say("Only quizzes can be exported here."),
            say("Name one as quizzes/02, or none for all of them."),
        )
    names = names or quiz_names(root)
    if not names:
        raise UsageError(say("This course has no quizzes."))
    course = load_course(root, only=[])
    folder = output if output is not None else root / EXPORT_FOLDER
    with busy(say("Computing keys ..."), settings):
        exported = export_quizzes(course, names, form, languages, folder, versions=versions)
    if settings.as_json:
        return show_json(_listed(form, exported))
    _show(form, exported, Screen(settings.language))
    return 0


def _listed(form: Format, exported: Exported) -> ExportList:
    notes = [Note(quiz, note) for quiz, note in exported.notes]
    return ExportList(format=form, files=[str(path) for path in exported.files], notes=notes)


def _show(form: Format, exported: Exported, screen: Screen) -> None:
    for path in exported.files:
        screen.line(str(path))
    for quiz, note in exported.notes:
        text = say("{quiz}: {note}", quiz=quiz, note=note)
        screen.line(f"{screen.sign('fault')} {text.pick(screen.language)}", "yellow")
    screen.line(_next_step(form).pick(screen.language), "bold")


def _next_step(form: Format) -> Text:
    """Say where the files go, and who may see them."""
    return {
        "qti": say("In Canvas: Settings, Import Course Content, QTI .zip file. It holds the keys."),
        "moodle": say(
            "In Moodle: Question bank, Import, Moodle XML format, with the category from the file. "
            "It holds the keys."
        ),
        "anki": say("In Anki: File, Import. The backs tell the answers."),
        "print": say("Print .sheet.html for students; .key.html holds the keys."),
    }[form]
