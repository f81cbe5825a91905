"""``grade gradebook``, stage by stage: marks, database, pages, movements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from grader.classroom.files import as_word
from grader.classroom.given import Given, read_given, write_given
from grader.classroom.gradebook.book import Book, Extras, open_book
from grader.classroom.gradebook.coursefolder import CourseFolder
from grader.classroom.gradebook.notebooks import comments, notebook
from grader.classroom.gradebook.pen import Notes
from grader.classroom.gradebook.sheets import (
    Assignment,
    Page,
    Per,
    Submission,
    chapter_name,
    lay_out,
    pages,
)
from grader.classroom.history import (
    JudgedTexts,
    Kept,
    Movement,
    add_history,
    keep,
    movements,
    read_kept,
    write_kept,
)
from grader.classroom.marks import ClassMarks, StudentMarks, class_marks
from grader.classroom.model import Collected, Student
from grader.classroom.room import Room
from grader.classroom.rules import Rules
from grader.errors import UsageError, needing
from grader.intake import take_in
from grader.text import Language, say

__all__ = ["Address", "Written", "address", "write_gradebook"]

DATABASE = "gradebook.db"


class Address(msgspec.Struct, frozen=True):
    """Where a database is.

    Attributes:
        url: with its password.
        shown: without.
        expression: the same as Python that nbgrader's configuration holds.
    """

    url: str
    shown: str
    expression: str


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What became of writing a gradebook.

    Attributes:
        per: what an assignment is.
        moved: marks that moved since the last time.
        waiting: notebook -> how many cells wait for a person.
        ungraded: student and exercise or quiz whose last attempt is not graded yet.
        configured: whether nbgrader's configuration is ours.
        marks: the marks with what people gave.
    """

    per: Per
    moved: list[Movement]
    waiting: dict[str, int]
    ungraded: list[tuple[str, str]]
    configured: bool
    marks: ClassMarks


def address(folder: Path, url: str | None) -> Address:
    """Return the address of a class's database: a file in its folder, or what ``url`` says.

    Raises:
        UsageError: nbgrader's database library is not installed, or cannot read ``url``.
    """
    if url is None:
        path = folder.resolve() / DATABASE
        if "?" in str(path):  # there is no way to write one in an address
            raise UsageError(
                say("{folder} cannot hold the gradebook: no database is found behind a “?”.",
                    folder=folder),
                say("Rename the folder, or name another database with --db."),
            )  # fmt: skip
        return Address(f"sqlite:///{path}", str(path), f"f\"sqlite:///{{here / '{DATABASE}'}}\"")
    with needing("nbgrader", "class"):
        from sqlalchemy.engine import URL, make_url
        from sqlalchemy.exc import ArgumentError
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UsageError(
            say("This is no address of a database."),
            say("Write it like sqlite:////folder/gradebook.db or postgresql://user@host/name."),
        ) from None
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        parsed = parsed.set(database=str(Path(parsed.database).absolute()))
    open_ = parsed.difference_update_query(["password", "passwd"])
    open_ = URL.create(open_.drivername, open_.username, None, open_.host, open_.port,
                       open_.database, open_.query)  # fmt: skip
    bare = open_.render_as_string(hide_password=False)
    return Address(parsed.render_as_string(hide_password=False), bare, repr(bare))


def write_gradebook(
    room: Room,
    collected: Collected,
    rules: Rules,
    place: Address,
    *,
    per: Per | None,
    language: Language,
    on_student: Callable[[], None],
) -> Written:
    """Bring the gradebook of a class up to date and say whose marks moved.

    Args:
        room: the class, graded.
        collected: who handed in what, when.
        rules: which attempt counts and what lateness costs.
        place: of the database.
        per: what an assignment is; as it was before, else the chapter, if left out.
        language: of comments and pages.
        on_student: called after each student.

    Raises:
        UsageError: nothing is graded, the database does not work, or is laid out otherwise.
    """
    found = class_marks(room, collected, rules, Given())
    former = collected.former()
    before = read_kept(room.folder, former)
    names = [student.student for student in found.students]
    with open_book(place.url, chapter_name(room.course)) as book:
        per = _layout(book, room, per)
        assignments = lay_out(room, found, rules, per)
        if not assignments:
            raise UsageError(
                say("Nothing of this class is graded yet."),
                say("Grade it first: grade batch {folder}", folder=as_word(room.folder)),
            )
        extras = _extras(before, found)
        given = book.given(assignments, [*names, *former], extras)
        given = given.over(read_given(room.folder)).renamed(former)
        write_given(room.folder, given.without_blanks())
        counted = class_marks(room, collected, rules, given)
        run = _Run(room, collected, rules, assignments, language)
        configured = run.prepare(book, place)
        judged = run.write(book, found, counted, given=given, before=before, on_student=on_student)
        book.forget(former)
        book.clear_away(assignments, _without_result(room, assignments))
        waiting = book.waiting(assignments)
        given = book.given(assignments, names, extras).over(given).without_blanks()
        write_given(room.folder, given)
    after = keep(room, found, counted, given, judged)
    after = _remembering(before, after, found)
    moved = movements(before, after)
    add_history(room.folder, before, after, moved)
    write_kept(room.folder, after)
    return Written(per=per, moved=moved, waiting=waiting, ungraded=list(_ungraded(found)),
                   configured=configured, marks=counted)  # fmt: skip


def _remembering(before: Kept, after: Kept, found: ClassMarks) -> Kept:
    """Return the marks now; what is not graded yet stays as it was written last.

    Otherwise a gradebook that is written between a change of the checks and the batch after it
    would forget what moves.
    """
    open_ = {
        student.student: {item.item for item in student.items if item.ungraded}
        for student in found.students
    }
    students = dict(before.students)
    for student, items in after.students.items():
        then = before.students.get(student, {})
        waiting = {id_: one for id_, one in then.items() if id_ in open_.get(student, ())}
        students[student] = items | waiting
    titles = {
        id_: before.titles.get(id_, {}) | after.titles.get(id_, {})  # those that are no more, too
        for id_ in before.titles | after.titles
    }
    return msgspec.structs.replace(after, titles=titles, students=students)


def _layout(book: Book, room: Room, per: Per | None) -> Per:
    """Return what an assignment is; a gradebook that has it otherwise would count all twice."""
    there = book.assignments()
    single = {*(e.id for e in room.course.exercises), *(f"quiz_{q.id}" for q in room.quizzes)}
    has: Per | None = "exercise" if there & single else None
    has = "chapter" if chapter_name(room.course) in there else has
    if has is not None and per not in {None, has}:
        raise UsageError(
            say("In this gradebook the whole chapter is one assignment.")
            if has == "chapter"
            else say("In this gradebook each exercise is an assignment."),
            say("Leave --per out, or give another database with --db."),
        )
    return per or has or "chapter"


def _without_result(room: Room, assignments: Iterable[Assignment]) -> set[str]:
    """Return the names of notebooks of exercises of which nothing is graded, not even the stub.

    So it is between a change of the checks and the batch after it.
    """
    laid_out = {notebook.name for one in assignments for notebook in one.notebooks}
    return {exercise.id for exercise in room.course.exercises} - laid_out


def _extras(before: Kept, found: ClassMarks) -> Extras:
    """Return the extra points of bonus checks as written before and as they are to be now."""
    extras: dict[str, dict[str, dict[str, list[float]]]] = {}
    for student in found.students:
        own = extras.setdefault(student.student, {})
        for result in student.report.exercises:
            kept = before.students.get(student.student, {}).get(result.exercise)
            own[result.exercise] = {
                check.id: [check.earned, *([kept.earned[check.id]] if kept is not None
                                           and check.id in kept.earned else [])]
                for check in result.checks
                if check.bonus
            }  # fmt: skip
    return extras


def _ungraded(found: ClassMarks) -> Iterable[tuple[str, str]]:
    for student in found.students:
        for item in student.items:
            if item.ungraded:
                yield student.student, item.item


class _Run:
    """One class on its way into the gradebook."""

    def __init__(
        self, room: Room, collected: Collected, rules: Rules, assignments: list[Assignment],
        language: Language,
    ) -> None:  # fmt: skip
        self._room, self._rules, self._assignments = room, rules, assignments
        self._language = language
        self._students = {student.id: student for student in collected.students}
        self._quizzes = {quiz.id: quiz for quiz in room.quizzes}
        self._folder = CourseFolder(room.folder)

    def prepare(self, book: Book, place: Address) -> bool:
        """Make everything that is there once for the class; return whether the config is ours."""
        book.set_up(self._assignments)
        self._folder.announce(self._assignments)
        return self._folder.configure(chapter_name(self._room.course), place.expression)

    def write(
        self, book: Book, found: ClassMarks, counted: ClassMarks, *, given: Given, before: Kept,
        on_student: Callable[[], None],
    ) -> JudgedTexts:  # fmt: skip
        """Write one student after the other; return what a person could look at."""
        judged: JudgedTexts = {}
        for plain, whole in zip(found.students, counted.students, strict=True):
            submissions = list(pages(plain, whole, self._assignments, self._rules))
            kept = before.students.get(plain.student, {})
            notes = Notes(
                given=given.students.get(plain.student, {}),
                judged={item: one.judged for item, one in kept.items()},
                comments=lambda page: comments(page, self._language),
            )
            book.write(self._students[plain.student], submissions, notes)
            self._write_pages(plain, submissions)
            judged[plain.student] = dict(_judged(submissions))
            on_student()
        return judged

    def _write_pages(self, marks: StudentMarks, submissions: list[Submission]) -> None:
        student = self._students[marks.student]
        for submission in submissions:
            self._folder.write(
                marks.student, submission,
                lambda page: notebook(page, self._source(student, page),
                                      self._quizzes.get(page.notebook.item), self._language),
            )  # fmt: skip

    def _source(self, student: Student, page: Page) -> str:
        """Return the text that was handed in; of a quiz, none."""
        item = page.notebook.item
        if item in self._quizzes:
            return ""
        attempt = next(one for one in student.attempts if one.number == page.mark.attempt)
        exercise = self._room.course.exercise(item)
        submission = take_in(exercise, self._room.folder / attempt.files[item])
        if submission.refusal is None:
            return submission.source
        return f"# {submission.refusal[1].pick(self._language)}"


def _judged(submissions: list[Submission]) -> Iterable[tuple[str, dict[str, str]]]:
    for submission in submissions:
        for page in submission.pages:
            texts = {c.id: page.entries[c.name].judged for c in page.notebook.cells if c.written}
            if texts:
                yield page.notebook.item, texts
