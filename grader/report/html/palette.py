"""Colours of heat maps and curves, for light and dark pages, as CSS.

Values are put into 21 levels from -10 to 10 around zero. Blue to orange through the colour of the
page can be told apart with any common colour blindness, and in grey the darker (on a dark page:
the lighter) cell is still the larger value.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["LEVELS", "level_class", "palette_css"]

LEVELS = 10  # on each side of zero
Colour = tuple[int, int, int]

# From the most negative value over zero to the most positive one.
LIGHT: list[Colour] = [(3, 58, 122), (74, 144, 200), (246, 246, 244), (240, 150, 60), (138, 58, 0)]
DARK: list[Colour] = [
    (150, 212, 255), (48, 120, 190), (38, 43, 50), (186, 100, 16), (255, 200, 120),
]  # fmt: skip
INK, PAPER = "#000", "#fff"
TURN = 0.179  # the luminance on which both can be read equally well
# Okabe and Ito's colours, darkened or lightened until lines of them can be seen on the page.
CURVES_LIGHT = ["#0072b2", "#c04a00", "#007a5a", "#a8467f", "#7a6400", "#3b3f46"]
CURVES_DARK = ["#6cb6f0", "#ff9a5c", "#3fd0a5", "#eb9ccb", "#e8cf5a", "#c9d1d9"]


def level_class(value: float | None, limit: float) -> str:
    """Return the CSS class of a cell: ``n10`` ... ``z0`` ... ``p10``, ``none`` for no number."""
    if value is None:
        return "none"
    level = round(LEVELS * max(-1.0, min(1.0, value / limit)))
    return "z0" if level == 0 else f"{'p' if level > 0 else 'n'}{abs(level)}"


def palette_css() -> str:
    """Return rules for the levels (``fill``, and ``t-`` for text on them) and the curves."""
    light = "".join([*_levels(LIGHT), *_curves(CURVES_LIGHT)])
    dark = "".join([*_levels(DARK), *_curves(CURVES_DARK)])
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _levels(anchors: list[Colour]) -> Iterator[str]:
    for level in range(-LEVELS, LEVELS + 1):
        colour = _between(anchors, (level + LEVELS) / (2 * LEVELS))
        name = level_class(float(level), float(LEVELS))
        text = INK if _luminance(colour) > TURN else PAPER
        yield f".{name}{{fill:#{''.join(f'{part:02x}' for part in colour)}}}"
        yield f".t-{name}{{fill:{text}}}"


def _curves(colours: list[str]) -> Iterator[str]:
    for number, colour in enumerate(colours):
        yield f".c{number}{{stroke:{colour}}}.k{number}{{fill:{colour}}}"


def _between(anchors: list[Colour], share: float) -> Colour:
    """Return the colour at ``share`` (0.0 to 1.0) of the way along ``anchors``."""
    place = share * (len(anchors) - 1)
    index = min(int(place), len(anchors) - 2)
    part = place - index
    left, right = anchors[index], anchors[index + 1]
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(left, right, strict=True))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    """Return the relative luminance of an sRGB colour as WCAG 2 defines it."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4  # noqa: PLR2004

    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
