"""Sentences in two languages, and which of them a person sees."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import grader
from grader.text import LOCALE_FOLDER, Text, _chinese, preferred_language, say

PACKAGE = Path(grader.__file__).parent


def sentences() -> Iterator[tuple[str, str]]:
    """Yield every sentence that the code says, with the file it stands in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("say", "_help")
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield str(node.args[0].value), path.name


def fields(template: str) -> list[str]:
    """Return the names of the fields of a template."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(template) if name})


class TestSay:
    def test_fields_are_filled_in_both_languages(self) -> None:
        """The same values stand in both sentences."""
        found = say("There is no field `{field}` here.", field="x")

        assert found.en == "There is no field `x` here."
        assert "`x`" in found.zh

    def test_a_text_is_put_in_in_the_matching_language(self) -> None:
        """Sentences can be parts of sentences."""
        found = say("Note: {notice}", notice=Text("中", "en"))

        assert found.en == "Note: en"
        assert found.zh.endswith("中")

    def test_braces_in_values_are_left_alone(self) -> None:
        """What a student wrote is never a template."""
        assert say("Note: {notice}", notice="{x} {{}} {0}").en == "Note: {x} {{}} {0}"

    def test_what_is_no_text_is_replaced(self) -> None:
        """Bytes of a file name that are no UTF-8 do not stop JSON or a terminal."""
        assert say("Note: {notice}", notice="a\udcc4b").en == "Note: a?b"

    def test_pick(self) -> None:
        """Each language gets its own sentence."""
        assert [Text("中", "en").pick(language) for language in ("zh", "en")] == ["中", "en"]


class TestCatalogue:
    def test_a_translation_has_the_fields_of_its_sentence(self) -> None:
        """A field that is missing or misspelt would be an exception in front of a student."""
        catalogue = _chinese()._catalog  # type: ignore[attr-defined]
        pairs = [pair for pair in catalogue.items() if isinstance(pair[0], str) and pair[0]]

        assert [pair for pair in pairs if fields(pair[0]) != fields(pair[1])] == []

    def test_every_sentence_can_be_filled(self) -> None:
        """Each sentence in the code is a valid template."""
        for sentence, _ in sentences():
            fields(sentence)

    def test_the_code_has_sentences(self) -> None:
        """The search above finds what it is for."""
        assert len(set(sentences())) > 100
        assert LOCALE_FOLDER.is_dir()


class TestPreferredLanguage:
    @pytest.mark.parametrize(
        ("environment", "language"),
        [
            ({"LANG": "zh_CN.UTF-8"}, "zh"),
            ({"LANG": "zh_TW"}, "zh"),
            ({"LANG": "en_US.UTF-8"}, "en"),
            ({"LANG": "de_DE"}, "en"),
            ({"LANG": "C"}, "en"),
            ({"LANG": "C.UTF-8"}, "en"),
            ({"LANG": "POSIX"}, "en"),
            ({}, "en"),
            ({"LANG": "zh_CN", "LC_ALL": "en_US"}, "en"),
            ({"LANG": "en_US", "LC_MESSAGES": "zh_CN"}, "zh"),
            ({"LC_MESSAGES": "zh_CN", "LC_ALL": "C"}, "en"),
            ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
        ],
    )
    def test_it_follows_the_locale(
        self, environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """LC_ALL before LC_MESSAGES before LANG, as POSIX has it; C gets English."""
        for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

        assert preferred_language() == language
