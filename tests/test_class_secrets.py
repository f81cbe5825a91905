"""Whatever leaves a class's folder tells no hidden input, expected value, path or other student."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.bookkeeping import COMMENTS, rows
from tests.leakage import others, paths, secrets_of, told
from tests.simulated import Truth, command
from tests.smallclass import MINI, Place
from tests.test_class import marks

TAGS = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)


def text_of(page: Path) -> str:
    """Return what stands in a page."""
    return html.unescape(TAGS.sub(" ", page.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def handed_out(simulated_class: tuple[Path, Truth]) -> tuple[Path, list[str]]:
    """Return a copy of the class's folder with everything written, and its students."""
    graded, right = simulated_class
    folder = shutil.copytree(graded, graded.with_name("发还 作业"))
    for words in (
        ("feedback", folder), ("gradebook", folder),
        *(("export", "marks", folder, "--format", form)
          for form in ("csv", "canvas", "moodle", "gradescope")),
    ):  # fmt: skip
        done = command(folder, *words)
        assert done.code == 0, done.err
    return folder, list(right)


def test_the_hidden_tests_have_something_to_hide(handed_out: tuple[Path, list[str]]) -> None:
    """What is searched for: inputs and expected values as the hidden tests spell them."""
    words, numbers = secrets_of(handed_out[0].parent / "course")

    assert {"Mo!", "Mo?"} <= words
    assert {(2.0, -6.0), (1.0, -3.0), (0, 0, 1, 1, 2, 2)} <= numbers
    assert len(words) + len(numbers) > 10


def test_feedback_tells_nothing_hidden_and_nothing_of_others(
    handed_out: tuple[Path, list[str]],
) -> None:
    """Every page, of attackers as well, who print and raise what they were called with."""
    folder, students = handed_out
    words, numbers = secrets_of(folder.parent / "course")
    pages = {one.student: one for one in marks(folder).students if any(i.every for i in one.items)}
    written = list((folder / "feedback").glob("*.html"))

    assert len(written) == len(pages)
    for page in written:
        text = text_of(page)
        own = [name for name in students if name in text]
        leaked = told(text, words, numbers, {*paths(folder, folder.parent), *students})
        assert leaked <= set(own[:1]), (page.name, leaked)
        assert len(own) <= 1, (page.name, own)


def test_the_gradebooks_comments_tell_nothing_hidden(handed_out: tuple[Path, list[str]]) -> None:
    """Comments go to students through nbgrader's own feedback."""
    folder, students = handed_out
    words, numbers = secrets_of(folder.parent / "course")
    ids = {one.student: one.student for one in marks(folder).students}
    found = rows(Place(folder.parent / "course", folder), None, COMMENTS)
    said = [(row[0], row[3]) for row in found if row[3]]

    assert len(said) > len(students) / 2
    for student, comment in said:
        plain = paths(folder, folder.parent) | others(students, ids.get(student, student))
        leaked = told(comment, words, numbers, plain)
        assert not leaked, (student, leaked, comment)


def test_exports_tell_nothing_hidden(handed_out: tuple[Path, list[str]]) -> None:
    """Tables hold everybody's names and nothing more; a file for one student, only that one's."""
    folder, students = handed_out
    words, numbers = secrets_of(folder.parent / "course")
    tables = [folder / name for name in ("marks.csv", "canvas.csv", "moodle.csv")]
    results = list((folder / "gradescope").glob("*.json"))

    assert len(results) == len(students)
    for path in tables:
        assert told(path.read_text("utf-8"), words, numbers, paths(folder, folder.parent)) == set()
    for path in results:
        text = json.dumps(json.loads(path.read_bytes()), ensure_ascii=False)
        assert told(text, words, numbers, {*paths(folder, folder.parent), *students}) == set()


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("got tensor([ 2., -6.])", "[2.0, -6.0]"),
        ("expected [0,0, 1,1, 2, 2] here", "[0.0, 0.0, 1.0, 1.0, 2.0, 2.0]"),
        ("greet gave 'Mo!'", "Mo!"),
        ("in {folder}/submissions/x.py", "{folder}"),
        ("like Ada", "Ada"),
    ],
)
def test_the_search_finds_what_is_planted(tmp_path: Path, planted: str, found: str) -> None:
    """In whatever way the numbers are printed; so an empty result means something."""
    words, numbers = secrets_of(MINI)
    text = f"Note: {planted}".replace("{folder}", str(tmp_path))

    leaked = told(text, words, numbers, {*paths(tmp_path), *others({"Ada", "Bob"}, "Bob")})

    assert found.replace("{folder}", str(tmp_path)) in leaked
    assert told("2 of 5 checks passed [1, 2]", words, numbers, paths(tmp_path)) == set()


def test_where_a_value_stands_is_no_secret() -> None:
    """An index looks like a short list of numbers; the same numbers as a value are found."""
    hidden = {(0.0, 0.0)}

    assert told("First at index [0, 0]: nan. 最先出现在下标 [0, 0]：nan。", [], hidden, []) == set()
    assert told("Expected [0, 0].", [], hidden, []) == {"[0.0, 0.0]"}
