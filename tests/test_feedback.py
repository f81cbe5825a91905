"""A page of feedback for each student, and what must not stand in it."""

from __future__ import annotations

import html
import json
import re
import tempfile

from grader.classroom.feedback import write_feedback
from grader.classroom.given import Given, GivenMark, write_given
from tests.commandline import run_grade
from tests.smallclass import Place, attempt, grade_class, hand_in, marks_of, open_class


def pages(place: Place) -> dict[str, str]:
    """Write the feedback of a class; return each page without markup."""
    written = write_feedback(
        marks_of(place), open_class(place).course, place.folder / "feedback", "en", lambda: None
    )
    return {
        path.stem: html.unescape(re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")))
        for path in written
    }


def words(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def test_everybody_who_handed_in_gets_a_page(place: Place) -> None:
    """Attempt and lateness stand in it; who handed in nothing gets none."""
    found = pages(place)

    assert {name for name in found if not name.startswith("x_y")} == {"ann", "s2"}
    assert len(found) == 3
    late = words(found["s2"])
    assert "Attempt 2 of 2 counts." in late
    assert "1 days late, 10% off: 5.4 points." in late
    assert "You count from one." in words(found["ann"])


def test_nothing_hidden_stands_in_a_page(place: Place) -> None:
    """No hidden input or expected value, no rubric, no key, no path of this machine."""
    hand_in(place, "ann", attempt(place.folder, "ann", 2, -0.5, double="failed_dtype"))
    grade_class(place)
    found = pages(place)

    for name, page in found.items():
        told = words(page)
        for secret in ("[0, 0", "indices(3)", "Mo!", "Mo?", "-6.0", "-6,", "move along"):
            assert secret not in told, (name, secret)
        assert "no order known" not in told
        assert str(place.folder) not in page
        assert tempfile.gettempdir() not in page


def test_what_a_person_gave_stands_in_the_page(place: Place) -> None:
    """Mark and comment, without what the words of the answer suggested."""
    given = GivenMark(score=2, comment="Say what {moves}, too.")
    write_given(place.folder, Given(students={"ann": {"01_words": {"why": given}}}))

    told = words(pages(place)["ann"])

    assert "Your teacher says: Say what {moves}, too." in told
    assert "Seems to be there" not in told


def test_the_same_results_make_the_same_pages(place: Place) -> None:
    """A second run writes nothing."""
    pages(place)
    before = {p: p.stat().st_mtime_ns for p in (place.folder / "feedback").iterdir()}

    pages(place)

    assert {p: p.stat().st_mtime_ns for p in (place.folder / "feedback").iterdir()} == before


def test_the_command_says_where(place: Place) -> None:
    """Into the class's folder, or elsewhere."""
    words = ("feedback", str(place.folder), "--course", str(place.root))

    done = run_grade(place.root, *words)
    other = run_grade(place.root, *words, "--output", str(place.folder / "别处"), "--json")

    assert done.code == 0, done.err
    assert "3 pages" in done.out
    assert len(list((place.folder / "feedback").glob("*.html"))) == 3
    assert len(json.loads(other.out)["files"]) == 3
