"""The translation catalogue: what the code says, what is translated, what is compiled.

``python -m tests.catalogues`` lists what is wrong; ``--update`` adds new sentences and compiles.
"""

from __future__ import annotations

import datetime
import io
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PO = ROOT / "grader/locale/zh_CN/LC_MESSAGES/grader.po"
CLICK_PO = PO.with_name("messages.po")  # what click says itself; kept by hand
UNDATED = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)  # same text, same bytes
HEADER = "# Chinese (Simplified) sentences of the grade command."
FIELD = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}(?!\})")


def sentences() -> list[str]:
    """Return every sentence the code and the templates hand to ``say`` or ``words``."""
    keywords = {"say": None, "words": None}
    methods = [("**.py", "python"), ("**.j2", "jinja2")]
    found = extract_from_dir(str(ROOT / "grader"), methods, keywords=keywords)
    # A call with fields comes as a tuple from templates: the sentence, then None.
    said = (message if isinstance(message, str) else message[0] for _, _, message, _, _ in found)
    return sorted({message for message in said if message})


def catalogue(path: Path = PO) -> Catalog:
    """Return a catalogue as written."""
    with path.open("rb") as file:
        return read_po(file, locale="zh_CN")


def problems() -> list[str]:
    """Return what keeps the catalogue from matching the code."""
    written = catalogue()
    known = {message.id: message for message in written if message.id}
    wrong: list[str] = []
    wanted = sentences()
    for sentence in wanted:
        message = known.get(sentence)
        if message is None or not message.string:
            wrong.append(f"not translated: {sentence!r}")
        elif message.fuzzy:
            wrong.append(f"marked fuzzy: {sentence!r}")
        elif sorted(FIELD.findall(sentence)) != sorted(FIELD.findall(str(message.string))):
            wrong.append(f"other fields in the translation: {sentence!r}")
    wrong += [f"no longer in the code: {id_!r}" for id_ in sorted(set(known) - set(wanted))]
    return wrong + [
        f"{path.with_suffix('.mo').name} is older than {path.name}"
        for path in (PO, CLICK_PO)
        if _said(_compiled(path)) != _said(catalogue(path))
    ]


def _said(messages: Iterable[Message]) -> set[tuple[str, ...]]:
    """Return the sentences with their translations; of those with a plural, all forms."""
    found = [(message.id, message.string) for message in messages if message.id and message.string]
    return {(*_forms(id_), *_forms(string)) for id_, string in found}


def _forms(said: str | Iterable[str]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(said)


def _compiled(path: Path) -> Catalog:
    """Return the compiled catalogue beside ``path``."""
    with path.with_suffix(".mo").open("rb") as file:
        return read_mo(file)


def update() -> None:
    """Add new sentences without translation, drop old ones, compile."""
    written = catalogue()
    known = {message.id: message.string for message in written if message.id}
    fresh = Catalog(
        locale="zh_CN", project="grader", version="1", fuzzy=False, header_comment=HEADER
    )
    for sentence in sentences():
        fresh.add(sentence, known.get(sentence, ""))
    text = io.BytesIO()
    write_po(text, fresh, width=0, omit_header=False, sort_output=True)
    lines = text.getvalue().decode().splitlines(keepends=True)
    dated = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Report-Msgid', '"Last-T')
    PO.write_text("".join(line for line in lines if not line.startswith(dated)), encoding="utf-8")
    for path in (PO, CLICK_PO):
        written = catalogue(path)
        written.creation_date = written.revision_date = UNDATED
        with path.with_suffix(".mo").open("wb") as target:
            write_mo(target, written)


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    found = problems()
    sys.stdout.write("\n".join(found) + ("\n" if found else ""))
    sys.exit(1 if found else 0)
