"""The class list, and who is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.collect.model import Who
from grader.classroom.collect.people import Enrolled, Roster, participant, read_roster
from grader.classroom.model import read_collected
from grader.errors import CourseError, UsageError
from tests.handins import DOUBLE, INDICES, collected, put

LIST = "学号,姓名,邮箱\n2026001,张三,san@example.org\n2026002,李四,\n"
MOODLE = (
    'Identifier,"Full name","ID number","Email address",Status\n'
    'Participant 1234567,"Ada Lovelace",2026001,ada@example.org,"Submitted"\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,HW1\n    Points Possible,,,,,10\n"
    '"Lovelace, Ada",1234,2026001,ada,A,\n'
)


def listed(tmp_path: Path, data: bytes) -> Roster:
    """Return the class list in these bytes."""
    path = tmp_path / "list.csv"
    path.write_bytes(data)
    return read_roster(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16"])
def test_every_encoding_that_excel_writes_is_read(tmp_path: Path, encoding: str):
    """In China that is GBK, or UTF-8 with a mark in front."""
    roster = listed(tmp_path, LIST.encode(encoding))

    assert [(s.id, s.name) for s in roster.students] == [("2026001", "张三"), ("2026002", "李四")]


def test_only_line_ends_end_a_line(tmp_path: Path):
    """A name pasted from a web page may hold a separator of Unicode's."""
    roster = listed(tmp_path, "id,name\n1,Ada\u2028Lovelace\n2,Bob\n".encode())

    assert [(one.id, one.name) for one in roster.students] == [
        ("1", "Ada\u2028Lovelace"), ("2", "Bob"),
    ]  # fmt: skip


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_every_separator_that_excel_writes_is_read(tmp_path: Path, separator: str):
    """It depends on the system's language."""
    roster = listed(tmp_path, LIST.replace(",", separator).encode())

    assert roster.students[0].email == "san@example.org"


def test_first_and_last_name_may_have_their_own_columns(tmp_path: Path):
    """As in many exports."""
    roster = listed(tmp_path, b"First name,Last name,Username\nAda,Lovelace,ada\n")

    assert roster.students == [
        Enrolled(id="ada", name="Ada Lovelace", family="Lovelace", given="Ada")
    ]


def test_moodles_worksheet_is_a_class_list(tmp_path: Path):
    """Its identifiers are the numbers in the folders' names."""
    roster = listed(tmp_path, MOODLE.encode())

    found = roster.find(Who(label="A", name="A", ids=("1234567", "participant 1234567")))
    assert found is not None
    assert (found.id, found.name) == ("2026001", "Ada Lovelace")


def test_canvas_gradebook_is_a_class_list(tmp_path: Path):
    """Its own numbers are those in the files' names; the line of points is nobody."""
    roster = listed(tmp_path, CANVAS.encode())

    assert [student.id for student in roster.students] == ["2026001"]
    assert roster.find(Who(label="1234", ids=("1234",))) == roster.students[0]
    assert roster.find(Who(label="9", name="lovelaceada")) == roster.students[0]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("id,name\n1,a\n1,b\n", 3),
        ("id,name\n1,a\n1,a\n1,b\n", 4),
        ("name,points\na,1\n", 1),
        ("", 1),
        ('id,name\n1,"a\n', None),
    ],
)
def test_a_wrong_list_is_told_with_its_line(tmp_path: Path, data: str, line: int | None):
    """Two of one id, no column that tells who is who, nothing at all."""
    if line is None:
        assert [s.name for s in listed(tmp_path, data.encode()).students] == ["a"]
        return
    with pytest.raises(CourseError) as caught:
        listed(tmp_path, data.encode())

    assert caught.value.line == line


def test_a_line_that_stands_there_twice_is_one_student(tmp_path: Path):
    """Lists are glued together; only lines that differ contradict each other."""
    again = "2026001 ,张三, san@example.org\n,,\n2026002,李四,\n"

    roster = listed(tmp_path, (LIST + again).encode("gbk"))

    assert [(s.id, s.name) for s in roster.students] == [("2026001", "张三"), ("2026002", "李四")]


def test_a_list_that_is_not_there_is_told(tmp_path: Path):
    """Usage, not a traceback."""
    with pytest.raises(UsageError):
        read_roster(tmp_path / "no.csv")


CLASS = Roster(
    [
        Enrolled(id="2026001", name="张三", email="san@example.org"),
        Enrolled(id="2026002", name="李四"), Enrolled(id="2026003", name="王小明"),
        Enrolled(id="2026004", name="王小"), Enrolled(id="2026005", name="张伟"),
        Enrolled(id="2026006", name="张伟"), Enrolled(id="wang7", name="Fang Wang"),
        Enrolled(id="li8", name="Ann Li"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026001", "2026001"), ("2026001 张三", "2026001"), ("2026001张三", "2026001"),
        ("张三_作业3", "2026001"), ("作业3张三", "2026001"), ("三班-李四-第2次作业", "2026002"),
        ("王小明", "2026003"), ("王小", "2026004"), ("张三丰", None), ("张伟", None),
        ("张伟2026006", "2026006"), ("Fang Wang", "wang7"), ("wang_fang hw1", "wang7"),
        ("Wang Wei", None), ("Joann Liu", None), ("ann.li", "li8"), ("hw 1", None), ("", None),
    ],
)  # fmt: skip
def test_only_a_whole_number_or_name_tells_who_is_meant(text: str, wanted: str | None):
    """Work never goes to somebody else because part of a name is alike."""
    found = CLASS.find(Who(label=text, text=text))

    assert (found.id if found is not None else None) == wanted


def test_accents_and_the_order_of_names_do_not_matter():
    """Platforms write both ways."""
    roster = Roster([Enrolled(id="1", name="José García")])

    assert roster.find(Who(label="x", name="Garcia, Jose")) == roster.students[0]
    assert roster.find(Who(label="x", name="garciajose")) == roster.students[0]


def test_an_empty_list_knows_nobody():
    """Without one every student keeps the name of the source."""
    assert not Roster()
    assert Roster().find(Who(label="ada", name="Ada", text="ada")) is None


# --- numbers of platforms, and names that several bear -------------------------------------------

TWINS = Roster([Enrolled(id="2026001", name="张伟"), Enrolled(id="2026002", name="张伟")])
WORKSHEET = (
    "标识符,全名,学号\n参与者7001,张伟,2026001\n参与者 7002,张伟,2026002\n"
    "Participant 7003,李四,2026003\n"
)


@pytest.mark.parametrize(
    ("who", "wanted"),
    [
        # Moodle's 101 is 张三 in this assignment, and 李四 at school.
        (Who(label="张三", name="张三", ids=participant("101"), text="张三"), "102"),
        (Who(label="王五", name="王五", ids=participant("101"), text="王五"), None),
        (Who(label="101", name="lovelaceada", ids=("101",)), None),
        (Who(label="101", name="sili", ids=("101",)), None),
        (Who(label="101", name="", ids=("101",)), "101"),
        (Who(label="101", name="李四", ids=("101",)), "101"),
        (Who(label="101 王五", text="101 王五", sure=False), None),
    ],
)
def test_a_platforms_number_is_no_id_of_the_school(who: Who, wanted: str | None):
    """Two numbers that are equal by chance give nobody's work to somebody else."""
    roster = Roster([Enrolled(id="101", name="李四"), Enrolled(id="102", name="张三")])

    found = roster.find(who)

    assert (found.id if found is not None else None) == wanted


@pytest.mark.parametrize("list_first", [True, False])
def test_work_under_a_number_that_is_somebodys_id_stays_apart(
    course: Path, tmp_path: Path, *, list_first: bool
):
    """Canvas counts Ada by 204, which is the id of 王五; the list may come first or later."""
    put(tmp_path / "hw", {"lovelaceada_204_55_double.py": DOUBLE})
    roster = Roster([Enrolled(id="204", name="王五")])

    for one in (roster, Roster()) if list_first else (Roster(), roster, roster):
        collected(course, tmp_path / "hw", tmp_path / "class", one)

    students = read_collected(tmp_path / "class").students
    assert [(s.id, s.name, s.number, len(s.attempts)) for s in students] == [
        ("204", "王五", "", 0), ("lovelaceada_204", "lovelaceada", "204", 1),
    ]  # fmt: skip


def test_a_corrected_name_on_the_list_moves_no_work(course: Path, tmp_path: Path):
    """An id of the school is sure whatever the name is."""
    put(tmp_path / "hw", {"2026001/double.py": DOUBLE})

    for name in ("王武", "李五"):
        collected(
            course, tmp_path / "hw", tmp_path / "class", Roster([Enrolled(id="2026001", name=name)])
        )

    students = read_collected(tmp_path / "class").students
    assert [(s.id, s.name, len(s.attempts)) for s in students] == [("2026001", "李五", 1)]


def test_two_of_one_name_on_the_list_are_told_apart_by_a_person(course: Path, tmp_path: Path):
    """They are on the list; who is meant is for a person to say, each time it is collected."""
    put(tmp_path / "hw", {
        "张伟_7001_assignsubmission_file_/double.py": DOUBLE,
        "张伟_7002_assignsubmission_file_/double.py": INDICES,
    })  # fmt: skip

    for _ in range(2):
        report = collected(course, tmp_path / "hw", tmp_path / "class", TWINS)

        assert [s.namesakes for s in report.students] == [["2026001", "2026002"]] * 2
        assert report.refused


def test_moodles_own_list_tells_them_apart_later(course: Path, tmp_path: Path):
    """Its identifiers are the numbers behind the names, whatever language it was exported in."""
    put(tmp_path / "hw", {
        "张伟_7001_assignsubmission_file_/double.py": DOUBLE,
        "张伟_7002_assignsubmission_file_/double.py": INDICES,
        "李四_7003_assignsubmission_file_/double.py": DOUBLE,
    })  # fmt: skip
    sheet = listed(tmp_path, WORKSHEET.encode("gbk"))

    for roster in (Roster(), sheet):
        report = collected(course, tmp_path / "hw", tmp_path / "class", roster)

    assert not report.refused
    assert read_collected(tmp_path / "class").former() == {
        "张伟_7001": "2026001", "张伟_7002": "2026002", "李四": "2026003",
    }  # fmt: skip
    students = read_collected(tmp_path / "class").students
    assert [(s.id, [a.origin for a in s.attempts]) for s in students] == [
        (f"202600{i}", [f"hw/{name}_700{i}_assignsubmission_file"])
        for i, name in ((1, "张伟"), (2, "张伟"), (3, "李四"))
    ]


@pytest.mark.parametrize("list_first", [True, False])
def test_a_class_list_holds_for_later_collections(
    course: Path, tmp_path: Path, *, list_first: bool
):
    """Who forgets to name it again gets no second 张三; what is new of him is his."""
    put(tmp_path / "hw1", {"张三/double.py": DOUBLE, "李四/double.py": DOUBLE})
    put(tmp_path / "hw2", {"2026001 张三/indices.py": INDICES, "王五/indices.py": INDICES})
    roster = Roster([Enrolled(id="2026001", name="张三"), Enrolled(id="2026002", name="李四")])
    folder = tmp_path / "class"
    if not list_first:
        collected(course, tmp_path / "hw1", folder, Roster())

    collected(course, tmp_path / "hw1", folder, roster)
    again = collected(course, tmp_path / "hw1", folder, Roster())
    later = collected(course, tmp_path / "hw2", folder, Roster())

    assert [(s.id, s.known, s.new) for s in again.students] == [
        ("2026001", 1, []),
        ("2026002", 1, []),
    ]
    assert [(s.id, s.listed) for s in later.students] == [("2026001", True), ("王五", False)]
    students = read_collected(folder).students
    assert [(s.id, len(s.attempts)) for s in students] == [
        ("2026001", 2),
        ("2026002", 1),
        ("王五", 1),
    ]
