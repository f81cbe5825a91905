"""How far each attempt came, as a small chart."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from grader.progress import Attempt
from grader.report.html.svg import drawing, label

__all__ = ["trend"]

WIDTH, HEIGHT = 320, 96
LEFT, TOP, RIGHT, BOTTOM = 44, 10, 12, 18
SHOWN_MOST = 40  # the last ones; more dots run together
RADIUS = 4


def trend(attempts: Sequence[Attempt]) -> Markup:
    """Draw the share of points of each attempt, oldest first; full dots passed."""
    shown = attempts[-SHOWN_MOST:]
    first = len(attempts) - len(shown)
    places = [(_x(i, len(shown)), _y(attempt.score.share)) for i, attempt in enumerate(shown)]
    path = "".join(f"{'L' if i else 'M'}{x:g} {y:g}" for i, (x, y) in enumerate(places))
    parts = [
        Markup('<path class="grid" d="M{} {}H{}"/>').format(LEFT, _y(share), WIDTH - RIGHT)
        + label(LEFT - 6, _y(share) + 4, f"{share:.0%}", "end")
        for share in (0.0, 0.5, 1.0)
    ]
    parts.append(Markup('<path class="thin c0" d="{}"/>').format(path))
    for attempt, (x, y) in zip(shown, places, strict=True):
        kind = "dot full" if attempt.passed else "dot"
        dot = Markup('<circle class="{} c0" cx="{:g}" cy="{:g}" r="{}"/>')
        parts.append(dot.format(kind, x, y, RADIUS))
    parts.append(label(places[0][0], HEIGHT - 4, str(first + 1), "middle"))
    if len(shown) > 1:
        parts.append(label(places[-1][0], HEIGHT - 4, str(len(attempts)), "middle"))
    return drawing(WIDTH, HEIGHT, Markup("").join(parts), "trend")


def _x(place: int, count: int) -> float:
    room = WIDTH - LEFT - RIGHT - 2 * RADIUS
    return round(LEFT + RADIUS + (room * place / (count - 1) if count > 1 else room / 2), 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)
