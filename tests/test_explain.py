"""What a student reads about failing code."""

from __future__ import annotations

import pytest

from grader import wire
from grader.checking.explain import (
    WIDE,
    explain_loss,
    missing,
    nearest_name,
    not_caught,
    wrong_signature,
)
from grader.checking.stub import StubFacts
from grader.results import Outcome

STUB = StubFacts(
    fingerprints={},
    to_do=frozenset(),
    signatures={"f": "(x: int)", "C": "(dim)", "C.forward": "(x)"},
    _parameters={},
)


def loss(kind: str, message: str = "", builtin: str = "", **place: object) -> wire.Loss:
    """Return an exception as the worker reports it."""
    return wire.Loss(kind, builtin or kind, message, ["a.py:1 in f: x"], **place)  # type: ignore[arg-type]


def syntax(source: str) -> wire.Loss:
    """Return the SyntaxError that Python itself finds in ``source``."""
    with pytest.raises(SyntaxError) as caught:
        compile(source, "a.py", "exec")
    error = caught.value
    place = {"line": error.lineno or 0, "column": error.offset or 0}
    return loss(type(error).__name__, error.msg, source=(error.text or "").rstrip("\n"), **place)


class TestExplainLoss:
    @pytest.mark.parametrize(
        ("found", "importing", "outcome"),
        [
            (loss("SyntaxError", "invalid syntax"), True, Outcome.SYNTAX_ERROR),
            (loss("TabError", "tabs"), True, Outcome.SYNTAX_ERROR),
            (loss("SyntaxError", "from eval()"), False, Outcome.RUNTIME_ERROR),
            (loss("MemoryError"), False, Outcome.MEMORY_LIMIT),
            (loss("OutOfMemoryError", "", "MemoryError"), True, Outcome.MEMORY_LIMIT),
            (loss("NotImplementedError", "TODO: write it"), False, Outcome.TODO),
            (loss("NotImplementedError", "no such mode"), False, Outcome.RUNTIME_ERROR),
            (loss("ModuleNotFoundError", "No module named 'x'"), True, Outcome.IMPORT_ERROR),
            (loss("ImportError", "cannot import name"), False, Outcome.IMPORT_ERROR),
            (loss("SystemExit", "0"), False, Outcome.RUNTIME_ERROR),
            (loss("KeyboardInterrupt"), False, Outcome.RUNTIME_ERROR),
            (loss("ValueError", "x"), True, Outcome.RUNTIME_ERROR),
        ],
    )
    def test_the_kind_of_exception_makes_the_outcome(
        self, found: wire.Loss, importing: bool, outcome: Outcome
    ) -> None:
        """By the nearest built-in class, and by whether the file was being imported."""
        assert explain_loss(found, importing=importing)[0] is outcome

    def test_a_message_shows_class_and_text(self) -> None:
        """What the code raised is quoted as it is."""
        _, (said,) = explain_loss(loss("MyError", "{x} went wrong", "ValueError"), importing=False)

        assert said.en == "Your code raised MyError: {x} went wrong"

    def test_an_exception_without_a_message_is_its_class(self) -> None:
        """No colon without something after it."""
        _, (said,) = explain_loss(loss("AssertionError"), importing=True)

        assert said.en == "While the file was being imported: AssertionError"

    def test_the_network_is_explained(self) -> None:
        """A failed download says that there is no network here."""
        found = loss("URLError", "<urlopen error [Errno -3] Temporary failure>", "OSError")

        assert "The network is off" in explain_loss(found, importing=False)[1][1].en

    def test_the_keyboard_is_explained(self) -> None:
        """input() finds no keyboard."""
        found = loss("EOFError", "EOF when reading a line")

        assert "do not call input()" in explain_loss(found, importing=False)[1][1].en


class TestSyntax:
    @pytest.mark.parametrize("character", sorted(set(WIDE) - {"　"}))
    def test_every_full_width_sign_is_named(self, character: str) -> None:
        """The sign, its code point, its place, and what to type instead."""
        source = f"x = f{character}1\n"

        _, messages = explain_loss(syntax(source), importing=True)

        said = messages[-1].en
        assert f"column 6 is “{character}” (U+{ord(character):04X})" in said
        assert f"type {WIDE[character]} instead" in said

    def test_a_wide_space_is_named_by_a_word(self) -> None:
        """A space cannot be seen, so it is spelt out."""
        _, messages = explain_loss(syntax("x =　1\n"), importing=True)

        assert "type a space instead" in messages[-1].en

    def test_the_line_is_shown(self) -> None:
        """Line, column, Python's own words, and the line itself."""
        _, messages = explain_loss(syntax("a = 1\nb = (1,\n"), importing=True)

        assert messages[0].en == "Line 2, column 5: '(' was never closed"
        assert messages[1].en == "b = (1,"

    def test_tabs_are_made_visible(self) -> None:
        """Mixed tabs and spaces look alike; here they do not."""
        _, messages = explain_loss(syntax("if 1:\n        a = 1\n\tb = 2\n"), importing=True)

        assert messages[1].en == "⇥   b = 2"
        assert "spaces are mixed" in messages[2].en


class TestSignatures:
    def test_a_missing_name_shows_its_signature(self) -> None:
        """What the stub asks for is repeated."""
        assert missing("f", STUB).messages[0].en == "`f(x: int)` does not exist in your file."
        assert missing("g", STUB).messages[0].en == "`g` does not exist in your file."

    def test_a_near_name_is_offered(self) -> None:
        """A renamed function is found again; a name like none is not guessed."""
        near = nearest_name("encode", ["decode_all", "encoder"])

        assert near is not None
        assert near.en == "There is `encoder`: was it renamed?"
        assert nearest_name("encode", ["zzz"]) is None

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("f", "`f` is called as (x: int), but yours takes ()."),
            ("C", "`C` is called as (dim), but yours takes ()."),
            ("C.forward", "`C` is called as (x), but yours takes ()."),
            ("other", "`other` is called as (...), but yours takes ()."),
        ],
    )
    def test_both_signatures_are_shown(self, name: str, said: str) -> None:
        """The one asked for and the one found."""
        assert wrong_signature(name, "()", STUB).messages[0].en == said

    def test_what_no_test_may_catch_is_no_exception(self) -> None:
        """``except Exception`` in a test cannot turn sys.exit() into a pass."""
        error = not_caught(loss("SystemExit", "0"))

        assert not isinstance(error, Exception)
        assert error.outcome is Outcome.RUNTIME_ERROR
        assert error.trace == ["a.py:1 in f: x"]
