"""What the drawings share: elements, texts in both languages, ticks, numbers."""

from __future__ import annotations

import math

from markupsafe import Markup

from grader.text import Text

__all__ = ["drawing", "label", "nice_step", "number", "tick_step"]

LEAST_PLAIN, MOST_PLAIN = 1e-4, 1e7  # outside of these a power of ten is shorter


def drawing(width: float, height: float, content: Markup, kind: str) -> Markup:
    """Return an SVG of this natural size in CSS pixels. What it shows is told beside it."""
    return Markup(
        '<svg class="{kind}" width="{width:g}" height="{height:g}" '
        'viewBox="0 0 {width:g} {height:g}" aria-hidden="true" focusable="false">{content}</svg>'
    ).format(kind=kind, width=width, height=height, content=content)


def label(x: float, y: float, what: Text | str, anchor: str = "start", kind: str = "") -> Markup:
    """Return a text that stands at (x, y), once for each language."""
    more = Markup(' class="{}"').format(kind) if kind else Markup("")
    more += Markup(' text-anchor="{}"').format(anchor) if anchor != "start" else Markup("")
    shape = Markup('<text x="{:g}" y="{:g}"{}{}>{}</text>')
    if isinstance(what, str) or what.zh == what.en:
        return shape.format(x, y, more, "", what if isinstance(what, str) else what.en)
    chinese = shape.format(x, y, more, Markup(' lang="zh-CN"'), what.zh)
    return chinese + shape.format(x, y, more, Markup(' lang="en"'), what.en)


def number(value: float | None, digits: int = 4) -> str:
    """Return a number as people write it, with this many digits that count; a cross for none."""
    if value is None:
        return "×"
    rounded = float(f"{value:.{digits}g}")
    plain = rounded == 0 or LEAST_PLAIN <= abs(rounded) < MOST_PLAIN
    shown = f"{rounded:.12f}".rstrip("0").rstrip(".") if plain else f"{rounded:.{digits}g}"
    return "0" if rounded == 0 else shown.replace("-", "−")


def tick_step(count: int, room: float, apart: float) -> int:
    """Return how many steps of ``room`` pixels go from tick to tick, at least ``apart`` pixels."""
    return int(nice_step(max(1.0, apart / room))) if count > 1 else 1


def nice_step(least: float) -> float:
    """Return the smallest of ... 1, 2, 5, 10, 20, 50 ... that is not below ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= least * (1 - 1e-9))
