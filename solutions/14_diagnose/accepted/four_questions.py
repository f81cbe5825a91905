"""Asks one question with each of four calls; equivariance is tested by its definition."""

import itertools
import math

import torch
from given import Box

ROOM = 1e-3


def diagnose(encode: Box) -> str:
    """Return the name of what `encode` does, one question after the other."""
    length, dim = encode.max_len, encode.dim
    tokens = torch.randn(1, length, dim)
    back = torch.arange(length - 1, -1, -1)

    straight, mirrored = encode(tokens)[0], encode(tokens[:, back])[0]
    zeros = encode(torch.zeros(2, length, dim))
    if (zeros[1] - zeros[0]).abs().max() > ROOM:
        return "batch-slice"
    if (straight[back] - mirrored).abs().max() < ROOM:
        return "order-ignored"
    if (straight - mirrored).abs().max() < ROOM:
        return "table-returned"
    if zeros.abs().max() < ROOM:
        return _direction(encode(torch.ones(1, 2, dim))[0].tolist())
    return _table(zeros[0].tolist())


def _direction(ones: list[list[float]]) -> str:
    """Tell which way the point (1, 1) moves on from where it is."""
    before, after = ones
    step = math.atan2(after[1], after[0]) - math.atan2(before[1], before[0])
    return "rope" if math.sin(step) > 0 else "rope-backwards"


def _table(rows: list[list[float]]) -> str:
    """Name a table, with Python's own numbers."""
    dim = len(rows[0])
    half = dim // 2
    speeds = _speeds(rows, [(2 * i, 2 * i + 1) for i in range(half)])
    if speeds is None:
        apart = _speeds(rows, [(i, i + half) for i in range(half)])
        return "learned-table" if apart is None else "halves"
    if speeds[0] < 0:
        return "cos-first"
    if math.hypot(*rows[0][:2]) > 1.5:
        return "added-twice"
    known = {"one-frequency": 1.0, "base-1000": 1000.0, "sinusoid": 10000.0}
    for name, base in known.items():
        if all(abs(s - base ** (-2 * i / dim)) < ROOM for i, s in enumerate(speeds)):
            return name
    return "learned-table"


def _speeds(rows: list[list[float]], pairs: list[tuple[int, int]]) -> list[float] | None:
    """Return how far (sin, cos) advances at each step, or None where steps are not alike."""
    found: list[float] = []
    for first, second in pairs:
        lengths = [math.hypot(row[first], row[second]) for row in rows]
        angles = [math.atan2(row[first], row[second]) for row in rows]
        steps = [
            math.remainder(after - before, 2 * math.pi)
            for before, after in itertools.pairwise(angles)
        ]
        if max(lengths) - min(lengths) > ROOM or max(steps) - min(steps) > ROOM:
            return None
        found.append(steps[0])
    return found
