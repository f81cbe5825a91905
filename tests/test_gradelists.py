"""Marks for Canvas, Moodle, Gradescope and spreadsheets, read back as those read them."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.classroom.given import Given, GivenMark, write_given
from grader.classroom.gradelists import Form, Listed, write_marks
from grader.classroom.platformlist import read_platform_list
from grader.errors import CourseError, UsageError
from tests.commandline import run_grade
from tests.smallclass import Place, attempt, grade_class, hand_in, marks_of, open_class

TITLES = ["01 Double", "02 Indices", "01 Quiz Words"]


def written(place: Place, form: Form, roster: Path | None = None) -> tuple[Listed, str]:
    """Write the marks of a class; return what was said and the text of the table."""
    room, target = open_class(place), place.folder / "out"
    known = read_platform_list(roster, form) if roster is not None else None
    listed = write_marks(
        marks_of(place), room.course, room.quizzes, form, target, language="en", roster=known
    )
    return listed, target.read_bytes().decode("utf-8") if target.is_file() else ""


def as_canvas_reads(text: str) -> tuple[dict[str, float], dict[str, dict[str, str]]]:
    """Return points possible and, by SIS id or name, the grades, as Canvas's importer does.

    It wants "Student" in the first column's name and "ID" in the second's; if the third is the SIS
    user id and the fourth the SIS login id, then "Section" has to be the fifth.
    """
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2])
    assert re.search(r"SIS\s+Login\s+ID", header[3])
    assert "Section" in header[4]
    titles = header[5:]
    assert len(set(titles)) == len(titles)
    assert not any(re.search(r"\(\d+\)\s*$", title) for title in titles)  # would be an id
    points: dict[str, float] = {}
    grades: dict[str, dict[str, str]] = {}
    for row in rows:
        if "Points Possible" in row[0]:
            points = {t: float(p) for t, p in zip(titles, row[5:], strict=True)}
        else:
            grades[row[2] or row[0]] = dict(zip(titles, row[5:], strict=True))
    return points, grades


def test_canvas_gets_marks_after_lateness(place: Place) -> None:
    """Points in the second row; what nobody handed in stays empty."""
    listed, text = written(place, "canvas")

    points, grades = as_canvas_reads(text)

    assert points == dict(zip(TITLES, [6, 3, 5], strict=True))
    assert grades["ann"] == dict(zip(TITLES, ["6", "1", "2"], strict=True))
    assert grades["s2"] == dict(zip(TITLES, ["5.4", "", ""], strict=True))
    assert grades["x/y #3"] == dict(zip(TITLES, ["3", "5", "0"], strict=True))
    assert grades["zoe"] == dict.fromkeys(TITLES, "")
    names = [row[0] for row in csv.reader(io.StringIO(text, newline=""))][2:]
    assert names == ["Lovelace, Ada", "王小明", '\'=HYPERLINK("x"), ‹b›Eve‹/b›', "zoe"]
    assert not text.startswith("\ufeff")
    assert listed.unfinished == ["ann", "x/y #3"]  # their texts wait for a person


def test_what_is_not_graded_yet_is_no_nought(place: Place) -> None:
    """After a change of the checks exercise 01 is open; a platform would take a zero."""
    hidden = place.root / "solutions" / "01_double" / "test_hidden.py"
    hidden.write_text(hidden.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")

    listed, text = written(place, "canvas")

    grades = {row[2]: row[5:] for row in csv.reader(io.StringIO(text, newline=""))}
    assert grades["ann"] == ["", "1", "2"]
    assert grades["s2"] == ["", "", ""]
    assert grades["zoe"] == ["", "", ""]
    assert listed.ungraded == ["ann", "s2", "x/y #3"]
    (place.folder / "out").unlink()
    files = written(place, "gradescope")[0].files
    assert [path.name for path in files] == ["zoe.json"]  # a sum without it would be too small
    words = ("export", "marks", str(place.folder), "--course", str(place.root), "--format", "csv")
    done = run_grade(place.root, *words, "--lang", "en")
    assert done.code == 1
    assert "not graded yet" in done.out
    assert "grade batch" in done.out


def test_canvas_knows_its_students_again(place: Place) -> None:
    """With Canvas's own export, numbers and spelling are Canvas's; who is not there is named."""
    roster = place.folder / "canvas export.csv"
    roster.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Old essay (12)\r\n"
        "    Points Possible,,,,,10\r\n"
        '"Lovelace, Ada",501,,ANN,A,7\r\n'
        "王小明,502,20260001,wxm,B,8\r\n"
        "Somebody else,503,,else,B,9\r\n",
        encoding="utf-8",
    )

    listed, text = written(place, "canvas", roster)

    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *TITLES]
    assert rows[2:] == [
        ["Lovelace, Ada", "501", "", "ANN", "A", "6", "1", "2"],  # by the login
        ["王小明", "502", "20260001", "wxm", "B", "5.4", "", ""],  # by the name
    ]
    assert listed.unmatched == ["x/y #3", "zoe"]


def test_moodle_gets_names_and_ids(place: Place) -> None:
    """Names in two columns, the id, and no cell that a spreadsheet would compute."""
    _, text = written(place, "moodle")

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["ID number"] for row in rows] == ["ann", "s2", "x/y #3", "zoe"]
    assert (rows[1]["Last name"], rows[1]["First name"], rows[1]["01 Double"]) == (
        "王",
        "小明",
        "5.4",
    )
    assert rows[2]["Last name"].startswith("'=")
    assert {None} & {key for row in rows for key in row} == set()


def test_moodle_knows_its_students_by_mail_and_name(place: Place) -> None:
    """Chinese column names and a file saved by a Chinese spreadsheet."""
    roster = place.folder / "成绩.csv"
    roster.write_bytes(
        "姓氏,名,学号,电子邮件地址,课程总分\r\n王,小明,,wxm@x.cn,3\r\nX,Y,ZOE,z@x.cn,\r\n".encode(
            "gb18030"
        )
    )

    listed, text = written(place, "moodle", roster)

    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0][:4] == ["姓氏", "名", "学号", "电子邮件地址"]
    assert [row[:5] for row in rows[1:]] == [
        ["王", "小明", "", "wxm@x.cn", "5.4"], ["X", "Y", "ZOE", "z@x.cn", ""],
    ]  # fmt: skip
    assert listed.unmatched == ["ann", "x/y #3"]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_list_with_other_separators_is_read(place: Place, separator: str) -> None:
    """As Canvas and Moodle write them for languages in which a comma stands in numbers."""
    roster = place.folder / "list.csv"
    lines = ["Student,ID,SIS User ID,Section", "王小明,502,20260001,B"]
    text = "\n".join(line.replace(",", separator) for line in lines)
    roster.write_text(text, encoding="utf-8")

    listed, text = written(place, "canvas", roster)

    assert list(csv.reader(io.StringIO(text, newline="")))[2][:4] == [
        "王小明", "502", "20260001", "B",
    ]  # fmt: skip
    assert "s2" not in listed.unmatched


def test_a_list_that_is_no_text_is_said(place: Place) -> None:
    """A spreadsheet's own file is no table without columns."""
    roster = place.folder / "list.xlsx"
    roster.write_bytes(b"PK\x03\x04\x00\xff")

    with pytest.raises(CourseError, match=r"list\.xlsx"):
        read_platform_list(roster, "canvas")


def test_two_of_the_class_who_are_one_on_the_list_are_left_out(place: Place) -> None:
    """One by the number of the school, one by Canvas's: the second line would empty the first."""
    hand_in(place, "s2", attempt(place.folder, "s2", 3, -1, indices="passed"))
    path = place.folder / "collected.json"
    raw = json.loads(path.read_bytes())
    again = next(one for one in raw["students"] if one["id"] == "s2")
    raw["students"].append(again | {"id": "4711", "name": "wangxiaoming", "number": "4711"})
    path.write_text(json.dumps(raw), encoding="utf-8")
    grade_class(place)
    roster = place.folder / "list.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"王小明",4711,s2,wxm,A\n"Lovelace, Ada",12,ann,ada,A\n',
        encoding="utf-8",
    )

    listed, text = written(place, "canvas", roster)

    assert listed.doubled == [["s2", "4711"]]
    assert listed.unmatched == ["x/y #3", "zoe"]
    rows = [row[:3] for row in csv.reader(io.StringIO(text, newline=""))][2:]
    assert rows == [["Lovelace, Ada", "12", "ann"]]


def test_two_of_one_name_are_not_mixed_up(place: Place) -> None:
    """Where a name does not tell, nobody gets the mark."""
    roster = place.folder / "list.csv"
    roster.write_text("Student,ID,Section\n王小明,1,A\n王小明,2,B\n", encoding="utf-8")

    listed, text = written(place, "canvas", roster)

    assert "s2" in listed.unmatched
    assert "5.4" not in text


def test_a_number_of_the_schools_is_not_canvas_own(place: Place) -> None:
    """Numbers on the two sides are counted apart, whoever else may bear them."""
    roster = place.folder / "list.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\nA,1001,7,,\nB,7,1001,,\nC,9,,,\n"
        "D,8,5,,\nE,6,5,,\nF,3,33,,\nF,3,33,,\n",
        encoding="utf-8",
    )
    known = read_platform_list(roster, "canvas")
    nobody = marks_of(place).students[0]

    def found(**who: str) -> str | None:
        student = msgspec.structs.replace(nobody, **{"name": "", "number": "", **who})
        columns = known.find(student)
        return columns[0] if columns is not None else None

    assert found(student="1001") == "B"
    assert found(student="1001", number="1001") == "A"
    assert found(student="9", name="Z") is None  # 9 of the school is not the 9 of Canvas
    assert found(student="9") == "C"  # all that is known
    assert found(student="5") is None  # two
    assert found(student="x", name="D") == "D"
    assert found(student="33") == found(student="x", number="3") == "F"  # one line, twice


def test_canvas_own_number_is_written_only_where_it_is_known(place: Place) -> None:
    """Canvas finds by the first column that it knows: a school's number there may be another's."""
    room, marks = open_class(place), marks_of(place)
    numbers = {"ann": "501", "s2": "Participant 7"}
    students = [
        msgspec.structs.replace(one, student="20260001" if one.student == "zoe" else one.student,
                                number=numbers.get(one.student, "")) for one in marks.students
    ]  # fmt: skip
    target = place.folder / "out"

    write_marks(msgspec.structs.replace(marks, students=students), room.course, room.quizzes,
                "canvas", target, language="en")  # fmt: skip

    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))[1:]
    assert {row["SIS User ID"]: row["ID"] for row in rows} == {
        "ann": "501", "s2": "", "x/y #3": "", "20260001": "",
    }  # fmt: skip


def test_a_list_without_students_is_said(place: Place) -> None:
    """A file that says nothing of students."""
    roster = place.folder / "list.csv"
    roster.write_text("a,b\n1,2\n", encoding="utf-8")

    with pytest.raises(UsageError, match="no column"):
        read_platform_list(roster, "canvas")


def test_the_plain_table_has_objectives(place: Place) -> None:
    """Each mark beside what it is of; shares of objectives by hand."""
    write_given(place.folder, Given(students={"ann": {"01_words": {"why": GivenMark(score=3)}}}))
    _, text = written(place, "csv")

    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    ann = next(row for row in rows if row[0] == "ann")
    assert text.startswith("\ufeff")
    # 01: 6/6, 02: 1/3, quiz: 2 + 3 of 5; "values" is 01 and the quiz, "order" is 02.
    assert ann[1:8] == ["Lovelace, Ada", "6", "6", "1", "3", "5", "5"]
    assert ann[8:11] == ["1", "0.3333", ""]
    assert ann[11:] == ["12", "14"]


def test_gradescope_gets_a_file_for_each(place: Place) -> None:
    """The mark, every check, and of hidden checks the outcome only."""
    written(place, "gradescope")

    found: dict[str, Any] = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in (place.folder / "out").glob("*.json")
    }
    assert len(found) == 4
    assert found["s2"]["score"] == 5.4
    assert found["s2"]["output"] == "01_double: 1 days late, 10% off"
    by_name = {test["name"]: test for test in found["ann"]["tests"]}
    assert by_name["02 order"] == {
        "name": "02 order", "number": "02.2", "score": 0.0, "max_score": 1.0, "status": "failed",
        "output": "failed", "output_format": "text", "tags": ["order"], "visibility": "visible",
    }  # fmt: skip
    assert by_name["02 larger"]["max_score"] == 0
    assert "status" not in by_name["Words 2"]  # a text that waits for a person
    assert sum(test["score"] for test in found["ann"]["tests"]) == 9


def test_the_command_writes_into_the_class(place: Place) -> None:
    """Where it went is said, and what is unfinished; Gradescope has no list."""
    words = ("export", "marks", str(place.folder), "--course", str(place.root), "--format")

    done = run_grade(place.root, *words, "canvas", "--json")
    wrong = run_grade(
        place.root, *words, "gradescope", "--roster", str(place.root / "quizzes/01_words.yaml")
    )

    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["files"] == [str(place.folder / "canvas.csv")]
    assert found["unfinished"] == ["ann", "x/y #3"]
    assert "Canvas and Moodle" in wrong.failed_with(2)
