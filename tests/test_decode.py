"""Bytes of a source file to text, whatever the editor made of them."""

from __future__ import annotations

import codecs
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.intake.decode import Decoded, decode_source
from grader.results import Outcome

CODE = 'name = "位置"\n'
COOKIES = [
    "gbk",
    "latin-1",
    "utf-7",
    "unicode_escape",
    "raw_unicode_escape",
    "zlib",
    "no-such",
    ".",
]


def decode(data: bytes) -> Decoded:
    """Decode under the name the messages show."""
    return decode_source(data, "answer.py")


class TestDecodeSource:
    @given(st.binary(max_size=300))
    @settings(max_examples=300)
    def test_random_bytes_never_raise(self, data: bytes) -> None:
        """Any bytes become text that can be encoded again, or are refused with a reason."""
        found = decode(data)

        assert (found.refusal is None) or found.text == ""
        assert "\r" not in found.text
        found.text.encode()

    @given(st.sampled_from(COOKIES), st.binary(max_size=60))
    @settings(max_examples=200)
    def test_no_coding_line_makes_it_raise(self, cookie: str, data: bytes) -> None:
        """Whatever a coding line claims, the text can be handed on as UTF-8."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of unicode_escape, on odd escapes
            found = decode(f"# coding: {cookie}\n".encode() + b"\xff" + data)

        found.text.encode()

    @given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"])))
    def test_utf8_is_taken_as_it_is(self, text: str) -> None:
        """UTF-8 comes out unchanged, without a word about its encoding."""
        found = decode(text.encode())

        assert found.text == text.removeprefix("\ufeff")
        assert not any("was read as" in notice.en for notice in found.notices)

    @pytest.mark.parametrize(
        "data",
        [codecs.BOM_UTF8 + CODE.encode(), CODE.encode("utf-16"), CODE.encode("utf-32"),
         codecs.BOM_UTF16_BE + CODE.encode("utf-16-be"), CODE.encode("gbk"), CODE.encode("gb18030"),
         CODE.replace("\n", "\r\n").encode(), CODE.replace("\n", "\r").encode()],
        ids=["utf-8 with mark", "utf-16", "utf-32", "utf-16-be", "gbk", "gb18030", "crlf", "cr"],
    )  # fmt: skip
    def test_what_editors_save_is_read(self, data: bytes) -> None:
        """Marks, UTF-16, GBK and all line ends give the same text."""
        assert decode(data).text == CODE

    def test_another_encoding_is_remarked_on(self) -> None:
        """A student learns that the file is not UTF-8."""
        (notice,) = decode(CODE.encode("gbk")).notices

        assert notice.en == "answer.py was read as GB18030; UTF-8 is safer."

    def test_the_files_own_coding_line_counts(self) -> None:
        """PEP 263: a coding line on line 1 or 2 is believed before GB18030 is tried."""
        source = "#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = 'é'\n"

        assert decode(source.encode("latin-1")).text == source

    def test_codecs_that_are_no_encodings_are_not_used(self) -> None:
        """A coding line cannot unpack a compressed file."""
        found = decode(b"# coding: zlib\n\xff\xff\xff")

        assert found.refusal is not None

    @pytest.mark.parametrize(
        "data",
        [b"# coding: unicode_escape\n# \xff\n'\\ud800'\n", b"# coding: utf-7\n# \xff +2AA-\n"],
        ids=["unicode_escape", "utf-7"],
    )
    def test_half_a_surrogate_pair_is_not_text(self, data: bytes) -> None:
        """An encoding that yields what UTF-8 cannot carry is not taken."""
        decode(data).text.encode()

    def test_nul_is_refused_with_its_line(self) -> None:
        """A file with a NUL character is no text file; the line is named."""
        refusal = decode(b"a = 1\nb = 2\0\n").refusal

        assert refusal is not None
        assert refusal[0] is Outcome.ENCODING_ERROR
        assert "line 2" in refusal[1].en

    def test_conflict_markers_are_remarked_on(self) -> None:
        """The first marker a merge left behind is named by its line."""
        (notice,) = decode(b"a = 1\n<<<<<<< HEAD\nb = 2\n=======\n>>>>>>> theirs\n").notices

        assert "line 2" in notice.en
