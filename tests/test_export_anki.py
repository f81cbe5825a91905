"""The Anki deck: read with sqlite3, and imported into Anki's own collection."""

from __future__ import annotations

import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from grader.classroom.quizzes.anki import write_deck
from grader.errors import CourseError
from grader.quiz.cards import Card, load_cards
from grader.text import Language, Text
from tests.conftest import not_covered
from tests.exporting import REAL, ROOT, TINY, prepared

Notes = dict[str, tuple[str, str, str]]  # guid -> front, back, tags


def written(
    path: Path, *languages: Language, root: Path = TINY, names: tuple[str, ...] = ("01_every_type",)
) -> int:
    """Write the deck of some quizzes."""
    course = prepared(root, names[0])[0]
    quizzes = [prepared(root, name)[1:] for name in names]
    return write_deck(path, course.file.title, load_cards(course), quizzes, languages)


def read(path: Path, folder: Path) -> Notes:
    """Read the notes of a package with sqlite3."""
    with zipfile.ZipFile(path) as package:
        package.extract("collection.anki2", folder)
    with closing(sqlite3.connect(folder / "collection.anki2")) as base:
        rows = base.execute("select guid, flds, tags from notes").fetchall()
        assert base.execute("select count(*) from cards").fetchone() == (len(rows),)
    return {guid: (*fields.split("\x1f"), tags) for guid, fields, tags in rows}


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    """The notes of the quiz of every type, in English."""
    written(tmp_path / "deck.apkg", "en")
    return read(tmp_path / "deck.apkg", tmp_path)


def one(notes: Notes, word: str) -> tuple[str, str, str]:
    """Return the note whose front holds ``word``."""
    (found,) = [note for note in notes.values() if word in note[0]]
    return found


def test_reviews_and_items_are_cards(notes: Notes) -> None:
    """Two review cards and each item that wants to be one, its first variant only."""
    assert len(notes) == 2 + 11
    assert "Where does order come from?" in one(notes, "order come")[0]
    assert "D=512" in one(notes, "longest wavelength")[0]
    assert not [note for note in notes.values() if "Which is printed?" in note[0]]


def test_the_back_says_what_is_right_and_why(notes: Notes) -> None:
    """Options keep their letters; right and wrong ones are marked, each with its reason."""
    front, back, tags = one(notes, "row")
    letter = re.search(r"<p>([ABC])\. \\\(\\sin a\\cos b", front)

    assert letter is not None
    assert re.search(rf"✓ {letter[1]}\. \\\(\\sin a\\cos b", back)
    assert back.count("✗") == 2
    assert r"\(a&lt;b\) &amp; \(b&gt;0\)" in back
    assert r"\[\frac{1}{2}&lt;1\]" in back
    assert tags.split() == ["values", "S1", "lesson::1"]


def test_every_form_has_its_answer(notes: Notes) -> None:
    """Typed answers, orders, pairs and sentences stand on the back."""
    assert "60611.5" in one(notes, "longest wavelength")[1]
    assert "[11, 8]" in one(notes, "shape of the table")[1]
    assert "0.5; half" in one(notes, "A half is")[1]
    assert '<p class="right">2*i/D</p>' in one(notes, "exponent")[1]
    assert re.search("embed.*scale.*adding comes last", one(notes, "Put in order")[1], re.DOTALL)
    assert "fast hand — neighbours" in one(notes, "Match")[1]
    assert 'a &lt; b &amp; "c"' in one(notes, "What is printed")[1]
    assert "Attention sees no order" in one(notes, "Why positions")[1]


def test_a_new_export_keeps_every_guid(tmp_path: Path) -> None:
    """The same cards in the same language are the same notes; another language is another note."""
    found = []
    for number, language in enumerate(("en", "en", "zh")):
        path = tmp_path / f"{number}.apkg"
        written(path, language)  # type: ignore[arg-type]
        found.append(set(read(path, tmp_path)))

    assert found[0] == found[1]
    assert found[0] & found[2] == set()


def test_anki_takes_it_and_updates_it(tmp_path: Path) -> None:
    """Anki imports the deck; a newer export updates a card in place and adds nothing."""
    try:
        from anki.collection import Collection
        from anki.import_export_pb2 import ImportAnkiPackageRequest
    except ImportError:
        not_covered("the package anki is not installed")
    course, quiz, items = prepared()
    cards = load_cards(course)
    changed = [msgspec.structs.replace(cards[0], back=Text("新的", "new")), *cards[1:]]
    collection = Collection(str(tmp_path / "collection.anki2"))
    try:
        counts = []
        for number, version in enumerate((cards, changed)):
            path = tmp_path / f"{number}.apkg"
            write_deck(
                path, course.file.title, version, [(quiz, items)], ("en",), seconds=1.8e9 + number
            )
            log = collection.import_anki_package(
                ImportAnkiPackageRequest(package_path=str(path))
            ).log
            counts.append((len(log.new), len(log.updated)))
        backs = [collection.get_note(id_)["Back"] for id_ in collection.find_notes("tag:review")]
        decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    finally:
        collection.close()

    assert counts == [(13, 0), (0, 13)]
    assert "<p>new</p>" in backs
    assert decks >= {"An export course / tiny::01 Every type"}


def _texts(cards: list[Card]) -> Iterator[Text]:
    for card in cards:
        yield from (card.front, card.back)


def test_the_lesson_has_six_review_cards() -> None:
    """As many as the lesson lists; in both languages, for sections one to six."""
    cards = load_cards(prepared(ROOT, REAL[0])[0])

    assert len(cards) == 6
    assert [card.lesson[0] for card in cards] == ["1", "2", "3", "4", "5", "6"]
    han = re.compile("[\u3400-\u9fff]")
    assert [bool(han.search(t.zh) and not han.search(t.en)) for t in _texts(cards)] == [True] * 12


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_real_deck_holds_every_card(tmp_path: Path, language: Language) -> None:
    """Six review cards and every item of the course that is a card, formulas delimited."""
    path = tmp_path / "deck.apkg"
    count = written(path, language, root=ROOT, names=tuple(REAL))
    notes = read(path, tmp_path)
    items = [item for name in REAL for item in prepared(ROOT, name)[1].file.items if item.card]

    assert count == len(notes) == 6 + len(items)
    for front, back, _ in notes.values():
        shown = re.sub(r"<(code|pre)>.*?</\1>", "", front + back, flags=re.DOTALL)
        assert "$" not in shown
        assert shown.count(r"\(") == shown.count(r"\)")


@pytest.mark.parametrize(
    ("change", "message"),
    [(("id: value", "id: order"), "used twice"), (('["1"]', '["9"]'), "does not exist")],
)
def test_a_faulty_card_file_is_named(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    """Two cards with one id, or a section the lesson lacks, stop the export with the line."""
    text = (TINY / "quizzes/cards.yaml").read_text(encoding="utf-8").replace(*change)
    (tmp_path / "quizzes").mkdir()
    (tmp_path / "quizzes/cards.yaml").write_text(text, encoding="utf-8")
    course = msgspec.structs.replace(prepared()[0], root=tmp_path)

    with pytest.raises(CourseError, match=message) as caught:
        load_cards(course)

    assert caught.value.line == 7
