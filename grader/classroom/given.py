"""What people gave: marks and comments by hand, which no regrade takes away.

They are given in the gradebook's own pages and read back into ``given.json``, so that every other
report of the class knows them without opening a database, and a new database gets them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader.classroom.files import read_json, write_json
from grader.results import CheckResult, ExerciseResult, ItemResult, Mark, QuizResult
from grader.scoring import item_points, totals
from grader.text import Text, say

__all__ = ["ANSWER", "Given", "GivenMark", "read_given", "with_given", "write_given"]

GIVEN = "given.json"
SCHEMA = "grade-given/1"
ANSWER = "your-answer"  # where a comment on a whole exercise stands; no check can be called so


class GivenMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person gave for one check or quiz item.

    Attributes:
        score: points instead of those that were found; None where there are none.
        extra: points on top of that.
        comment: for the student.
        again: whether what it was given for has changed since, so that a person should look again.
    """

    score: float | None = None
    extra: float | None = None
    comment: str = ""
    again: bool = False

    def over(self, found: float, *, bonus: bool = False) -> float:
        """Return the points that count where ``found`` were found, as extra points if ``bonus``."""
        base, top = (0.0, found) if bonus else (found, 0.0)
        return (base if self.score is None else self.score) + (
            top if self.extra is None else self.extra
        )


Marks = Mapping[str, GivenMark]  # id of a check or quiz item -> what was given


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """Student id -> id of an exercise or quiz -> id of a check or quiz item -> what was given."""

    schema: str = SCHEMA
    students: dict[str, dict[str, dict[str, GivenMark]]] = {}

    def to(self, student: str, item: str) -> dict[str, GivenMark]:
        """Return what was given to a student for an exercise or quiz."""
        return self.students.get(student, {}).get(item, {})

    def over(self, older: Given) -> Given:
        """Return this, and of ``older`` what this does not name."""
        students = {
            student: older.students.get(student, {}) | self.students.get(student, {})
            for student in sorted({*older.students, *self.students})
        }
        return Given(students=students)

    def renamed(self, former: Mapping[str, str]) -> Given:
        """Return this with what stands under ``former`` ids under today's, which go first."""
        students = {id_: one for id_, one in self.students.items() if id_ not in former}
        for old, new in former.items():
            older, newer = self.students.get(old, {}), students.get(new, {})
            if older:
                students[new] = newer | {
                    item: marks | newer.get(item, {}) for item, marks in older.items()
                }
        return Given(students=students)

    def without_blanks(self) -> Given:
        """Return this without those who were given nothing."""
        kept = {
            student: {item: marks for item, marks in items.items() if marks}
            for student, items in self.students.items()
        }
        return Given(students={student: items for student, items in kept.items() if items})


def read_given(folder: Path) -> Given:
    """Read what people gave to the class in ``folder``; nothing where there is no file.

    Raises:
        CourseError: the file is damaged. It is the only copy beside the database.
    """
    return read_json(folder / GIVEN, Given) or Given()


def write_given(folder: Path, given: Given) -> None:
    """Write ``given``, unless it stands there already."""
    write_json(folder / GIVEN, given)


def with_given(result: ExerciseResult | QuizResult, given: Marks) -> ExerciseResult | QuizResult:
    """Return ``result`` with what people gave in place of what was found."""
    if not given:
        return result
    if isinstance(result, ExerciseResult):
        return _exercise(result, given)
    items = [_item(item, given[item.id]) if item.id in given else item for item in result.items]
    points = item_points(items)
    return msgspec.structs.replace(
        result, items=items, earned=points.earned, possible=points.possible,
        notices=_noted(result.notices, given),
    )  # fmt: skip


def _exercise(result: ExerciseResult, given: Marks) -> ExerciseResult:
    checks = [_check(c, given[c.id]) if c.id in given else c for c in result.checks]
    earned, possible = totals(checks)
    return msgspec.structs.replace(
        result, checks=checks, earned=earned, possible=possible,
        notices=_noted(result.notices, given),
    )  # fmt: skip


def _noted(notices: list[Text], given: Marks) -> list[Text]:
    """Return notices with what a person said of the whole."""
    comment = given[ANSWER].comment if ANSWER in given else ""
    return [*notices, _comment(comment)] if comment else notices


def _check(check: CheckResult, given: GivenMark) -> CheckResult:
    if given.score is None and given.extra is None:
        return check
    earned = given.over(check.earned, bonus=check.bonus)
    said = say("Marked by a person: {points} points.", points=f"{earned:g}")
    return msgspec.structs.replace(check, earned=earned, messages=[*check.messages, said])


def _item(item: ItemResult, given: GivenMark) -> ItemResult:
    # What the words of a text suggested has had its day once a person has read it.
    messages = [] if item.type == "text" else item.messages
    messages = [*messages, *([_comment(given.comment)] if given.comment else [])]
    item = msgspec.structs.replace(item, messages=messages, suggested=None)
    if given.score is None and (given.extra is None or item.mark is Mark.PENDING):
        return item
    earned = given.over(item.earned)
    mark = Mark.RIGHT if earned >= item.points else Mark.PARTLY if earned > 0 else Mark.WRONG
    return msgspec.structs.replace(item, earned=earned, mark=mark)


def _comment(comment: str) -> Text:
    return say("Your teacher says: {comment}", comment=comment)
