"""What costs a student everything without a word about what they know is told to everybody."""

from __future__ import annotations

import datetime
import html
import json
import re
from pathlib import Path

import msgspec
import pytest

from grader.classroom.collect.people import read_roster
from grader.classroom.feedback import write_feedback
from grader.classroom.model import Attempt, read_collected
from grader.classroom.room import read_room
from grader.classroom.troubles import happened, in_words, troubles, troubles_of_last
from grader.results import CheckResult, ExerciseResult, Limits, Outcome
from grader.sandbox import choose
from grader.text import Text
from tests.bookkeeping import comments, rows, write_book
from tests.commandline import run_grade
from tests.handins import collected, put
from tests.smallclass import DUE, MINI, Place, grade_class, hand_in, marks_of, open_class

BROKEN = b'quiz: 01_words\nanswers:\n  sum: "2\n  why: order\n'  # a quote that ends nowhere
_VALUES = {outcome.value for outcome in Outcome}
VARIANTS = """\
title: {zh: 词语, en: Words}
summary: {zh: 词语。, en: Words.}
minutes: 5
objectives: [values]
lesson: ["1"]
items:
  - id: sum
    type: numeric
    points: 2
    prompt: {zh: '{{a}} 加一？', en: '{{a}} and one?'}
    variants: [{a: 1}, {a: 2}]
    key: {expr: "a+1"}
    explanation: {zh: 相加。, en: Added.}
"""


def handed(place: Place, student: str, files: dict[str, bytes | str], number: int = 9) -> None:
    """Hand in files by the names that they have in the course: ``01_double`` and the like."""
    modules = {"01_double": "double.py", "02_indices": "indices.py", "01_words": "01_words.yaml"}
    paths: dict[str, str] = {}
    for item, content in files.items():
        path = place.folder / "work" / student / str(number) / modules[item]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths[item] = path.relative_to(place.folder).as_posix()
    hand_in(place, student, Attempt(number=number, at=DUE, files=paths))


def told(place: Place) -> dict[tuple[str, str], str]:
    """Return what there is to look at: student, item -> English."""
    room = open_class(place)
    found = troubles(marks_of(place), room, read_collected(place.folder))
    return {(one.student, one.item): one.what.en for one in found}


def feedback(place: Place, student: str) -> str:
    """Return the text of a student's page, with single spaces."""
    room = open_class(place)
    write_feedback(marks_of(place), room.course, place.folder / "feedback", "en", lambda: None)
    page = (place.folder / "feedback" / f"{student}.html").read_text(encoding="utf-8")
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (BROKEN, "01_words.yaml:3 cannot be read: "),
        (b"quiz: 01_words\nanswers:\n  sum: \x00\n", "01_words.yaml cannot be read: "),
        (b"\xff\xfe\x00\xd8\x00", "01_words.yaml cannot be read: "),
        (b"quiz: 02_other\nanswers: {sum: 2}\n", "answers the quiz 02_other"),
        (b"  \n", "01_words.yaml is empty."),
    ],
)
def test_unreadable_answers_are_told_wherever_marks_are(
    place: Place, content: bytes, why: str
) -> None:
    """On the class's page, in the gradebook's comment and to the student; the reason each time."""
    handed(place, "s2", {"01_words": content})
    grade_class(place)

    assert why in told(place)["s2", "01_words"]
    assert why in feedback(place, "s2")
    assert "none of your answers was marked" in feedback(place, "s2")
    write_book(place)
    assert why in comments(place)["s2", "quiz_01_words", "your-answer"][0]
    last = troubles_of_last(open_class(place), read_collected(place.folder))
    assert [why in one.what.en for one in last if one.item == "01_words"] == [True]


def test_readable_answers_give_nobody_cause_to_look(place: Place) -> None:
    """Wrong, late or half-done work is no trouble: the list stays short."""
    assert told(place) == {}
    handed(place, "ann", {"01_words": "answers:\n  sum: two apples\n"})
    grade_class(place)
    assert told(place) == {("ann", "01_words"): "these answers cannot be read: 1"}


def test_the_commands_tell_it(place: Place) -> None:
    """After a batch, in the gradebook's report, with the pages, and on the class's own page."""
    handed(place, "s2", {"01_words": BROKEN})
    walls = [] if choose(None)[0].isolates else ["--allow-unsandboxed"]
    words = (str(place.folder), "--course", str(place.root))

    batch = run_grade(place.root, "batch", *words, *walls)
    book = run_grade(place.root, "gradebook", *words)
    pages = run_grade(place.root, "feedback", *words)

    for done in (batch, book, pages):
        assert "s2, 01_words: 01_words.yaml:3 cannot be read" in " ".join(done.out.split())
        assert str(place.folder / "work") not in done.out
    overview = (place.folder / "report.html").read_text(encoding="utf-8")
    assert "cannot be read" in overview


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("ada/01_words.yaml", BROKEN, "01_words.yaml:3 cannot be read"),
        ("ada/01_words.yaml", b"", "01_words.yaml is empty."),
        ("ada/double.py", b"def double(x:\n", "double.py:1 is no valid Python"),
        ("ada/double.py", b"def double(x):\n    return x\x00\n", "double.py cannot be read"),
        ("ada/double.py", b"\n", "double.py is empty."),
        ("ada/double.py", b"import torch\n", "double.py defines nothing that the task asks for."),
    ],
)
def test_collecting_tells_what_nothing_can_be_read_of(
    place: Place, tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    """Kept all the same, told below the student, and a person is asked to look."""
    sent = put(tmp_path / "sent", {name: content, "bob/double.py": _right()})

    report = collected(place.root, sent, tmp_path / "class")

    ada, bob = report.students
    assert any(why in notice.en for notice in ada.new[0].notices), ada.new
    assert (ada.refused, bob.refused, report.refused) == (True, False, True)
    assert len(ada.new[0].files) == 1


def _right() -> bytes:
    return (MINI / "answers/01_double/passed/double.py").read_bytes()


@pytest.mark.parametrize(
    ("case", "said", "shown"),
    [
        ("syntax_error_wide", "The file is no valid Python.\nLine 1, column 13", "U+FF09"),
        ("import_error", "An import in the file failed.\n", "An import failed: "),
        ("encoding_error", "The file is no text that can be read.\n", "encoding error"),
        ("crashed_at_import", "The process that ran the code came to an end", "While the file"),
        ("runtime_error_exit", "The code raised an exception.", "The code called exit()"),
        ("wrong_signature", "It cannot be called as the task says.", "wrong signature"),
        ("bad_value", "What came back is no value of the kind that was asked for.", "usable value"),
        ("missing", "A name that the task asks for does not exist", "does not exist"),
    ],
)
def test_every_way_to_end_has_its_words(place: Place, case: str, said: str, shown: str) -> None:
    """The gradebook's comment says what happened, the student's page as well; nothing hidden."""
    answer = next((MINI / "answers" / "01_double" / case).glob("*.py"))
    handed(place, "s2", {"01_double": answer.read_bytes()})
    grade_class(place)
    write_book(place)

    comment = comments(place)["s2", "01_double", "your-answer"][0]
    page = feedback(place, "s2")

    assert said in comment
    assert shown in page
    if ("s2", "01_double") in told(place):
        assert "No check could judge anything of this file." in page
        assert "Nothing could be judged: " in comment
    for secret in ("-6.0", "'Mo", str(place.folder), "site-packages"):
        assert secret not in comment
        assert secret not in page


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("timeout_loop", "The code did not end within its time."),
        ("memory_limit", "The code asked for more memory than it may have."),
        ("output_limit", "The code printed more than it may."),
        ("crashed_signal", "The process that ran the code came to an end too early."),
    ],
)
def test_hidden_checks_say_which_wall_was_hit(case: str, said: str) -> None:
    """Such checks quote nothing; the sentence stands below their title."""
    outcome = Outcome(case.rpartition("_")[0] if case not in _VALUES else case)
    check = CheckResult(id="work", title=Text("计算", "work"), points=1, objectives=[],
                        hidden=True, outcome=outcome, earned=0.0)  # fmt: skip
    passed = msgspec.structs.replace(check, id="other", outcome=Outcome.PASSED, earned=1.0)
    result = ExerciseResult(
        exercise="03_limited", title=Text("", ""), submission_sha256="", checks=[check, passed],
        earned=1.0, possible=2.0, limits=Limits(),
    )  # fmt: skip

    assert [message.en for message in in_words(result).checks[0].messages] == [said]
    assert [text.en for text in happened(result)] == [f"work: {said}"]
    assert in_words(result).checks[1] == passed


def test_what_is_not_graded_is_not_called_late(place: Place) -> None:
    """A piece that a fault of ours left ungraded says so, in the page and in the gradebook."""
    handed(place, "s2", {"02_indices": "def indices(n):\n    return []\n"})

    page = feedback(place, "s2")
    write_book(place)

    assert "An attempt is not graded yet." in page
    assert "after the time" not in page
    assert comments(place)["s2", "02_indices", "your-answer"][0] == "An attempt is not graded yet."
    assert told(place)["s2", "02_indices"] == "not graded yet"


def test_seeds_that_change_or_are_shared_are_told_and_cost_nothing(place: Place) -> None:
    """A seed picks a variant; whoever hands in several seeds, or another's, keeps the marks."""
    (place.root / "quizzes" / "01_words.yaml").write_text(VARIANTS, encoding="utf-8")
    for student, seed, number in (("ann", "aa", 8), ("ann", "bb", 9), ("s2", "bb", 9)):
        handed(place, student, {"01_words": f"seed: {seed}\nanswers: {{sum: 3}}\n"}, number)
    grade_class(place)

    found = [one for one in troubles(marks_of(place), open_class(place),
             read_collected(place.folder)) if "seed" in one.what.en]  # fmt: skip

    assert [(one.student, one.what.en) for one in found] == [
        ("ann", "the seed that picks the variants differs between attempts: aa, bb"),
        ("ann", "the answer file has the same seed as that of s2"),
        ("s2", "the answer file has the same seed as that of ann"),
    ]
    earned = {m.student: m.items[-1].earned for m in marks_of(place).students}
    assert earned["ann"] == earned["s2"]


# --- sandboxes -----------------------------------------------------------------------------------


def test_reading_commands_take_results_of_any_sandbox(place: Place) -> None:
    """A batch in a weaker sandbox fills the gradebook; the strongest result counts, and is told."""
    words = (str(place.folder), "--course", str(place.root))
    strongest = choose(None)[0]
    handed(place, "s2", {"02_indices": "def indices(n):\n    return [0] * (2 * n)\n"})
    batch = run_grade(
        place.root, "batch", *words, "--sandbox", "process", "--allow-unsandboxed", "--json"
    )
    assert json.loads(batch.out)["graded"] > 0, batch.err

    found = json.loads(run_grade(place.root, "gradebook", *words, "--json").out)
    only = json.loads(run_grade(
        place.root, "export", "marks", *words, "--format", "csv", "--sandbox", "process", "--json"
    ).out)  # fmt: skip

    assert found["ungraded"] == {}
    notices = " ".join(notice["en"] for notice in found["notices"])
    expected = "several sandboxes (bubblewrap 5, process 1)" if strongest.isolates else "no wall"
    assert expected in notices
    assert only["unfinished"] == ["ann", "x/y #3"]  # their free texts
    assert "the sandbox process, which is no wall" in only["notices"][0]["en"]


def test_an_unknown_sandbox_is_told(place: Place) -> None:
    """Nothing is graded here, so it need not work on this machine; but it has to exist."""
    done = run_grade(place.root, "feedback", str(place.folder), "--course", str(place.root),
                     "--sandbox", "moat")  # fmt: skip

    assert done.code == 2
    assert "bubblewrap, process, spawn" in done.err
    assert read_room(place.folder, place.root, "spawn").ledger.folder.is_dir()


# --- class lists and times -----------------------------------------------------------------------


def test_the_gradebook_gets_what_the_class_list_has(place: Place, tmp_path: Path) -> None:
    """Mail, names as the list parts them, and the platform's own number; corrections stay."""
    listed = tmp_path / "list.csv"
    listed.write_text(
        "Canvas ID,Student ID,First name,Last name,Email\n"
        "77,ann,Ada Maria,King Lovelace,ada@example.org\n78,s2,小明,王,wang@example.org\n",
        encoding="utf-8",
    )
    sent = put(tmp_path / "sent", {"ann/double.py": _right(), "s2/double.py": _right() + b"\n"})
    roster = read_roster(listed)
    collected(place.root, sent, place.folder, roster=roster)
    grade_class(place)
    write_book(place)

    query = "SELECT id, lms_user_id, first_name, last_name, email FROM student ORDER BY id"
    people = {row[0]: row[1:] for row in rows(place, None, query)}
    assert people["ann"] == ("77", "Ada Maria", "King Lovelace", "ada@example.org")
    assert people["s2"] == ("78", "小明", "王", "wang@example.org")

    rows(place, None, "UPDATE student SET email = 'own@x.org', last_name = 'K' WHERE id = 'ann'")
    write_book(place)
    people = {row[0]: row[1:] for row in rows(place, None, query)}
    assert people["ann"] == ("77", "Ada Maria", "K", "own@x.org")


@pytest.mark.parametrize("stamp", ["yesterday at noon", "", "2026-13-45 10:00:00 UTC"])
def test_a_bad_timestamp_is_told_with_the_time_that_was_taken(
    place: Place, tmp_path: Path, stamp: str
) -> None:
    """Without another time the work is not late; the time of a student's archive is the next."""
    sent = put(tmp_path / "sent" / "submitted", {
        "ada/ps1/double.py": _right(), "ada/ps1/timestamp.txt": stamp,
        "bob/ps1/double.py": _right(), "bob/ps1/timestamp.txt": "2026-11-02 12:00:00 UTC",
    })  # fmt: skip

    report = collected(place.root, sent, tmp_path / "class")

    ada, bob = report.students
    said = [notice.en for notice in ada.new[0].notices]
    assert ada.new[0].at is None
    assert said[0].startswith("timestamp.txt holds no time as nbgrader writes it: ")
    assert said[1] == "No other time is known, so it does not count as late."
    assert (ada.refused, bob.refused) == (True, False)
    assert bob.new[0].at == datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.timezone.utc)
