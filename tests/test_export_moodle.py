"""Moodle XML: what Moodle's importer makes of it, and how Moodle would mark."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from grader.classroom.quizzes.forms import (
    Arrange,
    Choose,
    Formula,
    Gaps,
    Pair,
    Question,
    Words,
    Written,
)
from grader.classroom.quizzes.moodle import moodle_xml
from grader.quiz.kinds import KINDS
from grader.quiz.model import Multiple
from grader.text import Text
from tests.exporting import REAL, ROOT, TINY, flat, prepared
from tests.moodle import Moodle, read_moodle

Exported = tuple[dict[str, Moodle], list[Text]]


def exported(*languages: str, root: Path = TINY, name: str = "01_every_type") -> Exported:
    """Export a quiz and read it back."""
    course, quiz, items = prepared(root, name)
    text, notes = moodle_xml(course.file.title, quiz, items, languages)
    return {question.idnumber: question for question in read_moodle(text)}, notes


@pytest.fixture(scope="module")
def bank() -> dict[str, Moodle]:
    """The quiz of every type, in English, as Moodle holds it."""
    return exported("en")[0]


def test_each_type_gets_its_question_type(bank: dict[str, Moodle]) -> None:
    """Nothing is left out, and every type is one that Moodle's importer knows."""
    kinds = {id_: question.kind for id_, question in bank.items()}

    assert kinds == {
        "angle-sum": "multichoice", "which-equivariant": "multichoice",
        "longest-wave": "numerical", "longest-wave-v2": "numerical",
        "longest-wave-v3": "numerical", "ladder": "cloze", "table-shape": "shortanswer",
        "fill-in": "cloze", "exponent": "essay", "pipeline": "ordering", "hands": "matching",
        "prints": "cloze", "prints-v2": "cloze", "prints-choice": "multichoice",
        "explain-order": "essay",
    }  # fmt: skip


def test_variants_share_a_category_to_pick_from(bank: dict[str, Moodle]) -> None:
    """A random question of the item's category is one of its variants, and nothing else is."""
    inside = {id_ for id_, q in bank.items() if q.category == bank["longest-wave"].category}

    assert inside == {"longest-wave", "longest-wave-v2", "longest-wave-v3"}
    assert bank["longest-wave"].category.startswith(bank["angle-sum"].category + "/")


def test_a_slash_in_a_title_makes_no_category(bank: dict[str, Moodle]) -> None:
    """Moodle writes a slash inside a name twice."""
    path = re.split(r"(?<!/)/(?!/)", bank["angle-sum"].category)

    assert path == ["$course$", "top", "An export course // tiny", "01 Every type"]


def test_formulas_are_delimited_for_mathjax(bank: dict[str, Moodle]) -> None:
    """Dollars become brackets, code and stars stay what they are, angle brackets are entities."""
    question = bank["angle-sum"]

    assert r"\(\sin(a+b)\)" in question.text
    assert "<em>Mind</em> <code>a*b</code>" in question.text
    assert r"\[\frac{1}{2}&lt;1\]" in question.feedback
    assert r"\(a&lt;b\) &amp; \(b&gt;0\)" in question.parts[0].answers[1].why
    assert question.parts[0].answers[2].text == (
        "<code>{&quot;x&quot;: 1} ~ #2 = %50% \\$y$</code>"
    )


def test_wrong_ticks_cost_as_here(bank: dict[str, Moodle]) -> None:
    """Two of three right ones and one of two wrong ones: 2/3 - 1/2, as ``grade`` marks it."""
    question = bank["which-equivariant"]

    assert question.content("single") == "false"
    assert question.ticked({"first", "third", "fifth"}) == pytest.approx(1, abs=1e-6)
    assert question.ticked({"first", "third", "second"}) == pytest.approx(2 / 3 - 1 / 2, abs=1e-6)
    assert question.ticked({"first", "second", "third", "fourth", "fifth"}) == 0
    allowed = {100 / n for n in range(1, 11)}  # the shares that Moodle's list has
    for answer in question.parts[0].answers:
        assert min(abs(abs(answer.share) * 100 - share) for share in allowed) < 1e-5


def test_a_number_is_right_within_its_tolerance(bank: dict[str, Moodle]) -> None:
    """The longest wavelength at D=512 is 60611.5 by hand; one percent of it is 606."""
    (part,) = bank["longest-wave"].parts

    assert [part.share(typed) for typed in ("60611.5", "61200", "61300", "1/2")] == [1, 1, 0, 0]
    slip = part.found("62831.85")
    assert slip is not None
    assert (slip.share, r"\(D=512\)" in slip.why) == (0, True)


def test_several_numbers_are_embedded(bank: dict[str, Moodle]) -> None:
    """Each label is followed by its gap; exact numbers may be written in any way."""
    question = bank["ladder"]

    typed = zip(question.parts, ("1.0", ".1", "1e-3"), strict=True)
    assert [part.share(text) for part, text in typed] == [1, 1, 1]
    assert question.parts[2].share("0.0011") == 0
    assert re.search(r"pair 0: \{#\d\}.*pair 1: \{#\d\}.*pair 2: \{#\d\}", question.text, re.DOTALL)


def test_shapes_are_taken_in_any_spelling(bank: dict[str, Moodle]) -> None:
    """Brackets, spaces and signs between sizes do not matter; order does."""
    (part,) = bank["table-shape"].parts

    for typed in ("[11, 8]", "(11,8)", "11x8", "torch.Size([11, 8])", "11, 8"):
        assert part.share(typed) == 1, typed
    wrong = part.found("[8,11]")
    assert wrong is not None
    assert (wrong.share, wrong.why) == (0, "<p>the other way round</p>")


def test_awkward_characters_survive_in_gaps(bank: dict[str, Moodle]) -> None:
    """Tildes, hashes and braces separate nothing inside an answer; a star is a star there."""
    number, name = bank["fill-in"].parts

    assert [number.share("0.5004"), number.share("0.502")] == [1, 0]
    assert number.found("2.0").why == "upside down: {1/2} ~ #"  # type: ignore[union-attr]
    assert [name.share(typed) for typed in ("HALF", "one~half", "1#2}", "1*2", "one", "1x2")] == [
        1, 1, 1, 1, 0, 0
    ]  # fmt: skip


def test_printed_lines_are_gaps_of_their_own(bank: dict[str, Moodle]) -> None:
    """Numbers are compared as numbers, other lines letter by letter; a star is a star."""
    four, one, text = bank["prints"].parts

    assert [four.share("4.0"), one.share("1"), text.share('a < b & "c"')] == [1, 1, 1]
    assert four.share("6") == 0
    assert "&lt; b &amp;" in bank["prints"].text


def test_order_and_pairs(bank: dict[str, Moodle]) -> None:
    """Steps stand in their right order; each row names its partner; a spare choice stays."""
    steps = [answer.text for answer in bank["pipeline"].parts[0].answers]
    rows = bank["hands"].subquestions()
    listed = dict(re.findall(r"<p>([ABC])\. (.*?)</p>", bank["hands"].text))

    assert steps == ["embed", r"scale by \(\sqrt{D}\)", "add"]
    assert bank["pipeline"].content("selecttype") == "ALL"
    assert bank["pipeline"].arranged([0, 1, 2]) == 1
    assert bank["pipeline"].arranged([0, 2, 1]) == pytest.approx(2 / 3)
    # A formula cannot stand in a menu: the choices are listed with letters.
    meant = {text: listed[letter] for text, letter in rows}
    assert meant["fast hand"] == "neighbours"
    assert meant["slow hand"] == "distant positions"
    assert meant[""] == r"beyond \(\Delta\)"


def test_markers_get_the_rubric(bank: dict[str, Moodle]) -> None:
    """Rubric, warnings and a good answer are for the marker; students see the explanation."""
    question = bank["explain-order"]
    info = question.content("graderinfo/text")

    assert [line in info for line in ("no order", "outputs move along", "it is not the index")] == [
        True, True, True
    ]  # fmt: skip
    assert "Attention sees no order" in info
    assert "rubric" not in question.text
    assert question.feedback == "<p>Equivariance.</p>"


def test_what_moodle_cannot_compare_is_said() -> None:
    """A formula is left to a person; points that do not divide are named."""
    _, notes = exported("en")

    assert [note.en.partition(":")[0] for note in notes] == ["ladder", "exponent", "prints"]


def test_both_languages_stand_in_one_question() -> None:
    """Chinese first; what is alike in both stands once."""
    bank, _ = exported("zh", "en")

    assert re.search("哪些对.*Which are right", bank["which-equivariant"].text, re.DOTALL)
    texts = [answer.text for answer in bank["which-equivariant"].parts[0].answers]
    assert texts[0] == "甲<br>first"
    assert bank["prints-choice"].parts[0].answers[0].text == "<code>2</code>"


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_real_quizzes_mark_the_key_right(name: str, language: str) -> None:
    """Every key of the course's quizzes earns everything in Moodle, and no slip earns anything."""
    bank, _ = exported(language, root=ROOT, name=name)
    wanted = flat(ROOT, name)

    assert sorted(bank) == sorted(wanted)
    for question in wanted.values():
        _check_key(question, bank[question.id])
        assert question.code is None or "<pre><code>" in bank[question.id].text


def _check_key(question: Question, held: Moodle) -> None:
    form = question.form
    if isinstance(form, Written) or _has_formula(form):
        assert held.kind == "essay"
        assert held.content("graderinfo/text")
    elif isinstance(form, Choose):
        right = [
            a.text for o, a in zip(form.options, held.parts[0].answers, strict=True) if o.right
        ]
        assert held.ticked(set(right)) == pytest.approx(1, abs=1e-6)
        assert all(answer.why for answer in held.parts[0].answers)
    elif isinstance(form, Arrange):
        assert held.arranged(list(range(len(form.steps)))) == 1
    elif isinstance(form, Pair):
        assert len([text for text, _ in held.subquestions() if text]) == len(form.left)
        assert len({answer for _, answer in held.subquestions()}) >= len(form.choices)
    else:
        assert len(held.parts) == len(form.gaps)
        for gap, part in zip(form.gaps, held.parts, strict=True):
            assert not isinstance(gap, Formula)
            right = gap.accepts if isinstance(gap, Words) else [repr(gap.value)]
            wrong = [w for ws, _ in gap.slips for w in (ws if isinstance(ws, list) else [repr(ws)])]
            assert [part.share(typed) for typed in right] == [1] * len(right)
            assert [part.share(typed) for typed in wrong] == [0] * len(wrong)


def _has_formula(form: object) -> bool:
    return isinstance(form, Gaps) and any(isinstance(gap, Formula) for gap in form.gaps)


def test_partial_credit_of_ticks_agrees_with_grade() -> None:
    """For all ticks on every real multiple-choice item, Moodle and ``grade`` give one share."""
    compared = 0
    for name in REAL:
        bank, _ = exported("en", root=ROOT, name=name)
        for item in prepared(ROOT, name)[1].file.items:
            if not isinstance(item, Multiple):
                continue
            held = bank[item.id].parts[0].answers
            key = [option.id for option in item.options if option.correct]
            ids = [option.id for option in item.options]
            for chosen in (list(c) for n in range(len(ids) + 1) for c in combinations(ids, n)):
                ticked = {a.text for o, a in zip(item.options, held, strict=True) if o.id in chosen}
                ours = KINDS[type(item)](item, chosen, key, lambda _: []).share
                assert bank[item.id].ticked(ticked) == pytest.approx(ours, abs=1e-5)
                compared += 1
    assert compared
