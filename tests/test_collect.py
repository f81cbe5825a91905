"""Collecting a class: nothing lost, nothing twice, one student's trouble is nobody else's."""

from __future__ import annotations

import datetime
import errno
import json
import os
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.classroom.batch import run_units
from grader.classroom.collect.facts import Facts
from grader.classroom.collect.keep import Incoming, Keeper
from grader.classroom.collect.model import Handin, Place, Who
from grader.classroom.collect.people import Enrolled, Roster
from grader.classroom.collect.unpack import unpack
from grader.classroom.desk import Desk, Done
from grader.classroom.marks import class_marks
from grader.classroom.model import read_collected
from grader.classroom.room import open_room
from grader.classroom.rules import Rules
from grader.classroom.units import make_units, missing
from grader.course import load_course
from grader.errors import CourseError, IntakeError, UsageError
from grader.intake import Manifest, write_bundle
from grader.sandbox import choose
from grader.text import Text
from tests.commandline import Grade
from tests.handins import (
    DOUBLE,
    INDICES,
    LATE_2026,
    QUIZ,
    as_gbk,
    collected,
    notebook,
    packed,
    put,
    with_quiz,
)

NOON = datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
MOODLE = {
    "张三_101_assignsubmission_file_/double.py": DOUBLE,
    "李四_102_assignsubmission_file_/hw.zip": packed({"../evil.py": "x", "double.py": DOUBLE}),
    "王五_103_assignsubmission_onlinetext_/onlinetext.html": f"<pre>{DOUBLE}</pre>",
    "赵六_104_assignsubmission_file_/essay.docx": "x",
}
ROSTER = "学号,姓名\n2026001,张三\n2026002,李四\n2026003,王五\n2026005,孙七\n"


def everything(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def held(folder: Path) -> dict[str, list[list[str]]]:
    """Return student -> for each attempt what it answers."""
    students = read_collected(folder).students
    return {s.id: [sorted(attempt.files) for attempt in s.attempts] for s in students}


# --- keeping -------------------------------------------------------------------------------------


def incoming(text: str, at: datetime.datetime | None = None, origin: str = "a.zip") -> Incoming:
    """Return a hand-in of one file."""
    return Incoming(
        origin=origin, at=at, files={"01_double": ("double.py", text.encode())}, notices=[]
    )


def texts(keeper: Keeper, id_: str = "ada") -> list[str]:
    """Return what the attempts hold, in their order."""
    attempts = keeper.attempts(id_)
    assert [attempt.number for attempt in attempts] == list(range(1, len(attempts) + 1))
    return [(keeper.folder / attempt.files["01_double"]).read_text() for attempt in attempts]


def test_attempts_stand_in_the_order_of_their_times(tmp_path: Path):
    """Whatever order they are collected in; one without a time comes after what is there."""
    keeper = Keeper(tmp_path / "class")
    keeper.add("ada", "", incoming("second", NOON + HOUR))
    keeper.add("ada", "", incoming("undated", origin="b.zip"))
    keeper.add("ada", "", incoming("first", NOON, origin="c.zip"))

    assert texts(keeper) == ["first", "second", "undated"]


def test_the_same_work_from_the_same_source_is_known(tmp_path: Path):
    """Also when something else was handed in since."""
    keeper = Keeper(tmp_path / "class")
    for text in ("one", "two", "one", "two"):
        keeper.add("ada", "", incoming(text))

    assert texts(keeper) == ["one", "two"]


def test_the_same_work_right_after_itself_is_no_attempt(tmp_path: Path):
    """A later download holds the same file; the earliest time known counts."""
    keeper = Keeper(tmp_path / "class")
    keeper.add("ada", "", incoming("one", NOON + HOUR))
    keeper.add("ada", "", incoming("one", NOON + 9 * HOUR, "week 2.zip"))
    keeper.add("ada", "", incoming("one", NOON, "copy.zip"))

    assert texts(keeper) == ["one"]
    assert keeper.attempts("ada")[0].at == NOON


def test_going_back_to_earlier_work_is_an_attempt(tmp_path: Path):
    """The last attempt must be what was handed in last; nobody's earlier sighting hides it."""
    keeper = Keeper(tmp_path / "class")
    for text, origin in (("one", "1.zip"), ("two", "2.zip"), ("one", "3.zip")):
        keeper.add("ada", "", incoming(text, origin=origin))

    assert texts(keeper) == ["one", "two", "one"]


def test_a_time_that_becomes_known_is_entered(tmp_path: Path):
    """The same source, collected again with ``--file-times``."""
    keeper = Keeper(tmp_path / "class")
    keeper.add("ada", "", incoming("one"))
    keeper.add("ada", "", incoming("one", NOON))

    assert [attempt.at for attempt in keeper.attempts("ada")] == [NOON]


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([None, 0, 1, 2]), st.sampled_from("xy"))
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_collecting_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, given_: list[tuple[str, int | None, str]]
):
    """Whatever was handed in when: a second run over the same sources adds no attempt."""
    keeper = Keeper(tmp_path_factory.mktemp("class"))
    sources = [
        incoming(text, None if hours is None else NOON + hours * HOUR, f"{origin}{number}.zip")
        for number, (text, hours, origin) in enumerate(given_)
    ]
    for source in sources:
        keeper.add("ada", "", source)
    before = keeper.attempts("ada")
    for source in sources:
        keeper.add("ada", "", source)

    assert keeper.attempts("ada") == before
    assert {text for text, _, _ in given_} == set(texts(keeper))
    times = [attempt.at for attempt in before if attempt.at is not None]
    assert times == sorted(times)
    assert all(one.files != two.files for one, two in pairwise(before))


def test_a_class_list_that_comes_later_gives_everybody_their_id(tmp_path: Path):
    """What was collected under a name is found again under the number, and stays one."""
    keeper = Keeper(tmp_path / "class")
    keeper.add("张三", "张三", incoming("one"))
    keeper.finish()

    later = Keeper(tmp_path / "class")
    later.enrol(Roster([Enrolled(id="2026001", name="张三"), Enrolled(id="2026002", name="李四")]))
    later.add("2026001", "张三", incoming("one"))
    later.finish()

    students = read_collected(tmp_path / "class").students
    assert [(s.id, s.name, len(s.attempts)) for s in students] == [
        ("2026001", "张三", 1), ("2026002", "李四", 0),
    ]  # fmt: skip
    assert texts(later, "2026001") == ["one"]


@pytest.mark.parametrize(
    "id_", ["../../evil", "a/b", "con", "Ada", "ada", "a" * 300, "张 三", "...", "a\nb", "\ud800"]
)
def test_every_id_has_a_folder_of_its_own(tmp_path: Path, id_: str):
    """Inside the class's folder, whatever a platform calls its students."""
    keeper = Keeper(tmp_path / "class")
    keeper.add(id_, "", incoming("one"))

    path = keeper.folder / keeper.attempts(id_)[0].files["01_double"]
    assert path.resolve().is_relative_to((tmp_path / "class" / "submissions").resolve())
    assert len(path.relative_to(keeper.folder).parts) == 5
    assert list(tmp_path.iterdir()) == [tmp_path / "class"]


def test_a_damaged_list_is_put_aside_and_told(tmp_path: Path):
    """What was graded is kept under its content, so collecting again brings it back."""
    put(tmp_path, {"class/collected.json": "{"})

    keeper = Keeper(tmp_path / "class")
    keeper.add("ada", "", incoming("one"))
    keeper.finish()

    assert (tmp_path / "class" / "collected.json.damaged").read_text() == "{"
    assert "was damaged" in keeper.damage[0].en


def test_a_list_of_another_version_is_left_alone(tmp_path: Path):
    """It is not ours to overwrite."""
    text = '{"schema": "grade-collected/9", "students": []}'
    put(tmp_path, {"class/collected.json": text})

    with pytest.raises(CourseError):
        Keeper(tmp_path / "class")
    assert (tmp_path / "class" / "collected.json").read_text() == text


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path):
    """Usage, not a traceback."""
    put(tmp_path, {"class": "a file"})

    with pytest.raises(UsageError, match="cannot be written"):
        Keeper(tmp_path / "class").add("ada", "", incoming("one"))


# --- whole sources -------------------------------------------------------------------------------


def test_a_class_from_moodle(course: Path, tmp_path: Path):
    """A file, an archive with a trick, typed text, and something else altogether."""
    (tmp_path / "hw.zip").write_bytes(packed(MOODLE))

    report = collected(course, tmp_path / "hw.zip", tmp_path / "class")

    assert report.sources[0].kind == "moodle"
    assert held(tmp_path / "class") == {
        "张三": [["01_double"]], "李四": [[]], "王五": [["01_double"]], "赵六": [[]],
    }  # fmt: skip
    assert [s.id for s in report.students if s.refused] == ["李四"]
    assert all(attempt.at is None for s in report.students for attempt in s.new)


def test_collecting_the_same_again_changes_nothing_on_the_disk(course: Path, tmp_path: Path):
    """Not a byte."""
    (tmp_path / "hw.zip").write_bytes(packed(MOODLE))
    collected(course, tmp_path / "hw.zip", tmp_path / "class")
    before = everything(tmp_path / "class")

    report = collected(course, tmp_path / "hw.zip", tmp_path / "class")

    assert everything(tmp_path / "class") == before
    assert [(len(s.new), s.known) for s in report.students] == [(0, 1)] * 4


def test_a_later_collection_adds_attempts(course: Path, tmp_path: Path):
    """And keeps every earlier one."""
    first = put(tmp_path / "week 1", {"ada/double.py": DOUBLE, "bob/double.py": DOUBLE})
    second = put(
        tmp_path / "week 2", {"ada/double.py": "x = 1\n" + DOUBLE, "bob/double.py": DOUBLE}
    )
    collected(course, first, tmp_path / "class")

    collected(course, second, tmp_path / "class")

    assert held(tmp_path / "class") == {"ada": [["01_double"]] * 2, "bob": [["01_double"]]}


def test_with_a_class_list_everybody_is_there(course: Path, tmp_path: Path):
    """Under the list's number; who is not on it is kept and told, who sent nothing is listed."""
    (tmp_path / "hw.zip").write_bytes(packed(MOODLE))
    roster = Roster(
        Enrolled(id=id_, name=name)
        for id_, name in (line.split(",") for line in ROSTER.split()[1:])
    )

    report = collected(course, tmp_path / "hw.zip", tmp_path / "class", roster)

    assert sorted(held(tmp_path / "class")) == ["2026001", "2026002", "2026003", "2026005", "赵六"]
    assert [s.id for s in report.students if not s.listed] == ["赵六"]
    assert report.absent == ["2026005"]


def test_canvas_says_late_and_not_when(course: Path, tmp_path: Path):
    """So no time is made up; the newest upload of one name counts."""
    source = tmp_path / "submissions.zip"
    source.write_bytes(
        packed(
            {
                "lovelaceada_LATE_12_9_double-1.py": DOUBLE,
                "lovelaceada_LATE_12_10_double-2.py": "x = 1\n" + DOUBLE,
            }
        )
    )

    report = collected(course, source, tmp_path / "class")

    attempt = report.students[0].new[0]
    assert (report.students[0].id, report.students[0].name) == ("12", "lovelaceada")
    assert attempt.at is None
    assert "calls it late" in attempt.notices[0].en
    assert (tmp_path / "class" / attempt.files["01_double"]).read_text().startswith("x = 1")


def test_canvas_own_numbers_are_kept(course: Path, tmp_path: Path):
    """Also where a class list gives the ids, before or after; a number it has goes first."""
    source = tmp_path / "submissions.zip"
    names = {"lovelaceada": 12, "turingalan": 13, "hoppergrace": 14}
    source.write_bytes(packed({f"{n}_{i}_9_double.py": DOUBLE for n, i in names.items()}))
    people = [
        Enrolled(id="1", name="Ada Lovelace"),
        Enrolled(id="2", name="Alan Turing", number="7"),
    ]

    def numbers(*rosters: Roster) -> dict[str, str]:
        folder = tmp_path / f"class {len(rosters)} {bool(rosters[0])}"
        for roster in rosters:
            collected(course, source, folder, roster)
        return {student.id: student.number for student in read_collected(folder).students}

    assert numbers(Roster()) == {"12": "12", "13": "13", "14": "14"}
    assert numbers(Roster(people)) == {"1": "12", "2": "7", "14": "14"}
    assert numbers(Roster(), Roster(people)) == {"1": "12", "2": "7", "14": "14"}
    assert numbers(Roster(people), Roster(people)) == {"1": "12", "2": "7", "14": "14"}


def test_nbgraders_time_is_the_time(course: Path, tmp_path: Path):
    """With its zone; the zone of ``--tz`` where it names none."""
    source = put(
        tmp_path / "submitted",
        {
            "ada/ps1/a.ipynb": notebook(DOUBLE),
            "ada/ps1/timestamp.txt": "2026-11-02 12:00:00.5 UTC",
            "bob/ps1/double.py": DOUBLE, "bob/ps1/timestamp.txt": "2026-11-02 20:00:00",
        },
    )  # fmt: skip
    zone = datetime.timezone(8 * HOUR)

    report = collected(course, source, tmp_path / "class", zone=zone)

    assert [s.new[0].at for s in report.students] == [NOON + datetime.timedelta(seconds=0.5), NOON]
    assert held(tmp_path / "class") == {"ada": [["01_double"]], "bob": [["01_double"]]}


def test_a_students_own_timestamp_is_not_believed(course: Path, tmp_path: Path):
    """Only where nbgrader writes it over whatever stood there."""
    source = put(
        tmp_path / "inbox",
        {"ada/double.py": DOUBLE, "ada/timestamp.txt": "2020-01-01 12:00:00 UTC"},
    )

    assert collected(course, source, tmp_path / "class").students[0].new[0].at is None


def test_an_archives_own_times_are_taken_and_told(course: Path, tmp_path: Path):
    """In the zone that was named; times of files on the disk only where asked for."""
    source = put(tmp_path / "inbox", {"ada.zip": packed({"double.py": DOUBLE}), "bob.py": DOUBLE})

    zone = datetime.timezone(8 * HOUR)
    report = collected(course, source, tmp_path / "class", zone=zone)

    ada, bob = report.students
    assert ada.new[0].at == datetime.datetime(*LATE_2026, tzinfo=zone)
    assert "student's archive" in ada.new[0].notices[0].en
    assert bob.new[0].at is None


def test_times_of_files_count_where_asked_for(course: Path, tmp_path: Path):
    """The teacher knows that they were not changed."""
    source = put(tmp_path / "inbox", {"bob.py": DOUBLE})

    report = collected(course, source, tmp_path / "class", file_times=True)

    stamp = (source / "bob.py").stat().st_mtime
    found = report.students[0].new[0].at
    assert found is not None
    assert abs(found.timestamp() - stamp) < 1e-3


def test_a_time_in_the_future_is_no_time(course: Path, tmp_path: Path):
    """A clock that is wrong must not make its owner late."""
    future = (2099, 1, 1, 0, 0, 0)
    source = put(tmp_path / "inbox", {"ada.zip": packed({"double.py": DOUBLE}, future)})

    assert collected(course, source, tmp_path / "class").students[0].new[0].at is None


def test_names_in_gbk_find_their_students(course: Path, tmp_path: Path):
    """In the archive of a class and in that of a student."""
    inner = as_gbk(packed({"作业/double.py": DOUBLE}), "作业")
    data = as_gbk(packed({"张三/hw.zip": inner, "李四/double.py": DOUBLE}), "张三")
    (tmp_path / "class.zip").write_bytes(as_gbk(data, "李四"))

    collected(course, tmp_path / "class.zip", tmp_path / "class")

    assert held(tmp_path / "class") == {"xx张三": [["01_double"]], "xx李四": [["01_double"]]}


def test_a_bad_entry_in_the_archive_of_a_class_costs_its_owner_only(course: Path, tmp_path: Path):
    """A name that leads outside, among hundreds."""
    files = {f"s{n}_{n}_assignsubmission_file_/double.py": DOUBLE for n in range(30)}
    files["s3_3_assignsubmission_file_/../../../evil.py"] = "x"
    (tmp_path / "hw.zip").write_bytes(packed(files))

    report = collected(course, tmp_path / "hw.zip", tmp_path / "class")

    assert [s.id for s in report.students if s.refused] == ["s3"]
    assert all(attempts == [["01_double"]] for attempts in held(tmp_path / "class").values())
    assert not list(tmp_path.rglob("evil*"))


def test_bundles_without_a_name_are_named_by_their_manifest(
    course: Path, grade: Grade, tmp_path: Path
):
    """As ``grade submit`` wrote them and a browser numbered them."""
    put(course, {"exercises/01_double/double.py": DOUBLE})
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for number, name in enumerate(["Ada", "张三"]):
        done = grade(
            "submit", "--name", name, "--output", str(inbox / f"submission ({number}).zip")
        )
        assert done.code == 0, done.err
    put(inbox, {"submission.zip": packed({"double.py": DOUBLE})})

    report = collected(course, inbox, tmp_path / "class")

    assert held(tmp_path / "class") == {"Ada": [["01_double"]], "张三": [["01_double"]]}
    assert report.unnamed
    assert "nothing tells whose this is" in report.aside[0].en


@pytest.mark.parametrize("kind", ["auto", "bundle"])
def test_a_bundle_that_is_a_source_itself_is_one_students(
    course: Path, grade: Grade, tmp_path: Path, kind: str
):
    """As in ``grade collect *.zip``: the manifest names the writer, hashes are looked at."""
    put(course, {"exercises/01_double/double.py": DOUBLE})
    bundle = tmp_path / "submission (3).zip"
    done = grade("submit", "--name", "张三", "--output", str(bundle))
    assert done.code == 0, done.err

    report = collected(course, bundle, tmp_path / "class", kind=kind)

    assert held(tmp_path / "class") == {"张三": [["01_double"]]}
    assert not report.unnamed


def test_what_holds_nothing_of_the_course_is_listed(course: Path, tmp_path: Path):
    """A folder of slides is no student."""
    source = put(
        tmp_path / "inbox", {"ada/double.py": DOUBLE, "slides/1.pdf": "x", "list.csv": "x"}
    )

    report = collected(course, source, tmp_path / "class")

    assert list(held(tmp_path / "class")) == ["ada"]
    said = [text.en for text in read_collected(tmp_path / "class").aside]
    assert said == [
        "inbox/list.csv holds nothing of this course.",
        "inbox/slides holds nothing of this course.",
    ]
    assert not report.refused

    (source / "list.csv").unlink()
    collected(course, source, tmp_path / "class")
    said = [text.en for text in read_collected(tmp_path / "class").aside]
    assert said == ["inbox/slides holds nothing of this course."]  # nothing stays for ever


def test_what_was_listed_of_another_source_stays(course: Path, tmp_path: Path):
    """Its name begins like that of the one that is collected again."""
    for name in ("week", "week 2"):
        put(tmp_path / name, {"ada/double.py": DOUBLE, "slides/1.pdf": "x"})
        collected(course, tmp_path / name, tmp_path / "class")

    collected(course, tmp_path / "week", tmp_path / "class")

    assert {text.en for text in read_collected(tmp_path / "class").aside} == {
        "week/slides holds nothing of this course.",
        "week 2/slides holds nothing of this course.",
    }


def test_a_folder_that_cannot_be_read_is_told(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Passed over in silence, its student would count as absent. Root may read everything."""
    source = put(tmp_path / "inbox", {"ada/double.py": DOUBLE, "bob/double.py": DOUBLE})
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("bob"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    report = collected(course, source, tmp_path / "class")

    assert held(tmp_path / "class") == {"ada": [["01_double"]], "bob": [[]]}
    assert [student.id for student in report.students if student.refused] == ["bob"]
    (attempt,) = read_collected(tmp_path / "class").students[1].attempts
    assert [text.en for text in attempt.notices] == ["bob cannot be read: Permission denied."]
    with pytest.raises(IntakeError, match="bob cannot be read"):
        collected(course, source / "bob", tmp_path / "class")


def test_a_bundle_takes_no_more_than_there_is_room_for(course: Path) -> None:
    """What comes after one that is larger than that is not read whole to find out its size."""
    asked: list[int] = []

    class File(msgspec.Struct):
        path: str
        data: bytes
        refusal: None = None
        changed: None = None

        def read(self, most: int) -> bytes:
            asked.append(most)
            return self.data

    code = "".join(f"name_{number} = {number * 7919}\n" for number in range(400)).encode()
    files = {"exercises/01_double/double.py": code}
    bundle = write_bundle(Manifest(student="Ada", course=Text("小", "Mini"), engine="1"), files)
    entries = [File("a.zip", bundle), File("double.py", DOUBLE.encode())]
    handin = Handin(
        who=Who(label="ada"), origin="ada",
        entries=[(Place(who=Who(label="ada"), path=one.path), one) for one in entries],
    )  # fmt: skip

    unpack(handin, Facts(load_course(course)), most=len(bundle) + 1)

    assert asked == [len(bundle) + 1, 0]


def test_links_in_a_folder_are_not_followed(course: Path, tmp_path: Path):
    """Neither to files nor to folders."""
    put(tmp_path, {"secret/double.py": DOUBLE})
    source = put(tmp_path / "inbox", {"ada/indices.py": INDICES})
    (source / "ada" / "double.py").symlink_to(tmp_path / "secret" / "double.py")
    (source / "ada" / "more").symlink_to(tmp_path / "secret")

    report = collected(course, source, tmp_path / "class")

    assert held(tmp_path / "class") == {"ada": [["02_indices"]]}
    assert report.students[0].refused


@pytest.mark.parametrize("name", ["hw.zip", "CS101-first homework.zip"])
def test_a_download_that_broke_is_told_and_makes_no_student(
    course: Path, tmp_path: Path, name: str
):
    """What it was meant to be nobody knows; the other sources are collected."""
    (tmp_path / name).write_bytes(packed(MOODLE)[:-30])  # its last whole entry is an archive, too

    report = collected(course, tmp_path / name, tmp_path / "class")

    assert (held(tmp_path / "class"), report.unnamed) == ({}, True)
    assert "This is no zip archive, or its end is missing." in report.aside[0].en


def test_a_broken_archive_named_after_a_student_is_that_students(course: Path, tmp_path: Path):
    """Among those of the others, or on the class list."""
    broken = packed({"double.py": DOUBLE})[:-30]
    source = put(tmp_path / "inbox", {"ada.zip": broken, "bob.py": DOUBLE})
    (tmp_path / "2026001.zip").write_bytes(broken)
    roster = Roster([Enrolled(id="2026001", name="张三")])

    collected(course, source, tmp_path / "class")
    collected(course, tmp_path / "2026001.zip", tmp_path / "class", roster)

    assert held(tmp_path / "class") == {"2026001": [[]], "ada": [[]], "bob": [["01_double"]]}


def test_the_classs_own_folder_is_no_source(course: Path, tmp_path: Path):
    """Also where it lies among what was handed in."""
    source = put(tmp_path / "inbox", {"ada/double.py": DOUBLE, "bob/double.py": DOUBLE})

    for _ in range(2):
        collected(course, source, source / "class")

    assert held(source / "class") == {"ada": [["01_double"]], "bob": [["01_double"]]}


# --- the command ---------------------------------------------------------------------------------


def test_the_command_tells_what_was_repaired(grade: Grade, tmp_path: Path):
    """For each student, and what to do next; 1 where a person has to look."""
    (tmp_path / "作业 1.zip").write_bytes(packed(MOODLE))
    put(tmp_path, {"名单.csv": ROSTER.encode("gbk")})

    done = grade(
        "collect", str(tmp_path / "作业 1.zip"), "--into", str(tmp_path / "班级"),
        "--roster", str(tmp_path / "名单.csv"),
    )  # fmt: skip

    assert done.code == 1, done.err
    assert "2026001 张三: attempt 1 (no time): 01_double" in done.out
    assert "01_double was typed in as online text." in done.out
    assert "Not on the class list." in done.out
    assert "Nothing from 1 on the class list: 2026005" in done.out
    assert "Next: grade batch" in done.out


def test_the_command_speaks_chinese(grade: Grade, tmp_path: Path):
    """No English sentence is left between the names."""
    (tmp_path / "hw.zip").write_bytes(packed(MOODLE))

    done = grade(
        "collect", str(tmp_path / "hw.zip"), "--into", str(tmp_path / "c"), LANG="zh_CN.UTF-8"
    )

    assert done.code == 1, done.err
    words = [word for word in done.out.split() if word.isascii() and word.isalpha()]
    assert set(words) <= {"moodle", "grade", "batch"}, done.out


def test_the_command_prints_json(grade: Grade, tmp_path: Path):
    """One document, also where something was refused."""
    (tmp_path / "hw.zip").write_bytes(packed(MOODLE))

    done = grade("collect", str(tmp_path / "hw.zip"), "--into", str(tmp_path / "c"), "--json")

    found = json.loads(done.out)
    assert (done.code, found["schema"], found["sources"][0]["kind"]) == (
        1,
        "grade-collect/1",
        "moodle",
    )
    assert [student["id"] for student in found["students"]] == ["张三", "李四", "王五", "赵六"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such.zip", "--into", "c"], "There is no file or folder"),
        (["exercises", "--into", "c", "--roster", "no.csv"], "cannot be read"),
        (["exercises", "--into", "c", "--tz", "Mars"], "is no time zone"),
        (["exercises", "--into", "c", "--kind", "canvas"], "does not look like canvas"),
    ],
)
def test_what_is_wrong_with_the_command_line_is_told(
    course: Path, grade: Grade, words: list[str], said: str
):
    """One message and 2, and no folder is made."""
    assert said in grade("collect", *words).failed_with(2)
    assert not (course / "c").exists()


def test_from_what_was_handed_in_to_marks(course: Path, tmp_path: Path):
    """Collected, graded and marked: nobody loses a point to a name or an encoding."""
    with_quiz_free = course  # the tiny course has no quiz that can be marked
    gbk = DOUBLE.replace("def greet", "# 问候\ndef greet").encode("gbk")
    source = put(
        tmp_path / "收到 的作业",
        {
            "ada/double.py": DOUBLE, "张三/作业/double - 副本.py": gbk,
            "bob.zip": packed({"bob/everything.py": DOUBLE + "\n" + INDICES}),
            "carol.ipynb": notebook("import torch\nfrom torch import Tensor", DOUBLE, "1/0"),
            "dan/double.py": "def double(x):\n    return x\n",
        },
    )  # fmt: skip
    collected(with_quiz_free, source, tmp_path / "class")

    tier = choose()[0].name
    room = open_room(tmp_path / "class", course, tier)
    found = read_collected(tmp_path / "class")
    units = [
        unit
        for unit in make_units(tmp_path / "class", found, room.course, room.keys)
        if unit.item in ("01_double", "02_indices")
    ]
    left = missing(units, room.ledger)
    batch = run_units(left, room.ledger, course, jobs=1, sandbox=tier, on_done=lambda _: None)

    assert batch.faults == []
    marks = {s.student: s for s in class_marks(room, found, Rules()).students}
    earned = {
        id_: [item.earned / item.possible for item in student.items[:2]]
        for id_, student in marks.items()
    }
    whole = {"ada": [1, 0], "bob": [1, 1], "carol": [1, 0], "张三": [1, 0]}
    assert {id_: earned[id_] for id_ in whole} == whole
    assert 0 <= earned["dan"][0] < 1


def test_a_quiz_is_collected_beside_the_code(course: Path, tmp_path: Path):
    """By its field, whatever it is called."""
    with_quiz(course)
    source = put(
        tmp_path / "inbox",
        {"ada/double.py": DOUBLE, "ada/我的答案.yaml": f"quiz: {QUIZ}\nanswers: {{a: 1}}\n"},
    )

    report = collected(course, source, tmp_path / "class")

    files = report.students[0].new[0].files
    assert sorted(files) == [QUIZ, "01_double"]
    assert files[QUIZ].endswith(f"/{QUIZ}/{QUIZ}.yaml")


def test_broken_answers_of_one_student_stop_nothing(mini: Path, tmp_path: Path):
    """They hold no answers and say why, with the line and without this machine's folders."""
    root = mini.parent / "quiz"
    source = put(
        tmp_path / "inbox",
        {
            "ada/01_all.yaml": "quiz: 01_all\nanswers:\n  a: [1\n",
            "bob/01_all.yaml": "quiz: 01_all\nanswers:\n  nothing-like-it: 1\n",
        },
    )  # fmt: skip
    collected(root, source, tmp_path / "class")

    desk = Desk(root, "process")
    room = open_room(tmp_path / "class", root, "process")
    found = read_collected(tmp_path / "class")
    units = make_units(tmp_path / "class", found, room.course, room.keys)
    done: list[Done] = []
    queue = iter([unit for unit in units if unit.kind == "quiz"])
    desk.work(lambda: next(queue, None), done.append)
    desk.close()

    said = sorted(one.quiz.notices[0].en for one in done if one.quiz is not None)
    assert len(said) == 2
    assert said[0].startswith("01_all.yaml:3 cannot be read: ")  # where the bracket opens
    assert said[1].startswith("01_all.yaml:3: there is no item nothing-like-it")
    assert str(tmp_path) not in str(done[0].quiz) + str(done[1].quiz)
