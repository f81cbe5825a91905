"""nbgrader's own programs on our gradebook: its web page in a browser, its export, its feedback."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.gradebook.coursefolder import FOLDER
from tests.bookkeeping import CHAPTER, mark_by_hand, scores, write_book
from tests.browser import Browser, Page, opened
from tests.jupyter import PATIENCE_S, TOKEN, Server, environment, go, keep_picture, wait
from tests.postgres import Postgres
from tests.smallclass import HOSTILE, Place, marks_of

EVE = '=HYPERLINK("x"), ‹b›Eve‹/b›'  # as the gradebook shows her name


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Jupyter keeps what it wants to keep, apart from the person's own."""
    return tmp_path_factory.mktemp("jupyter")


def nbgrader(place: Place, home: Path, *words: str) -> str:
    """Run the command in the class's folder, as a teacher would; return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words], cwd=place.folder, env=environment(home),
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def shown(graded_once: Place, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A class whose gradebook a server shows. One for all tests: starting takes its time."""
    base = tmp_path_factory.mktemp("课 2")
    shutil.copytree(graded_once.root, base / "course")
    shutil.copytree(graded_once.folder, base / "class")
    place = Place(base / "course", base / "class")
    write_book(place)
    return place


@pytest.fixture(scope="module")
def server(shown: Place, home: Path) -> Iterator[Server]:
    """A server in that class's folder."""
    found = Server(shown.folder, home)
    yield found
    found.close()


Visit = Callable[[str, str], Page]


@pytest.fixture
def visit(server: Server, browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """Return a function that opens an address and waits until the page shows something."""
    with visiting(server, browser, tmp_path) as run:
        yield run


@contextlib.contextmanager
def visiting(server: Server, browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """Open a page of a server's formgrader; the block gets what opens addresses in it."""
    blank = tmp_path / "blank.html"
    blank.write_text("<!doctype html><title>blank</title>", encoding="utf-8")
    with opened(browser, blank, width=1200) as page:
        cookie = f"{server.address}tree?token={TOKEN}"
        go(page, cookie, "document.readyState == 'complete'")

        def run(path: str, until: str) -> Page:
            go(page, f"{server.address}formgrader/{path}", until)
            return page

        yield run


def submission(visit: Visit, notebook: str, name: str) -> str:
    """Return the address of a student's notebook, as the list of submissions links it."""
    page = visit(f"gradebook/{CHAPTER}/{notebook}", "document.querySelector('a.name-shown')")
    links = page.evaluate(
        "[...document.querySelectorAll('a.name-shown')].map(a => [a.textContent, a.href])"
    )
    return dict(links)[name].split("/formgrader/")[1]


def eve_id(place: Place) -> str:
    """Return the id that the gradebook gave Eve."""
    return next(who for who, _, _ in scores(place) if who.startswith("x_y"))


def test_formgrader_lists_what_was_handed_in(visit: Visit) -> None:
    """Assignments, submissions with their scores, and students stand in its pages."""
    page = visit("manage_assignments", f"document.body?.innerText.includes('{CHAPTER}')")
    wait(page, "document.querySelector('td.num-submissions')?.innerText == '3'")
    keep_picture(page, "assignments")

    page = visit(f"manage_submissions/{CHAPTER}", "document.body?.innerText.includes('Lovelace')")
    told = page.evaluate("document.body.innerText")
    keep_picture(page, "submissions")

    assert re.search(
        r"Lovelace, Ada\s+ann\s+2026-01-09 00:00:00 UTC\s+needs manual grading\s+9 / 14", told
    )
    assert re.search(r"王, 小明\s+s2\s+2026-01-11 00:00:00 UTC\s+graded\s+6 / 14", told)
    assert "needs autograding" not in told
    page = visit("manage_students", "document.body?.innerText.includes('Lovelace')")
    assert "zoe" in page.evaluate("document.body.innerText")


def test_a_text_is_marked_in_the_page(shown: Place, visit: Visit) -> None:
    """A teacher sees rubric and answer, enters a mark and a comment, and we read both back."""
    address = submission(visit, "quiz_01_words", EVE)
    page = visit(address, "document.querySelector('#why')")
    wait(page, "formgrader.grades.loaded && formgrader.comments.loaded")
    told = page.evaluate("document.body.innerText")
    assert "worth 1: no order known" in told
    assert "worth 2: outputs move along" in told
    keep_picture(page, "text")

    for field, value in (("#why", "2"), ("#why-comment", "Say what moves.")):
        page.evaluate(f"$('{field}').val({json.dumps(value)}).trigger('change') && 0")
    wait(page, "formgrader.grades.find(g => g.get('name') == 'why').get('manual_score') !== null")
    ends = time.monotonic() + PATIENCE_S
    while scores(shown)[eve_id(shown), "quiz_01_words", "why"][3]:
        assert time.monotonic() < ends
        time.sleep(0.1)

    written = write_book(shown)

    [moved] = written.moved
    assert (moved.student, moved.after.mark) == ("x/y #3", 2.0)
    assert written.waiting == {"quiz_01_words": 1}
    item = marks_of(shown).students[2].report.quizzes[0].items[1]
    assert item.messages[-1].en == "Your teacher says: Say what moves."


def test_formgrader_works_on_postgresql(
    place: Place, home: Path, postgres: Postgres, browser: Browser, tmp_path: Path
) -> None:
    """The same pages on a server's database: lists, code with its comment, a text marked there."""
    url = postgres.database()
    write_book(place, url)
    server = Server(place.folder, home)
    try:
        with visiting(server, browser, tmp_path) as visit:
            page = visit(
                f"manage_submissions/{CHAPTER}", "document.body?.innerText.includes('Ada')"
            )
            told = page.evaluate("document.body.innerText")
            keep_picture(page, "submissions-postgresql")
            page = visit(submission(visit, "02_indices", "Lovelace, Ada"),
                         "document.querySelector('#order')")  # fmt: skip
            wait(page, "document.querySelector('#your-answer-comment').placeholder.includes('one')")
            keep_picture(page, "code-postgresql")
            page = visit(submission(visit, "quiz_01_words", EVE), "document.querySelector('#why')")
            wait(page, "formgrader.grades.loaded && formgrader.comments.loaded")
            page.evaluate("$('#why').val('2').trigger('change') && 0")
            wait(page, "formgrader.grades.find(g => g.get('name') == 'why')"
                       ".get('manual_score') !== null")  # fmt: skip
            keep_picture(page, "text-postgresql")
            ends = time.monotonic() + PATIENCE_S
            eve = next(who for who, _, _ in scores(place, url) if who.startswith("x_y"))
            while scores(place, url)[eve, "quiz_01_words", "why"][3]:
                assert time.monotonic() < ends
                time.sleep(0.1)
    finally:
        server.close()

    assert re.search(r"Lovelace, Ada\s+ann\s+2026-01-09 00:00:00 UTC\s+needs manual grading", told)
    [moved] = write_book(place, url).moved
    assert (moved.student, moved.after.mark) == ("x/y #3", 2.0)


def test_what_a_student_wrote_is_shown_and_not_obeyed(visit: Visit) -> None:
    """Tags, formulas and emphasis in an answer stand there as they were typed."""
    address = submission(visit, "quiz_01_words", EVE)
    page = visit(address, "document.querySelector('#why')")

    told = page.evaluate(
        "document.querySelector('#why-comment').closest('.nbgrader_cell')"
        ".querySelector('pre').textContent"
    )
    assert told == HOSTILE
    inside = "document.querySelector('#notebook-container')"
    assert page.evaluate(f"{inside}.querySelectorAll('script').length") == 0


def test_code_and_checks_stand_in_the_page(visit: Visit) -> None:
    """The code, every check's score and the comment with the mistake's name."""
    address = submission(visit, "02_indices", "Lovelace, Ada")
    page = visit(address, "document.querySelector('#order')")
    wait(page, "formgrader.grades.loaded && formgrader.comments.loaded")
    wait(page, "document.querySelector('#your-answer-comment').placeholder.includes('one')")
    keep_picture(page, "code")

    told = page.evaluate("document.body.innerText")
    assert "def indices(n):" in told
    assert "range(1, n + 1)" in told
    assert page.evaluate("document.querySelector('#length').placeholder") == "1"
    assert page.evaluate("document.querySelector('#order').placeholder") == "0"
    comment = page.evaluate("document.querySelector('#your-answer-comment').placeholder")
    assert comment.startswith("You count from one.")
    assert "[0, 0, 1, 1, 2, 2]" not in told  # what a hidden check expects


def test_its_autograder_finds_nothing_to_run(shown: Place, server: Server, visit: Visit) -> None:
    """The button that would run student code outside a sandbox fails and changes nothing."""
    before = scores(shown)
    page = visit(f"manage_submissions/{CHAPTER}", "document.body?.innerText.includes('Lovelace')")

    address = f"{server.address}formgrader/api/submission/{CHAPTER}/ann/autograde"
    answer: Any = page.evaluate(
        "(async () => { const cookie = document.cookie.match(/_xsrf=([^;]*)/);"
        f" const found = await fetch({json.dumps(address)},"
        " {method: 'POST', headers: {'X-XSRFToken': cookie ? cookie[1] : ''}});"
        " return await found.json(); })()"
    )

    assert answer["success"] is False
    assert "No notebooks were matched" in answer["error"] + answer["log"]
    assert scores(shown) == before
    assert (shown.folder / FOLDER / "autograded/ann" / CHAPTER / "01_double.ipynb").exists()


def test_nbgrader_export_on_both_databases(place: Place, home: Path, postgres: Any) -> None:
    """Its table has one column too few or many for nobody, whatever they are called."""
    expected = {
        "ann": ("Lovelace", "Ada", 9.0, 0.0, 9.0),
        "s2": ("王", "小明", 6.0, 0.6, 5.4),
        "zoe": ("", "", 0.0, 0.0, 0.0),
    }
    for url in (None, postgres.database()):
        write_book(place, url)
        nbgrader(place, home, "export", "--to", "out.csv")
        with (place.folder / "out.csv").open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))

        assert len(table) == 4
        assert all(None not in row and None not in row.values() for row in table)
        for row in table:
            assert row["max_score"] == "14"
            if row["student_id"] in expected:
                found = tuple(
                    float(row[name]) for name in ("raw_score", "late_submission_penalty", "score")
                )
                assert (row["last_name"], row["first_name"], *found) == expected[row["student_id"]]
            else:
                assert row["last_name"] == '\'=HYPERLINK("x")'
                assert float(row["score"]) == 8.0


def test_nbgrader_feedback_leaves_the_rubric_out(place: Place, home: Path) -> None:
    """Whoever uses nbgrader's own feedback hands out marks and comments, not the rubric."""
    write_book(place)
    mark_by_hand(place, None, "ann", "why", 2.0)

    nbgrader(place, home, "generate_feedback", CHAPTER, "--student", "ann")

    pages = list((place.folder / FOLDER / "feedback" / "ann" / CHAPTER).glob("*.html"))
    assert {page.stem for page in pages} == {"01_double", "02_indices", "quiz_01_words"}
    quiz = next(page for page in pages if page.stem == "quiz_01_words")
    told = quiz.read_text(encoding="utf-8")
    assert re.search(r"Score: 4\.0 / 5\.0", told)
    assert "outputs move along" not in told
    code = next(p for p in pages if p.stem == "02_indices").read_text(encoding="utf-8")
    assert "You count from one." in code


def test_a_configuration_of_ones_own_is_left(place: Place) -> None:
    """What a teacher wrote is not written over, and that is said."""
    path = place.folder / "nbgrader_config.py"
    path.write_text("c = get_config()\n", encoding="utf-8")

    assert not write_book(place).configured
    assert path.read_text(encoding="utf-8") == "c = get_config()\n"
