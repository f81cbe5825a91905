"""Which file answers what, and what is said about it."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.match import Matched, match
from grader.classroom.collect.model import Handin, Place, Who
from grader.classroom.collect.tree import open_tree
from grader.classroom.collect.unpack import Loose, Unpacked, unpack
from grader.intake.bundle import Manifest, write_bundle
from grader.text import Text
from tests.handins import (
    DOUBLE,
    INDICES,
    QUIZ,
    Content,
    Time,
    facts_of,
    notebook,
    packed,
    put,
    with_quiz,
)

STUB = "exercises/01_double/double.py"
ANSWERS = f"quiz: {QUIZ}\nseed: abc\nanswers:\n  first: 3\n"
BROKEN = "def double(x:\n    return 2 * x\n"


@pytest.fixture
def facts(course: Path) -> Facts:
    """What is known of the tiny course with a quiz."""
    return facts_of(with_quiz(course))


@pytest.fixture
def handed(facts: Facts, tmp_path: Path):
    """Return a function that says what came of files: path -> content."""

    def make(files: Mapping[str, Content], online: str = "") -> tuple[Unpacked, Matched]:
        tree = open_tree(put(tmp_path / "ada", files))
        who = Who(label="ada")
        entries = [
            (Place(who=who, path=entry.path, online_text=entry.path == online), entry)
            for entry in tree.entries
        ]
        unpacked = unpack(Handin(who=who, origin="ada", entries=entries), facts)
        return unpacked, match(unpacked.files, unpacked.aside, facts)

    return make


def taken(matched: Matched) -> dict[str, str]:
    """Return item -> path of the file that counts."""
    return {item: candidate.file.path for item, candidate in matched.answers.items()}


def english(notices: list[Text]) -> str:
    """Return what is said, in English."""
    return "\n".join(notice.en for notice in notices)


# --- names and places ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "double.py", "Double - 副本 (2).py", "exercises/01_double/double.py", "a/b/c/double.py",
        "01_double.py", "exercises/01_double/solution.py", "张三_double_作业.py", "01 homework.py",
        "ex01.py", "练习1.py", "no idea.py", "double.py.txt",
    ],
)  # fmt: skip
def test_a_file_is_found_by_name_folder_or_definitions(handed, path: str):
    """Whatever it is called and wherever it lies."""
    _, matched = handed({path: DOUBLE})

    assert taken(matched) == {"01_double": path}
    assert matched.answers["01_double"].data == DOUBLE.encode()


def test_a_renamed_file_is_told(handed):
    """The teacher sees by what it was recognised."""
    _, matched = handed({"no idea.py": DOUBLE, "indices (1).py": INDICES})

    said = english(matched.notices)
    assert "no idea.py was recognised by what it defines: 01_double." in said
    assert "indices (1).py was taken as indices.py." in said


def test_the_right_name_needs_no_notice(handed):
    """Nothing was repaired."""
    assert handed({"01_double/double.py": DOUBLE})[1].notices == []


def test_a_renamed_file_with_a_syntax_error_is_found(handed):
    """Its owner gets the line of the error instead of nothing."""
    assert taken(handed({"my work.py": BROKEN})[1]) == {"01_double": "my work.py"}


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"赵六.py": ""}, ["赵六.py is empty."]),
        (
            {"hw/a.py": " \n", "hw/notes.py": "x = 1\n"},
            ["hw/a.py is empty.", "Left aside: hw/notes.py."],
        ),
        ({"hw/__init__.py": "", "hw/double.py": DOUBLE}, ["Left aside: hw/__init__.py."]),
    ],
)
def test_an_empty_file_that_is_all_there_is_is_said_to_be_empty(handed, files, told):
    """Saving failed, and its owner does not know; beside an answer it is a tool's."""
    _, matched = handed(files)

    assert [notice.en for notice in matched.notices] == told
    assert matched.refused is ("is empty" in told[0])


def test_one_file_may_answer_several_exercises(handed):
    """Everything in one file is how many hand in."""
    _, matched = handed({"homework.py": DOUBLE + "\n\n" + INDICES})

    assert taken(matched) == {"01_double": "homework.py", "02_indices": "homework.py"}


def test_exercises_that_share_names_are_told_apart(facts: Facts):
    """The one whose names are there most fully takes them."""
    shared = {"a", "b", "c"}
    few = facts.exercises[0].__class__("11_few", "few", dict.fromkeys("ab", ""), b"")
    many = facts.exercises[0].__class__("12_many", "many", dict.fromkeys("abc", ""), b"")
    facts.exercises = [few, many]

    assert [[e.id for e in group] for group in facts.answered_by(shared)] == [["12_many"]]
    assert [[e.id for e in group] for group in facts.answered_by({"a", "b"})] == [["11_few"]]


def test_a_file_that_may_answer_either_of_two_is_left_to_a_person(handed, facts: Facts):
    """Nothing is guessed where names cannot tell."""
    first = facts.exercises[0]
    facts.exercises.append(first.__class__("09_twin", "twin", first.names, first.stub))

    _, matched = handed({"work.py": DOUBLE})

    assert (taken(matched), matched.refused) == ({}, True)
    assert "work.py may answer 01_double, 09_twin" in english(matched.notices)


# --- several files -------------------------------------------------------------------------------


def test_the_last_version_counts_and_the_others_are_listed(handed):
    """As far as names tell."""
    _, matched = handed(
        {"double.py": "x = 1\n" + DOUBLE, "double (1).py": DOUBLE, "old/double.py": BROKEN}
    )

    assert taken(matched) == {"01_double": "double (1).py"}
    assert "01_double: double (1).py is taken, not double.py, old/double.py." in english(
        matched.notices
    )


def test_an_untouched_stub_never_wins(handed, course: Path):
    """However new it is."""
    stub = (course / STUB).read_bytes()

    _, matched = handed({"double.py": DOUBLE, "double (9).py": stub, "z/double 最终版.py": stub})

    assert taken(matched) == {"01_double": "double.py"}
    assert "not" not in english(matched.notices)


def test_untouched_stubs_are_left_out_and_listed(handed, course: Path):
    """Not attempted is not failed, and does not stand in the way of an earlier attempt."""
    stub = (course / STUB).read_bytes().replace(b"\n", b"\r\n")

    _, matched = handed(
        {"double.py": stub, f"answers/{QUIZ}.yaml": f"quiz: {QUIZ}\nanswers:\n  a:\n"}
    )

    assert taken(matched) == {}
    assert english(matched.notices) == f"Untouched, so left out: {QUIZ}, 01_double."
    assert matched.recognised


def test_the_files_own_name_is_surer_than_its_definitions(handed):
    """A newer draft does not displace what has the right name."""
    _, matched = handed({"double.py": DOUBLE, "zz draft.py": "y = 2\n" + DOUBLE})

    assert taken(matched) == {"01_double": "double.py"}


def moments(*minutes: float) -> list[datetime.datetime]:
    """Return times so many minutes after noon."""
    noon = datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.timezone.utc)
    return [noon + datetime.timedelta(minutes=m) for m in minutes]


@pytest.mark.parametrize(
    ("times", "wanted"),
    [((30, 0), "a.py"), ((0, 30), "b.py"), ((0, 0), "b.py"), ((0.05, 0), "b.py")],
)
def test_the_newest_counts_where_times_tell(facts: Facts, times: tuple[float, ...], wanted: str):
    """Times a moment apart are those of a download or an archive that was opened."""
    texts = (DOUBLE, "x = 1\n" + DOUBLE)
    files = [
        Loose(path=path, data=text.encode(), changed=time)
        for path, text, time in zip(("a.py", "b.py"), texts, moments(*times), strict=True)
    ]

    assert taken(match(files, [], facts)) == {"01_double": wanted}


# --- quizzes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"answers/{QUIZ}.yaml", ANSWERS), ("my quiz.yml", ANSWERS),
        ("quiz.yaml", "quiz：01_counting\nanswers：\n  a：1\n"),
        ("counting.yaml", "answers: {first: 3}\n"), ("01.yaml", "answers: {first: 3}\n"),
        (f"{QUIZ} (1).yaml", "answers: {first: [\n"),
        (f"张三_{QUIZ}.yaml.txt", "answers: {first: 3}\n"),
        (f"{QUIZ}.yaml", "first: 3\n"), (f"{QUIZ} - 副本.yaml", "[" * 50),
    ],
)  # fmt: skip
def test_answers_are_found_by_field_or_name(handed, path: str, text: str):
    """Also with a Chinese colon, and where the file cannot be parsed."""
    _, matched = handed({path: text})

    assert taken(matched) == {QUIZ: path}
    assert matched.answers[QUIZ].data == text.encode()


def test_other_yaml_is_left_aside(handed):
    """A settings file is no answer."""
    quiz = {f"{QUIZ}.yaml": "title: {zh: 数数, en: Counting}\nitems: []\n"}  # not its answers
    _, matched = handed({"settings.yaml": "a: 1\n", "docker-compose.yml": "answers_to: x\n"} | quiz)

    assert taken(matched) == {}
    assert f"Left aside: {QUIZ}.yaml, docker-compose.yml, settings.yaml." in english(
        matched.notices
    )


# --- what plays no part --------------------------------------------------------------------------


def test_a_copy_of_the_whole_course_is_fine(handed, course: Path):
    """The course's own files are neither answers nor worth a word, unless they were changed."""
    put(course, {"grader/cli.py": "x", "tests/test_x.py": "x"})
    files = {
        f"course/{path.relative_to(course).as_posix()}": path.read_bytes()
        for path in course.rglob("*")
        if path.is_file() and "solutions" not in path.parts
    }
    files |= {f"course/tests/test_{n}.py": "x" for n in range(300)}
    files |= {f"course/{STUB}": DOUBLE, "course/exercises/01_double/test_visible.py": "assert True"}
    files |= {"course/.venv/lib/double.py": BROKEN, "course/__pycache__/double.py": BROKEN}

    unpacked, matched = handed(files)

    assert taken(matched) == {"01_double": f"course/{STUB}"}
    assert not unpacked.refused
    assert english(unpacked.notices) == (
        "course/exercises/01_double/test_visible.py was changed; the course's own copy is used."
    )
    assert "Left aside" not in english(matched.notices)


def test_other_files_are_listed_and_not_read(handed):
    """A data set of any size costs nothing."""
    unpacked, matched = handed(
        {"double.py": DOUBLE, "train.npy": b"\0" * 30 * 2**20, "report.docx": "x"}
    )

    assert not unpacked.refused
    assert "Left aside: report.docx, train.npy." in english(matched.notices)


def test_archives_that_are_no_zip_are_told(handed):
    """With what to do."""
    unpacked, _ = handed({"double.rar": b"Rar!\x1a\x07", "double.zip": b"Rar!\x1a\x07"})

    assert unpacked.refused
    assert "double.rar was not taken: It is no zip archive" in english(unpacked.notices)
    assert "double.zip was not taken: This is no zip archive" in english(unpacked.notices)


# --- archives ------------------------------------------------------------------------------------


def test_archives_in_archives_are_opened(handed):
    """A folder in a zip in a zip in a folder; under any name."""
    inner = packed({"hw/double.py": DOUBLE, "__MACOSX/hw/._double.py": "\0"})

    _, matched = handed(
        {
            "x/outer.zip": packed({"inner.zip": inner}),
            "work.dat.py": packed({"indices.py": INDICES}),
        }
    )

    assert taken(matched) == {
        "01_double": "x/outer.zip/inner.zip/hw/double.py", "02_indices": "work.dat.py/indices.py",
    }  # fmt: skip


def test_archives_too_deep_are_told(handed):
    """Nobody packs like that by accident."""
    data = packed({"double.py": DOUBLE})
    for _ in range(4):
        data = packed({"a.zip": data})

    unpacked, matched = handed({"a.zip": data})

    assert (taken(matched), unpacked.refused) == ({}, True)


@pytest.mark.parametrize(
    "files",
    [
        {"double.py": DOUBLE, "../../evil.txt": "x"}, {"double.py": DOUBLE, "/etc/cron.d/x": "x"},
        {"double.py": DOUBLE, "Double.py": DOUBLE}, {"double.py": DOUBLE, "C:\\x.py": "x"},
        {f"{n}.py": "x" for n in range(201)},
    ],
)  # fmt: skip
def test_a_trick_in_an_archive_makes_all_of_it_doubtful(handed, files: dict[str, str]):
    """Nothing of it is taken, the rest of what was handed in is."""
    unpacked, matched = handed({"bad.zip": packed(files), "indices.py": INDICES})

    assert taken(matched) == {"02_indices": "indices.py"}
    assert unpacked.refused
    assert "bad.zip was not taken:" in english(unpacked.notices)


def test_a_bomb_is_stopped_at_the_cap(handed):
    """A megabyte that says it is small and never ends."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("double.py", b"#" * 30 * 2**20)

    unpacked, matched = handed({"bomb.zip": out.getvalue(), "indices.py": INDICES})

    assert (taken(matched), unpacked.refused) == ({"02_indices": "indices.py"}, True)


def test_an_archive_with_a_nested_environment_is_fine(handed):
    """Thousands of files that nobody asked for do not use up the cap."""
    files = {f"venv/lib/site-packages/x{n}.py": "x" for n in range(1000)}

    unpacked, matched = handed({"a.zip": packed({**files, "double.py": DOUBLE})})

    assert (taken(matched), unpacked.refused) == ({"01_double": "a.zip/double.py"}, False)


def test_a_bundle_is_read_by_its_manifest(handed):
    """What ``grade submit`` wrote, with what it says of changes."""
    manifest = Manifest(course=Text("小课程", "A tiny course"), engine="0.1.0", student="Ada")
    bundle = write_bundle(
        manifest, {STUB: DOUBLE.encode(), f"answers/{QUIZ}.yaml": ANSWERS.encode()}
    )

    unpacked, matched = handed({"submission.zip": bundle})

    assert taken(matched) == {
        "01_double": f"submission.zip/{STUB}", QUIZ: f"submission.zip/answers/{QUIZ}.yaml",
    }  # fmt: skip
    assert (unpacked.student, unpacked.notices, matched.notices) == ("Ada", [], [])


# --- notebooks and pages -------------------------------------------------------------------------


def test_a_notebook_answers_every_exercise_whose_names_it_defines(handed):
    """Cells are told, and the source is Python."""
    _, matched = handed({"作业.ipynb": notebook("import torch", DOUBLE, INDICES, "print(1)")})

    assert taken(matched) == {"01_double": "作业.ipynb", "02_indices": "作业.ipynb"}
    assert "01_double comes from 作业.ipynb, cell 2." in english(matched.notices)
    assert b"print(1)" not in matched.answers["01_double"].data


@pytest.mark.parametrize("word", ["01", "1", "exercises/01", "01_double", "double"])
def test_the_magic_names_the_exercise_as_on_the_command_line(handed, word: str):
    """By number, folder or name."""
    _, matched = handed({"a.ipynb": notebook(f"%%grade {word}\n{DOUBLE}")})

    assert taken(matched) == {"01_double": "a.ipynb"}
    assert DOUBLE.strip() in matched.answers["01_double"].data.decode()


def test_a_damaged_notebook_is_told_and_costs_nothing_else(handed):
    """Salvage is for a person."""
    _, matched = handed({"a.ipynb": '{"cells": [', "indices.py": INDICES})

    assert (taken(matched), matched.refused) == ({"02_indices": "indices.py"}, True)
    assert "a.ipynb is no notebook that can be read" in english(matched.notices)


@pytest.mark.parametrize(
    "page",
    [
        "<p>def double(x):<br>&nbsp; &nbsp; return 2 * x</p><p>def greet(name, mark='!'):<br />"
        "&nbsp; &nbsp; return name + mark</p>",
        "<pre>def double(x):\n    return 2 * x\n\n"
        "def greet(name, mark='!'):\n    return name + mark</pre>",
        "<html><head><title>Work by Ada</title><style>p {}</style></head><body>"
        "<h1>Ada: HW 1</h1>\n<!-- a < b --><p>def double(x):<br>&nbsp; return 2 * x</p>"
        "<p>def greet(name, mark=&quot;!&quot;):<br>&nbsp; return name + mark",
        "<div>def double(x):</div>\n  <div>&nbsp;&nbsp;return 2 * x</div>\n"
        "<div>def greet(name, mark=&#39;!&#39;):</div><div>&nbsp;&nbsp;return name + mark</div>",
    ],
)
def test_code_typed_into_a_page_is_code(handed, page: str):
    """Lines and indentation are what a browser shows."""
    _, matched = handed({"onlinetext.html": page}, online="onlinetext.html")

    source = matched.answers["01_double"].data.decode()
    defined: dict[str, object] = {}
    exec(source, defined)  # noqa: S102 - the test's own text
    assert defined["double"](4) == 8  # type: ignore[operator]
    assert "01_double was typed in as online text." in english(matched.notices)


def test_a_file_is_surer_than_typed_text(handed):
    """A page may hold only a greeting, or an older version."""
    _, matched = handed(
        {"onlinetext.html": f"<pre>{DOUBLE}x = 1</pre>", "double.py": DOUBLE},
        online="onlinetext.html",
    )

    assert taken(matched) == {"01_double": "double.py"}


def test_a_page_of_words_is_left_aside(handed):
    """Dear teacher."""
    _, matched = handed({"onlinetext.html": "<p>老师好</p>"}, online="onlinetext.html")

    assert english(matched.notices) == "Left aside: onlinetext.html."


def test_times_in_archives_choose_between_versions(handed):
    """Inside one archive its clock is good enough."""
    out = io.BytesIO()
    old: Time = (2026, 11, 1, 10, 0, 0)
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a/double.py", (2026, 11, 2, 10, 0, 0)), DOUBLE)
        archive.writestr(zipfile.ZipInfo("b/double.py", old), "x = 1\n" + DOUBLE)

    assert taken(handed({"a.zip": out.getvalue()})[1]) == {"01_double": "a.zip/a/double.py"}
