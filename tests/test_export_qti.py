"""QTI for Canvas: the package that text2qti writes, read and scored by a reader of our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.classroom.quizzes.forms import (
    Arrange,
    Choose,
    Gaps,
    Number,
    Pair,
    Question,
    Words,
    Written,
)
from grader.classroom.quizzes.qti import qti_zip
from grader.text import Language
from tests.exporting import REAL, ROOT, TINY, flat, prepared
from tests.qti import Asked, Assessment, read_qti


def exported(
    *languages: Language, root: Path = TINY, name: str = "01_every_type"
) -> tuple[Assessment, list[str]]:
    """Export a quiz and read it back."""
    _, quiz, items = prepared(root, name)
    data, notes = qti_zip(quiz, items, languages)
    return read_qti(data), [note.en for note in notes]


def by_item(assessment: Assessment) -> dict[str, list[Asked]]:
    """Sort what is asked by the question it comes from; titles are ``01.03 item (1/2)``."""
    found: dict[str, list[Asked]] = {}
    for asked in assessment.asked:
        found.setdefault(asked.title.split()[1], []).append(asked)
    return found


@pytest.fixture(scope="module")
def canvas() -> Assessment:
    """The quiz of every type, in English, as Canvas would read it."""
    return exported("en")[0]


@pytest.fixture(scope="module")
def asked(canvas: Assessment) -> dict[str, list[Asked]]:
    """The same, by item."""
    return by_item(canvas)


def test_each_type_becomes_what_canvas_knows(asked: dict[str, list[Asked]]) -> None:
    """Choices stay choices; several things to type and rows to match become a question each."""
    kinds = {
        id_: [one.kind.removesuffix("_question") for one in all_] for id_, all_ in asked.items()
    }

    number, words = "numerical", "short_answer"
    assert kinds == {
        "angle-sum": ["multiple_choice"], "which-equivariant": ["multiple_answers"],
        "longest-wave": [number], "longest-wave-v2": [number], "longest-wave-v3": [number],
        "ladder": [number, number, words], "table-shape": [words], "fill-in": [number, words],
        "exponent": ["essay"], "pipeline": [words], "hands": ["multiple_choice"] * 2,
        "prints": [number, number, words], "prints-v2": [number, number, words],
        "prints-choice": ["multiple_choice"], "explain-order": ["essay"],
    }  # fmt: skip


def test_points_are_those_of_the_quiz(canvas: Assessment) -> None:
    """A group counts once; the parts of an item share its points to the cent."""
    total = sum(item[0].points for item in prepared()[2])
    shares = [one.points for one in by_item(canvas)["ladder"]]

    assert canvas.points == total == 21
    assert shares == [0.33, 0.33, 0.34]
    alone = sum(one.points for one in canvas.asked if not one.group)
    assert alone + sum(n * each for n, each in canvas.picks.values()) == pytest.approx(total)


def test_canvas_picks_one_variant(canvas: Assessment, asked: dict[str, list[Asked]]) -> None:
    """The variants of an item are a group of their own, of which one is picked."""
    (group,) = {
        asked[id_][0].group for id_ in ("longest-wave", "longest-wave-v2", "longest-wave-v3")
    }

    assert canvas.picks[group] == (1, 2.0)
    assert len([one for one in canvas.asked if one.group == group]) == 3
    assert len(canvas.picks) == 4  # one for the wave, one for each printed line


def test_text_code_and_formulas_arrive_unharmed(asked: dict[str, list[Asked]]) -> None:
    """Stars in code, quotes, dollars and angle brackets are what they were."""
    (question,) = asked["angle-sum"]
    codes = [re.sub(r"</?\w+>", "", text) for text in question.choices.values()]

    assert question.formulas()[:3] == [r"\sin(a+b)", "i", r"\sin a\cos b+\cos a\sin b"]
    assert set(question.formulas()) >= {r"\displaystyle \frac{1}{2}<1", "a<b", "b>0"}
    assert asked["which-equivariant"][0].formulas() == ["a", "b"]  # two that touch stay two
    assert "<em>Mind</em> <code>a*b</code>" in question.html
    assert "{&quot;x&quot;: 1} ~ #2 = %50% &#92;&#36;y&#36;" in codes
    assert asked["prints"][0].html.count("\n") >= 4
    assert "    print(x * 2)\n\nprint('a &lt; b &amp;" in asked["prints"][0].html


def test_ticks_are_all_or_nothing_in_the_file(asked: dict[str, list[Asked]]) -> None:
    """The condition names every right choice and excludes every wrong one."""
    (question,) = asked["which-equivariant"]
    ids = {re.sub("<.*?>", "", text): id_ for id_, text in question.choices.items()}
    right = [ids[word] for word in ("first", "third", "fifth")]

    assert sorted(question.right()) == sorted(right)
    assert question.score(*right) == 100
    assert question.score(*right[:2]) == 0
    assert question.score(*right, ids["second"]) == 0


def test_numbers_are_right_within_their_tolerance(asked: dict[str, list[Asked]]) -> None:
    """The longest wavelength at D=512 is 60611.5 by hand; one percent of it is 606."""
    wave = asked["longest-wave"][0]

    assert [wave.score(text) for text in ("60611.5", "61200", "61300", "x")] == [100, 100, 0, 0]


def test_small_numbers_are_compared_as_text(asked: dict[str, list[Asked]]) -> None:
    """Canvas would make zero of a thousandth's rounding; the usual spellings are listed."""
    *_, small = asked["ladder"]

    assert [small.score(text) for text in ("0.001", "1e-3", ".001", "1/1000", "0.002")] == [
        100, 100, 100, 100, 0
    ]  # fmt: skip


def test_steps_are_ordered_by_letters(asked: dict[str, list[Asked]]) -> None:
    """The letters beside the steps, typed in the right order, are the answer."""
    (question,) = asked["pipeline"]
    listed = {
        re.sub("<.*", "", text).strip(): letter
        for letter, text in re.findall(r"<p>([ABC])\. (.*?)</p>", question.html)
    }
    right = listed["embed"] + listed["scale by"] + listed["add"]

    assert question.score(right) == question.score(", ".join(right.lower())) == 100
    assert question.score(right[::-1]) == 0


def test_feedback_says_why(asked: dict[str, list[Asked]]) -> None:
    """Every choice has its reason, every question its explanation."""
    (question,) = asked["which-equivariant"]

    assert question.feedback["general_fb"] == "<p>The odd ones.</p>"
    for id_, text in question.choices.items():
        word = re.sub("<.*?>", "", text)
        assert question.feedback[f"{id_}_fb"].startswith(f"<p>{word} is ")
    assert "Attention sees no order" in asked["explain-order"][0].feedback["general_fb"]
    assert "2*i/D" in asked["exponent"][0].feedback["general_fb"]


def test_what_canvas_cannot_do_is_said() -> None:
    """A formula is left to a person, an order is all or nothing: the command says so."""
    _, notes = exported("en")

    assert [note.partition(":")[0] for note in notes] == ["exponent", "pipeline"]


@pytest.mark.parametrize("name", REAL)
def test_real_quizzes_score_the_key(name: str) -> None:
    """Every key of the course's quizzes scores everything in Canvas, and every formula arrives."""
    assessment, _ = exported("zh", "en", root=ROOT, name=name)
    found, wanted = by_item(assessment), flat(ROOT, name)

    assert set(found) <= set(wanted)
    assert {wanted[id_].item for id_ in found} == {question.item for question in wanted.values()}
    assert assessment.points == sum(item[0].points for item in prepared(ROOT, name)[2])
    for id_, asked in found.items():
        _check_key(wanted[id_], asked)
        assert not any("$" in one.html for one in asked)
        for latex in re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", wanted[id_].explanation.zh):
            shown = [formula for one in asked for formula in one.formulas()]
            assert " ".join(latex.split()) in shown or wanted[id_].form.__class__ is Pair


def _check_key(question: Question, asked: list[Asked]) -> None:
    form = question.form
    if asked[0].kind == "essay_question":
        assert isinstance(form, Gaps | Written)
        assert asked[0].feedback["general_fb"]
    elif isinstance(form, Choose):
        rights = [right for right, o in zip(asked[0].choices, form.options, strict=True) if o.right]
        assert asked[0].score(*rights) == 100
        assert sorted(asked[0].right()) == sorted(rights)
    elif isinstance(form, Pair):
        assert len(asked) == len(form.left)
        for one, left in zip(asked, form.left, strict=True):
            place = [choice.id for choice in form.choices].index(left.answer)
            assert one.right() == [list(one.choices)[place]]
    elif isinstance(form, Arrange):
        assert len(asked[0].accepted()[0]) == len(form.steps)
    elif isinstance(form, Gaps):
        assert len(asked) == len(form.gaps)
        for one, gap in zip(asked, form.gaps, strict=True):
            if isinstance(gap, Words):
                assert [one.score(text) for text in gap.accepts] == [100] * len(gap.accepts)
            if isinstance(gap, Number):
                assert one.score(f"{gap.value:.6g}") == 100
                assert one.score(repr(gap.value + 3 * gap.margin + 0.001)) == 0
