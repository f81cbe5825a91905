"""Bars that show a share; the figures stand beside them as text."""

from __future__ import annotations

from markupsafe import Markup

from grader.report.html.svg import drawing

__all__ = ["bar"]

WIDTH, HEIGHT = 200, 10


def bar(share: float, threshold: float | None = None) -> Markup:
    """Draw a share of 0.0 to 1.0, with a mark where mastery begins if there is such a place."""
    rect = Markup('<rect class="{}" width="{:g}" height="{}" rx="2"/>')
    parts = rect.format("rest", WIDTH, HEIGHT)
    parts += rect.format("done", round(WIDTH * max(0.0, min(1.0, share)), 1), HEIGHT)
    if threshold is not None:
        x = round(WIDTH * threshold, 1)
        parts += Markup('<path class="threshold" d="M{:g} 0V{}"/>').format(x, HEIGHT)
    return drawing(WIDTH, HEIGHT, parts, "bar")
