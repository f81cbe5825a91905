"""Whose a file is: the naming rules of every kind of source."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.kinds import KINDS, placer_of
from grader.classroom.collect.model import Place
from grader.classroom.collect.times import read_timestamp, read_zone
from grader.classroom.collect.tree import open_tree
from grader.errors import UsageError
from tests.handins import facts_of, packed, put

UTC = datetime.timezone.utc


@pytest.fixture(scope="module")
def facts(mini: Path) -> Facts:
    """What is known of the tiny course."""
    return facts_of(mini)


def places(
    facts: Facts, paths: list[str], source: str = "x.zip"
) -> tuple[str, dict[str, Place | None]]:
    """Return of which kind a source with these paths is, and each path's place."""
    for kind, recognise in KINDS.items():
        if (placer := recognise(source, paths, facts)) is not None:
            return kind, {path: placer(path) for path in paths}
    raise AssertionError(paths)


def who(found: dict[str, Place | None]) -> list[str]:
    """Return the students' labels, path by path."""
    return [place.who.label if place is not None else "-" for place in found.values()]


def inside(found: dict[str, Place | None]) -> list[str]:
    """Return where the files lie in what was handed in."""
    return [place.path if place is not None else "-" for place in found.values()]


# --- Moodle --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "张三_1234567_assignsubmission_file_/homework/double.py",
        "张三_1234567_assignsubmission_file/homework/double.py",
        "HW1-1234/张三_1234567_assignsubmission_file_/homework/double.py",
    ],
)
def test_moodles_folders_name_the_student(facts: Facts, path: str):
    """With and without the underscore at the end, and one folder down."""
    kind, found = places(facts, [path])

    assert (kind, who(found), inside(found)) == ("moodle", ["张三"], ["homework/double.py"])


def test_moodles_flat_form_names_the_student(facts: Facts):
    """Before version 3.1, or where a teacher chose it, every file has the prefix."""
    kind, found = places(facts, ["Ada van der Berg_12_assignsubmission_file_my_double.py"])

    assert (kind, who(found), inside(found)) == ("moodle", ["Ada van der Berg"], ["my_double.py"])


def test_moodles_online_text_is_told_apart(facts: Facts):
    """In both forms."""
    _, found = places(
        facts,
        [
            "Ada_12_assignsubmission_onlinetext_/onlinetext.html",
            "Bob_13_assignsubmission_onlinetext_onlinetext.html",
            "Bob_13_assignsubmission_file_onlinetext.py",
        ],
    )

    texts = [place.online_text for place in found.values() if place is not None]
    assert (who(found), texts) == (["Ada", "Bob", "Bob"], [True, True, False])


def test_two_of_one_name_stay_two(facts: Facts):
    """Then the number is part of the id, though it means nothing in another assignment."""
    _, found = places(
        facts, ["张伟_1_assignsubmission_file_/a.py", "张伟_2_assignsubmission_file_/a.py"]
    )

    assert who(found) == ["张伟_1", "张伟_2"]


def test_moodle_lists_what_is_nobodys(facts: Facts):
    """A file that somebody put beside the folders."""
    _, found = places(facts, ["Ada_1_assignsubmission_file_/a.py", "notes.txt"])

    assert who(found) == ["Ada", "-"]


# --- Canvas --------------------------------------------------------------------------------------


def test_canvas_names_user_and_file(facts: Facts):
    """Name, perhaps LATE, two numbers, the file; also for anonymous ones and typed-in text."""
    kind, found = places(
        facts,
        [
            "lovelaceada_1234_567_double.py", "vandermeerjo_LATE_88_99_my_double-1.py",
            "anon_x1Y2z_77_double.py", "LATE_anon_x1Y2q_78_double.py", "lovelaceada_1234_text.html",
        ],
    )  # fmt: skip

    assert kind == "canvas"
    assert who(found) == ["1234", "88", "anon_x1Y2z", "anon_x1Y2q", "1234"]
    assert inside(found)[:3] == ["567/double.py", "99/my_double-1.py", "77/double.py"]
    late = [place.late for place in found.values() if place is not None]
    assert late == [False, True, False, True, False]
    names = [place.who.name for place in found.values() if place is not None]
    assert names == ["lovelaceada", "vandermeerjo", "", "", "lovelaceada"]


def test_a_name_with_digits_and_underscores_is_canvas_too(facts: Facts):
    """Canvas itself takes digits between underscores out of names, and nothing else."""
    _, found = places(facts, ["li2_ming_1234_567_double_3.py"])

    assert (who(found), inside(found)) == (["1234"], ["567/double_3.py"])


def test_one_file_of_another_form_makes_it_not_canvas(facts: Facts):
    """Numbers stand in many names."""
    kind, _ = places(facts, ["ada_1_2_double.py", "bob.py"])

    assert kind == "folders"


# --- nbgrader ------------------------------------------------------------------------------------


def test_nbgraders_tree_names_student_and_assignment(facts: Facts):
    """``submitted/STUDENT/ASSIGNMENT``; each assignment is a hand-in of its own."""
    kind, found = places(
        facts,
        [
            "submitted/ada/ps1/double.ipynb", "submitted/ada/ps1/timestamp.txt",
            "submitted/ada/ps2/data/x.py", "submitted/README",
        ],
    )  # fmt: skip

    assert (kind, who(found)) == ("nbgrader", ["ada", "ada", "ada", "-"])
    assert inside(found)[:3] == ["double.ipynb", "timestamp.txt", "data/x.py"]
    found_places = [place for place in found.values() if place is not None]
    assert [place.part for place in found_places] == ["ps1", "ps1", "ps2"]
    assert [place.time_file for place in found_places] == [False, True, False]


@pytest.mark.parametrize("source", ["submitted", "course"])
def test_the_submitted_folder_itself_is_recognised(facts: Facts, source: str):
    """By its name or by the timestamps in it."""
    kind, found = places(facts, ["ada/ps1/a.py", "ada/ps1/timestamp.txt"], source)

    assert (kind, who(found)) == ("nbgrader", ["ada", "ada"])


def test_the_exchanges_inbound_folder_tells_the_time(facts: Facts):
    """Student, assignment, time and perhaps a random string, joined by plus signs."""
    kind, found = places(
        facts,
        [
            "ada+ps1+2026-11-02 10:00:00.123456 UTC+Zm9v/double.py",
            "ada+ps1+2026-11-02 10:00:00.123456 UTC+Zm9v/submission_secret.txt",
        ],
        "inbound",
    )

    place = next(iter(found.values()))
    assert place is not None
    assert (kind, who(found), place.path) == ("nbgrader", ["ada", "ada"], "double.py")
    assert place.at == datetime.datetime(2026, 11, 2, 10, 0, 0, 123456, UTC)


# --- folders and files ---------------------------------------------------------------------------


def test_a_folder_for_each_student(facts: Facts):
    """With blanks, brackets and Chinese in the names."""
    kind, found = places(
        facts, ["2026001 张三/double.py", "Li (2)/hw/exercises/01_double/double.py"], "inbox"
    )

    assert (kind, who(found)) == ("folders", ["2026001 张三", "Li"])
    assert inside(found) == ["double.py", "hw/exercises/01_double/double.py"]


def test_a_file_for_each_student(facts: Facts):
    """The name of the exercise, of a copy and of the ending is not the student's."""
    _, found = places(
        facts,
        ["ada.py", "double_bob.py", "01_double-张三.ipynb", "carol (1).zip", "dan-double.zip"],
        "inbox",
    )  # fmt: skip

    assert who(found) == ["ada", "bob", "张三", "carol", "dan"]


@pytest.mark.parametrize("id_", ["2026001", "101", "20260001", "2026001-2"])
def test_a_number_of_a_student_is_a_name(facts: Facts, id_: str):
    """Folders and files are named after ids more often than not; a list may come later."""
    _, found = places(facts, [f"{id_}/double.py", "2026002.py", "12/double.py"], "inbox")

    assert who(found) == [id_.removesuffix("-2"), "2026002", ""]


@pytest.mark.parametrize("name", ["double.py", "submission (3).zip", "作业1.zip", "homework.ipynb"])
def test_a_name_that_says_nothing_names_nobody(facts: Facts, name: str):
    """Nobody is made up."""
    _, found = places(facts, [name, "ada/double.py", "bob/double.py", "x/y.py"], "inbox")

    assert who(found)[0] == ("" if name != "double.py" else "inbox")


@pytest.mark.parametrize(
    "paths",
    [
        ["double.py"], ["exercises/01_double/double.py"], ["ada/01_double/x.py", "ada/notes.md"],
        ["top/course/exercises/01_double/double.py", "top/course/answers/01_x.yaml"],
        ["manifest.json", "exercises/01_double/double.py"],
    ],
)  # fmt: skip
def test_one_students_source_is_named_after_the_student(facts: Facts, paths: list[str]):
    """Work at its top, perhaps below folders that hold nothing else."""
    _, found = places(facts, paths, "ada.zip")

    assert set(who(found)) == {"ada"}


def test_a_class_in_an_archive_may_lie_one_folder_down(facts: Facts):
    """Most tools put it there."""
    _, found = places(facts, ["class/ada/double.py", "class/bob/hw/double.py"])

    assert (who(found), inside(found)) == (["ada", "bob"], ["double.py", "hw/double.py"])


# --- kinds and trees -----------------------------------------------------------------------------


def test_a_kind_that_does_not_fit_is_told(facts: Facts, tmp_path: Path):
    """The teacher named another than the source is."""
    tree = open_tree(put(tmp_path / "inbox", {"ada/double.py": "x"}))

    with pytest.raises(UsageError, match="does not look like moodle"):
        placer_of(tree, "moodle", facts)


def test_an_archive_and_the_folder_it_was_unpacked_into_are_alike(facts: Facts, tmp_path: Path):
    """Teachers often unpack first."""
    files = {
        "张三_12_assignsubmission_file_/double.py": "x",
        "李四_13_assignsubmission_file_/a.py": "",
    }
    put(tmp_path / "moodle", files)
    (tmp_path / "moodle.zip").write_bytes(packed(files))

    trees = [open_tree(tmp_path / name) for name in ("moodle", "moodle.zip")]

    assert [[entry.path for entry in tree.entries] for tree in trees] == [sorted(files)] * 2
    assert [placer_of(tree, "auto", facts)[0] for tree in trees] == ["moodle"] * 2
    for tree in trees:
        tree.close()


def test_a_source_that_is_not_there_is_told(tmp_path: Path):
    """Usage, not a traceback."""
    with pytest.raises(UsageError, match="There is no file or folder"):
        open_tree(tmp_path / "nothing.zip")


# --- times ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2015-02-02 14:58:23.948203 America/Los_Angeles\n", (2015, 2, 2, 22, 58, 23, 948203)),
        ("2026-11-02 10:00:00 UTC", (2026, 11, 2, 10)),
        ("2026-11-02 18:00:00 +0800", (2026, 11, 2, 10)),
    ],
)
def test_nbgraders_timestamps_are_read(text: str, wanted: tuple[int, ...]):
    """Zone by name, by offset or as UTC."""
    assert read_timestamp(text) == datetime.datetime(*wanted, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize("text", ["", "soon", "2026-13-45 10:00:00 UTC", "x" * 1000])
def test_what_is_no_time_is_none(text: str):
    """Then nothing tells."""
    assert read_timestamp(text) is None


def test_a_time_without_a_zone_keeps_none():
    """What it means is for ``--tz``."""
    assert read_timestamp("2026-11-02 10:00:00") == datetime.datetime(2026, 11, 2, 10)


@pytest.mark.parametrize(
    ("text", "hours"), [("Asia/Shanghai", 8), ("+08:00", 8), ("-3", -3), ("UTC", 0)]
)
def test_zones_are_read(text: str, hours: int):
    """Names and offsets."""
    zone = read_zone(text)

    assert datetime.datetime(2026, 1, 1, tzinfo=zone).utcoffset() == datetime.timedelta(hours=hours)


@pytest.mark.parametrize("text", ["Mars/Olympus", "../../etc/passwd", "+99:00", "", "Asia"])
def test_what_is_no_zone_is_told(text: str):
    """With how to write one."""
    with pytest.raises(UsageError):
        read_zone(text)
