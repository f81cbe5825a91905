"""Every sentence a person reads, in both languages at once.

English sentences in the code are the message ids of the gettext catalogue ``locale/zh_CN``; there
is no English catalogue because the ids are English. A :class:`Text` carries both languages, so a
stored result can be shown in either one later.
"""

from __future__ import annotations

import gettext
import locale
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

__all__ = ["LANGUAGES", "Language", "Text", "locale_asked_for", "preferred_language", "say"]

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
LOCALE_FOLDER = Path(__file__).parent / "locale"


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence in Chinese and in English."""

    zh: str
    en: str

    def pick(self, language: Language) -> str:
        """Return the sentence in ``language``."""
        return self.zh if language == "zh" else self.en


@lru_cache(maxsize=1)
def _chinese() -> gettext.NullTranslations:
    return gettext.translation("grader", LOCALE_FOLDER, languages=["zh_CN"])


def say(sentence: str, /, **values: Any) -> Text:
    """Return ``sentence`` and its Chinese translation with ``{name}`` fields filled in.

    Args:
        sentence: an English sentence, a literal in the code so that the catalogue can find it.
        **values: what stands in the fields; a :class:`Text` is put in in the matching language.
    """
    return Text(
        zh=_fill(_chinese().gettext(sentence), values, "zh"), en=_fill(sentence, values, "en")
    )


def _fill(template: str, values: dict[str, Any], language: Language) -> str:
    if not values:
        return template.replace("{{", "{").replace("}}", "}")
    shown = {
        key: value.pick(language) if isinstance(value, Text) else value
        for key, value in values.items()
    }
    # File names may hold bytes that are no text; JSON and terminals take text only.
    return template.format(**shown).encode("utf-8", "replace").decode()


def locale_asked_for() -> tuple[str, str]:
    """Return which variable of the environment names a locale, and that locale; "" and C if none.

    On Windows, where no variable does, the system is asked.
    """
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(key):
            return key, value
    return "", (locale.getlocale()[0] or "") if os.name == "nt" else "C"


def preferred_language() -> Language:
    """Return the language the environment asks for: Chinese where it names that, else English.

    ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` are read in the order POSIX gives them. A locale that
    names no language (``C``, ``POSIX``, none at all) cannot be trusted to show Chinese.
    """
    _, named = locale_asked_for()
    return "zh" if named.lower().startswith(("zh", "chinese")) else "en"
