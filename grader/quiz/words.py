"""Answers in words: what was chosen, what would have been right."""

from __future__ import annotations

from typing import Any

from grader.quiz.model import Code, Item, Match, Multiple, Order, Single
from grader.text import LANGUAGES, Text, say

__all__ = ["as_typed", "asked", "explain_all", "show_answer"]

LONGEST = 10_000  # characters, as of a free text


def asked(item: Item) -> Text:
    """Return what an item asks, as Markdown: its prompt, then what each of several answers is."""
    labels: list[Text] = getattr(item, "labels", [])
    if not labels:
        return item.prompt
    zh, en = (
        "\n".join(f"{number}. {label.pick(language)}" for number, label in enumerate(labels, 1))
        for language in LANGUAGES
    )
    return Text(f"{item.prompt.zh.rstrip()}\n\n{zh}", f"{item.prompt.en.rstrip()}\n\n{en}")


def show_answer(item: Item, answer: Any) -> Text:
    """Say what an answer, or a key in the form of one, is."""
    if isinstance(item, Single | Multiple | Order) or (isinstance(item, Code) and item.options):
        parts = getattr(item, "steps", None) or getattr(item, "options", [])
        texts = {part.id: part.text for part in parts}
        chosen = [texts[id_] for id_ in ([answer] if isinstance(answer, str) else answer)]
        between = Text(" → ", " → ") if isinstance(item, Order) else say("; ")
        return Text(between.zh.join(t.zh for t in chosen), between.en.join(t.en for t in chosen))
    if isinstance(item, Match):
        choices = {choice.id: choice.text for choice in item.choices}
        pairs = [(left.text, choices[answer[left.id]]) for left in item.left if left.id in answer]
        return Text(
            say("; ").zh.join(f"{a.zh} = {b.zh}" for a, b in pairs),
            "; ".join(f"{a.en} = {b.en}" for a, b in pairs),
        )
    parts = answer if isinstance(answer, list) else [answer]
    return as_typed("; ".join(_shown(part) for part in parts))


def _shown(part: Any) -> str:
    if part is None:
        return "–"
    if isinstance(part, float):
        return f"{part:.6g}"
    if isinstance(part, tuple):
        return "[" + ", ".join(map(str, part)) + "]"
    return str(part)


def explain_all(item: Item) -> list[Text]:
    """Explain the item, then each option, step or pair, right or wrong."""
    found = [item.explanation] if item.explanation is not None else []
    parts = [*getattr(item, "options", []), *getattr(item, "steps", [])]
    found += [
        say("{option}: {why}", option=part.text, why=part.why)
        for part in parts
        if part.why is not None
    ]
    if isinstance(item, Match):
        choices = {choice.id: choice.text for choice in item.choices}
        for left in item.left:
            if left.answer is not None:
                pair = say("{left} = {choice}", left=left.text, choice=choices[left.answer])
                found.append(say("{option}: {why}", option=pair, why=left.why or Text("", "")))
    return found


def as_typed(raw: object) -> Text:
    """Return what a person wrote, alike in both languages; the beginning if it is endless."""
    shown = _flat(raw)
    shown = shown if len(shown) <= LONGEST else shown[:LONGEST] + " ..."
    return Text(shown, shown)


def _flat(raw: object) -> str:
    """Write lists and mappings as an answer file does."""
    if isinstance(raw, list | tuple):
        return "[" + ", ".join(map(_flat, raw)) + "]"
    if isinstance(raw, dict):
        return "{" + ", ".join(f"{left}: {_flat(right)}" for left, right in raw.items()) + "}"
    return "" if raw is None else str(raw)
