"""Fingerprints of definitions: the code alone counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.outline import outline

PLAIN = "def f(x):\n    return x + 1\n"


class TestOutline:
    def test_every_kind_of_definition_is_found(self) -> None:
        """Functions, classes, assignments with and without a type are all listed."""
        source = "def f(): ...\nasync def g(): ...\nclass C: ...\na = b = 1\nc: int = 2\nprint(a)\n"

        assert set(outline(source)) == {"f", "g", "C", "a", "b", "c"}

    @pytest.mark.parametrize(
        "other",
        [
            "# a remark\ndef f(x):  # another\n    return x + 1\n",
            'def f(x):\n    """Add one."""\n    return x + 1\n',
            "\n\ndef f( x ):\n        return (x+1)\n",
        ],
        ids=["comment", "docstring", "layout"],
    )
    def test_remarks_and_layout_do_not_count(self, other: str) -> None:
        """Comments, docstrings and spaces leave the fingerprint as it is."""
        assert outline(other) == outline(PLAIN)

    @pytest.mark.parametrize(
        "other",
        ["def f(x):\n    return x + 2\n", "def f(y):\n    return y + 1\n", "f = lambda x: x + 1\n"],
        ids=["value", "name", "kind"],
    )
    def test_code_counts(self, other: str) -> None:
        """Any change of code is another fingerprint."""
        assert outline(other)["f"] != outline(PLAIN)["f"]

    def test_the_last_definition_counts(self) -> None:
        """Of two definitions of a name, the later one stands, as at run time."""
        assert outline("def f(): ...\n" + PLAIN) == outline(PLAIN)

    def test_a_docstring_alone_is_an_empty_body(self) -> None:
        """A function of nothing but a docstring equals one that passes."""
        assert outline('def f():\n    """Later."""\n') == outline("def f():\n    pass\n")

    def test_what_is_not_python_is_a_syntax_error(self) -> None:
        """The caller learns of it as Python does."""
        with pytest.raises(SyntaxError):
            outline("def f(:\n")

    @given(st.text(max_size=60))
    def test_any_text_is_an_outline_or_an_error(self, source: str) -> None:
        """Text of any kind gives an outline, a SyntaxError or a ValueError (NUL, surrogates)."""
        try:
            found = outline(source)
        except (SyntaxError, ValueError):
            return

        assert all(len(fingerprint) == 64 for fingerprint in found.values())
