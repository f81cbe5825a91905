"""The class list, and who is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.collect.model import Who
from grader.classroom.collect.people import Enrolled, Roster, read_roster
from grader.errors import CourseError, UsageError

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
    [("id,name\n1,a\n1,b\n", 3), ("name,points\na,1\n", 1), ("", 1), ('id,name\n1,"a\n', None)],
)
def test_a_wrong_list_is_told_with_its_line(tmp_path: Path, data: str, line: int | None):
    """Two of one id, no column that tells who is who, nothing at all."""
    if line is None:
        assert [s.name for s in listed(tmp_path, data.encode()).students] == ["a"]
        return
    with pytest.raises(CourseError) as caught:
        listed(tmp_path, data.encode())

    assert caught.value.line == line


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
