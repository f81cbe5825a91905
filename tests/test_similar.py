"""Code for JPlag and Dolos, read back with the csv and zip modules and by walking folders."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import stat
import zipfile
from pathlib import Path

import msgspec
import pytest

from grader.classroom.model import Attempt, Collected, Student, read_collected, write_collected
from tests.commandline import Done, run_grade
from tests.smallclass import Place, attempt, grade_class, hand_in

MINI = Path(__file__).parent / "courses" / "mini"


def export(place: Place, target: Path, *words: str) -> Done:
    """Run the command."""
    return run_grade(place.root, "export", "similar", str(place.folder), str(target), *words)


def table(target: Path, exercise: str) -> tuple[dict[str, dict[str, str]], zipfile.ZipFile]:
    """Return the rows of a zip's ``info.csv`` by their file, and the zip."""
    archive = zipfile.ZipFile(target / exercise / "dolos.zip")
    text = archive.read("info.csv").decode("utf-8")
    return {row["filename"]: row for row in csv.DictReader(io.StringIO(text))}, archive


def answer(exercise: str, name: str) -> str:
    """Return a golden answer's text."""
    file = next((MINI / "answers" / exercise / name).glob("*.py"))
    return file.read_bytes().decode("utf-8")


def test_jplag_gets_a_folder_for_each_program_and_the_stub(place: Place, tmp_path: Path) -> None:
    """Whoever handed in, under a name that any disk takes; the stub lies apart."""
    target = tmp_path / "比较"

    done = export(place, target)

    assert (done.code, done.err) == (0, "")
    jplag = target / "01_double" / "jplag"
    names = sorted(path.name for path in (jplag / "submissions").iterdir())
    assert names[:2] == ["ann", "s2"]
    assert len(names) == 3
    assert names[2].startswith("x_y_3") or names[2].startswith("x_y__3")
    assert (jplag / "submissions/ann/double.py").read_text("utf-8") == answer("01_double", "passed")
    stub = MINI / "exercises" / "01_double" / ".stub.py"
    assert (jplag / "basecode" / "double.py").read_bytes() == stub.read_bytes()
    files = [path for path in target.rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_dolos_gets_a_zip_whose_table_names_everybody(place: Place, tmp_path: Path) -> None:
    """Chinese names and times in the table, plain ASCII names of files; given code is ignored."""
    export(place, tmp_path / "out")

    rows, archive = table(tmp_path / "out", "01_double")
    assert set(archive.namelist()) == {*rows, "info.csv"}
    assert all(name.isascii() for name in archive.namelist())
    shown = {row["full_name"]: row for row in rows.values()}
    assert shown["Lovelace, Ada (ann)"]["created_at"] == "2026-01-09T00:00:00+00:00"
    assert shown["王小明 (s2)"]["created_at"] == "2026-01-11T00:00:00+00:00"
    assert [name for name, row in rows.items() if row["ignored"] == "true"] == ["stub.py"]
    assert "zoe" not in archive.read("info.csv").decode()


def test_the_attempt_that_counts_is_taken_and_gbk_becomes_utf8(
    place: Place, tmp_path: Path
) -> None:
    """The second attempt of s2, which was saved in GBK, is text for every program."""
    export(place, tmp_path / "out")

    raw = next((MINI / "answers" / "01_double" / "passed_gbk").glob("*.py")).read_bytes()
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")
    path = tmp_path / "out" / "01_double" / "jplag" / "submissions" / "s2" / "double.py"
    assert path.read_text("utf-8") == raw.decode("gbk").replace("\r\n", "\n")


def test_code_is_data_and_quizzes_are_none_of_it(place: Place, tmp_path: Path) -> None:
    """A program that would leave a trace leaves none; no answer to a quiz is written."""
    path = place.folder / "work" / "ann" / "1" / "double.py"
    trace = tmp_path / "ran"
    path.write_text(f"open({str(trace)!r}, 'w')\ndef double(x):\n    return 2 * x\n", "utf-8")
    grade_class(place)
    trace.unlink(missing_ok=True)  # without walls, grading may leave one

    export(place, tmp_path / "out")

    assert not trace.exists()
    written = b"".join(p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert str(trace).encode() in written
    assert b"no order" not in written
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"01_double", "02_indices"}


def test_untouched_stubs_and_unreadable_files_are_left_out_and_told(
    place: Place, tmp_path: Path
) -> None:
    """They would be alike, and mean nothing."""
    stub = MINI / "exercises" / "01_double" / ".stub.py"
    for who, data in (("zoe", b"# mine\n" + stub.read_bytes()), ("mud", b"\x00\x01\xff")):
        home = place.folder / "work" / who
        home.mkdir()
        (home / "double.py").write_bytes(data)
        files = {"01_double": f"work/{who}/double.py"}
        if who == "mud":
            _enrol(place, Student(id=who, attempts=[]))
        hand_in(place, who, Attempt(number=1, files=files))
    grade_class(place)

    done = export(place, tmp_path / "out")
    rows, _ = table(tmp_path / "out", "01_double")

    assert "still the stub, left out: zoe" in done.out
    assert "no text, left out: mud" in done.out
    assert not [row for row in rows.values() if row["full_name"] in {"zoe", "mud"}]


def test_what_is_not_graded_is_told(place: Place, tmp_path: Path) -> None:
    """Which attempt counts is known of graded work only."""
    _enrol(place, Student(id="late", attempts=[]))
    hand_in(place, "late", attempt(place.folder, "late", 1, -1, double="failed"))
    (place.folder / "work/late/1/double.py").write_text("x = 1\n", "utf-8")

    assert "left out: late" in export(place, tmp_path / "out").out


def test_pseudonyms_stay_and_their_key_stays_at_home(place: Place, tmp_path: Path) -> None:
    """No id and no name leaves; the same student has the same pseudonym next time."""
    first, second = tmp_path / "first", tmp_path / "second"

    done = export(place, first, "--pseudonyms", "--json")
    _enrol(place, Student(id="new", name="后来者", attempts=[]))
    export(place, second, "--pseudonyms")

    key = json.loads((place.folder / "pseudonyms.json").read_text("utf-8"))["students"]
    people = {person["id"]: name for name, person in key.items()}
    assert set(people) == {"ann", "s2", "x/y #3", "zoe", "new"}
    assert people["new"] == "P005"
    assert json.loads(done.out)["key"] == str(place.folder / "pseudonyms.json")
    assert stat.S_IMODE((place.folder / "pseudonyms.json").stat().st_mode) == 0o600
    assert table(first, "01_double")[0] == table(second, "01_double")[0]
    names = {path.name for path in (first / "01_double" / "jplag" / "submissions").iterdir()}
    assert names == {people["ann"], people["s2"], people["x/y #3"]}
    everything = "".join(map(str, first.rglob("*"))) + "".join(
        path.read_bytes().decode("utf-8", "replace") for path in first.rglob("*") if path.is_file()
    )
    for word in ("王小明", "Lovelace", "s2", "HYPERLINK"):
        assert word not in everything
    rows, _ = table(first, "01_double")
    order = [row["full_name"] for row in rows.values()]
    assert order[:-1] == sorted(order[:-1])


def test_pseudonyms_that_a_person_gave_are_kept(place: Place, tmp_path: Path) -> None:
    """Of whatever kind; new ones are counted from the highest that was dealt."""
    key = place.folder / "pseudonyms.json"
    known = {"Fox": {"id": "ann"}, "P007": {"id": "s2"}}
    key.write_text(json.dumps({"schema": "grade-pseudonyms/1", "students": known}), "utf-8")

    export(place, tmp_path / "out", "--pseudonyms")

    dealt = json.loads(key.read_text("utf-8"))["students"]
    assert (dealt["Fox"]["id"], dealt["P007"]["id"]) == ("ann", "s2")
    assert sorted(dealt)[1:4] == ["P007", "P008", "P009"]


def test_writing_again_replaces_and_keeps_what_is_not_ours(place: Place, tmp_path: Path) -> None:
    """Somebody who left the class leaves the folder; a report made there stays."""
    target = tmp_path / "out"
    export(place, target)
    (target / "01_double" / "jplag" / "result.jplag").write_text("a report", "utf-8")
    whole = read_collected(place.folder)
    fewer = [one for one in whole.students if one.id != "ann"]
    write_collected(place.folder, msgspec.structs.replace(whole, students=fewer))

    export(place, target)

    folders = (target / "01_double" / "jplag" / "submissions").iterdir()
    assert "ann" not in {path.name for path in folders}
    assert (target / "01_double" / "jplag" / "result.jplag").is_file()


def test_the_next_step_is_a_command_with_paths_that_exist(place: Place, tmp_path: Path) -> None:
    """Also where the folder's name holds spaces, and on one line, whatever the terminal's width."""
    target = tmp_path / "相似 代码"

    shown = export(place, target).out.splitlines()
    report = json.loads(export(place, target, "--json").out)

    one = report["exercises"][0]
    jplag, dolos = shlex.split(one["jplag"]), shlex.split(one["dolos"])
    assert jplag[:5] == ["java", "-jar", "jplag.jar", "-l", "python3"]
    assert Path(jplag[jplag.index("-bc") + 1]) == target / "01_double" / "jplag" / "basecode"
    assert Path(jplag[-1]).is_dir()
    assert dolos[:2] == ["dolos", "run"]
    assert Path(dolos[dolos.index("-i") + 1]).is_file()
    assert zipfile.is_zipfile(dolos[-1])
    assert shlex.join(jplag) in shown
    assert shlex.join(dolos) in shown


def test_ids_that_differ_in_capitals_get_folders_of_their_own(place: Place, tmp_path: Path) -> None:
    """Not every disk tells ANN from ann."""
    _enrol(place, Student(id="ANN", attempts=[]))
    hand_in(place, "ANN", attempt(place.folder, "ANN2", 1, -1, double="passed"))

    export(place, tmp_path / "out")

    names = [p.name for p in (tmp_path / "out" / "01_double" / "jplag" / "submissions").iterdir()]
    assert len({name.casefold() for name in names}) == len(names) == 4


def test_the_class_itself_is_no_folder_to_give_away(place: Place) -> None:
    """It holds the key and everybody's work."""
    for target in (place.folder, place.folder.parent):
        message = export(place, target).failed_with(2)

        assert "Name a folder of its own" in message


def test_a_class_without_work_is_said(place: Place, tmp_path: Path) -> None:
    """No empty folder that looks like an answer."""
    write_collected(place.folder, Collected(students=[Student(id="zoe", attempts=[])]))

    message = export(place, tmp_path / "out").failed_with(2)

    assert "Nobody of this class" in message
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_said(place: Place, tmp_path: Path) -> None:
    """A file in its place: one message, no traceback."""
    (tmp_path / "out").write_text("a file", "utf-8")
    shutil.copy(tmp_path / "out", tmp_path / "other")

    message = run_grade(
        place.root, "export", "similar", str(place.folder), str(tmp_path / "out" / "deep")
    ).failed_with(2)

    assert "cannot be written" in message


def _enrol(place: Place, student: Student) -> None:
    """Add a student to the class."""
    whole = read_collected(place.folder)
    students = [*whole.students, student]
    write_collected(place.folder, msgspec.structs.replace(whole, students=students))
