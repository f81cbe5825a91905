"""Sentences in two languages, and which of them a person sees."""

from __future__ import annotations

import pytest

from grader.text import Text, preferred_language, say


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
