"""Who is who: the class list, and how a source's students are found on it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from grader.classroom.collect.model import Who
from grader.classroom.collect.names import plain
from grader.classroom.table import read_rows
from grader.errors import CourseError
from grader.text import say

__all__ = ["Enrolled", "Roster", "participant", "read_roster", "same_name"]

# What columns are called in lists people keep, in Moodle's grading worksheet and in Canvas's
# gradebook; of the columns that name a student, the first in this order is the id.
ID_HEADINGS = (
    "id", "student id", "student_id", "studentid", "学号", "学生编号", "考生号", "id number",
    "idnumber", "sis user id", "sis login id", "username", "user name", "用户名", "账号", "user",
    "login", "netid",
)  # fmt: skip
NAME_HEADINGS = (
    "name",
    "full name",
    "fullname",
    "student",
    "student name",
    "姓名",
    "学生姓名",
    "全名",
)
FIRST_HEADINGS = ("first name", "firstname", "given name", "名")
LAST_HEADINGS = ("last name", "lastname", "surname", "family name", "姓")
EMAIL_HEADINGS = (
    "email", "e-mail", "email address", "mail", "邮箱", "电子邮箱", "电子邮件", "电子邮件地址",
)  # fmt: skip
OTHER_HEADINGS = ("identifier", "participant", "编号", "标识符", "canvas id", "moodle id")
NOT_PEOPLE = {"points possible"}  # Canvas's second line
# "Participant 1234567" in any language.
COUNTED = re.compile(r"[^\W\d_]+ *(\d+)")
WORD = re.compile(r"[^\W_]+")
STOP_WORDS = re.compile(
    r"(?:第[一二三四五六七八九十\d]+[次章讲周题]|[一二三四五六七八九十\d]+班|作业|练习|实验|提交|答案|课程|同学"
    r"|最终版|终版|副本|学号|姓名)"
)
PARTICIPANT = "participant "  # before Moodle's number of a student in an assignment
NUMBER_LEAST = 4  # characters of an id that is believed among other things
WORDS_MOST = 4  # of a name
WESTERN_NAME_PARTS = 2


class Enrolled(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the class list.

    Attributes:
        family: family name, where the list has a column for it.
        given: given name, likewise.
        number: what the learning platform itself counts the student by.
        keys: everything else the student may be called by, compared as a whole.
    """

    id: str
    name: str = ""
    email: str = ""
    family: str = ""
    given: str = ""
    number: str = ""
    keys: tuple[str, ...] = ()


class Roster:
    """The class list; an empty one knows nobody.

    Args:
        students: its lines.
    """

    def __init__(self, students: Iterable[Enrolled] = ()) -> None:
        self.students = sorted(students, key=lambda student: student.id)
        self._keys: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        self._by_id = {student.id: student for student in self.students}
        for student in self.students:
            for key in (student.id, student.email, student.email.partition("@")[0], *student.keys):
                if key:
                    self._keys.setdefault(plain(key), set()).add(student.id)
            for name in _orders(student.name):
                self._names.setdefault(name, set()).add(student.id)

    def __bool__(self) -> bool:
        return bool(self.students)

    def find(self, who: Who) -> Enrolled | None:
        """Return the student a source means; None where none or more than one may be meant."""
        for key in (*who.ids, who.label):
            found = self._only(self._keys.get(plain(key), set()))
            if found is not None and _may_be(found, key, who.name):
                return found
        for name in (who.name, who.label, who.text):
            if (found := self._only(self._names.get(_letters(name), set()))) is not None:
                return found
        return self._only(self._within(who.text)) or self._only(self._within(who.name))

    def find_entered(self, id_: str, name: str) -> Enrolled | None:
        """Return the student who was entered as ``id_`` when there was no list."""
        number = id_.removeprefix(f"{name}_") if name else id_  # Moodle's, where two have one name
        ids = participant(number) if number != id_ and number.isdecimal() else ()
        return self.find(Who(label=id_, name=name, ids=ids, text=name or id_))

    def namesakes(self, who: Who) -> list[str]:
        """Return the ids of several students of whom any may be meant; empty where none may."""
        named = [self._names.get(_letters(name), set()) for name in (who.name, who.label, who.text)]
        for ids in (*named, self._within(who.text), self._within(who.name)):
            if len(ids) > 1:
                return sorted(ids)
        return []

    def _only(self, ids: set[str]) -> Enrolled | None:
        return self._by_id[next(iter(ids))] if len(ids) == 1 else None

    def _within(self, text: str) -> set[str]:
        """Return the ids of those whose number or whole name stands in ``text`` with other things.

        Part of a name is not enough: 张三 is not 张三丰, and work must never go to another.
        """
        words = WORD.findall(STOP_WORDS.sub(" ", plain(text)))
        runs = [run for word in words for run in re.findall(r"[a-z0-9]+|[^a-z0-9]+", word)]
        numbers = {w for w in (*words, *runs) if len(w) >= NUMBER_LEAST and re.search(r"\d", w)}
        if by_id := {id_ for word in numbers for id_ in self._keys.get(word, set())}:
            return by_id
        spans = {
            _letters("".join(part[i:j]))
            for part in (words, runs)
            for i in range(len(part))
            for j in range(i + 1, min(len(part), i + WORDS_MOST) + 1)
        }
        longest = max((len(span) for span in spans if span in self._names), default=0)
        return {i for span in spans if len(span) == longest for i in self._names.get(span, set())}


def participant(number: str) -> tuple[str, ...]:
    """Return what Moodle's lists may call the student whom its downloads call ``number``."""
    return (number, PARTICIPANT + number) if number else ()


def _may_be(student: Enrolled, key: str, name: str) -> bool:
    """Whether somebody called ``key`` and ``name`` elsewhere can be this student.

    Platforms count people by numbers of their own. One that the class list knows as such is sure;
    one that is merely the same as a student's id may be anybody's, so the name must not be another.
    """
    return plain(key) in _counts(student) or same_name(student.name, name)


def same_name(one: str, other: str) -> bool:
    """Whether two names may be one person's; an empty one may be anybody's."""
    if not (one and other):
        return True
    return not {_letters(one), *_orders(one)}.isdisjoint({_letters(other), *_orders(other)})


def _counts(student: Enrolled) -> set[str]:
    """Return what the platform counts a student by, as far as the class list has it."""
    return {plain(student.number), *(k for k in student.keys if k.startswith(PARTICIPANT))} - {""}


def _letters(text: str) -> str:
    """Return a name for comparing: letters and digits only, without accents, folded."""
    split = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in split if character.isalnum())


def _orders(name: str) -> Iterator[str]:
    """Yield the ways a platform may write a name: as it is, and with the family name first."""
    yield from {_letters(name)} - {""}
    last, comma, first = name.partition(",")
    words = [last, first] if comma else name.split()
    if len(words) >= WESTERN_NAME_PARTS:
        yield _letters("".join([words[-1], *words[:-1]]))
        yield _letters("".join([*words[1:], words[0]]))


def read_roster(path: Path | None) -> Roster:
    """Read a class list: a CSV file with a line of headings, in any encoding Excel writes.

    Raises:
        UsageError: it cannot be read.
        CourseError: it is no class list, or names one student twice; says the line.
    """
    if path is None:
        return Roster()
    rows = read_rows(path)
    if not rows:
        raise CourseError(path, 1, say("The class list is empty."))
    columns = _columns(rows[0][1], path)
    students: dict[str, Enrolled] = {}
    for line, row in rows[1:]:
        student = _student(row, columns)
        if student is None:
            continue
        if students.get(student.id, student) != student:
            raise CourseError(
                path, line, say("The class list names {id} twice.", id=repr(student.id)),
                say("Every student needs an id of their own."),
            )  # fmt: skip
        students[student.id] = student
    return Roster(students.values())


def _columns(headings: list[str], path: Path) -> dict[str, list[int]]:
    """Return what each kind of column is in: positions, the best first."""
    known = {
        "id": ID_HEADINGS, "name": NAME_HEADINGS, "first": FIRST_HEADINGS, "last": LAST_HEADINGS,
        "email": EMAIL_HEADINGS, "other": OTHER_HEADINGS,
    }  # fmt: skip
    found = [plain(heading) for heading in headings]
    if "student" in found and "sis login id" in found:  # Canvas: `ID` is a number of its own
        found = ["canvas id" if heading == "id" else heading for heading in found]
    columns = {
        kind: [found.index(heading) for heading in names if heading in found]
        for kind, names in known.items()
    }
    if not columns["id"] and not columns["email"]:
        raise CourseError(
            path, 1, say("No column of the class list says who is who."),
            say("Its first line needs the headings id, name, email (or 学号, 姓名, 邮箱)."),
        )  # fmt: skip
    return columns


def _student(row: list[str], columns: dict[str, list[int]]) -> Enrolled | None:
    def cells(kind: str) -> list[str]:
        held = (row[index].strip() for index in columns[kind] if index < len(row))
        return [cell for cell in held if cell]

    ids, emails = cells("id"), cells("email")
    name = (cells("name") or [" ".join([*cells("first"), *cells("last")])])[0]
    if plain(name) in NOT_PEOPLE or not (ids or emails):
        return None
    id_, *others = [*ids, *emails]
    numbers = cells("other")
    given, family, email, number = (
        (held or [""])[0] for held in (cells("first"), cells("last"), emails, numbers)
    )
    moodles = [PARTICIPANT + found[1] for cell in numbers if (found := COUNTED.fullmatch(cell))]
    return Enrolled(id=id_, name=name, email=email, family=family, given=given, number=number,
                    keys=(*others, *numbers, *moodles))  # fmt: skip
