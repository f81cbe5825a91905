"""
zh: 全 0 的输入得到全 0，就认定是旋转，没有看非 0 的 token 在各位置是否真的不同。
en: Says rope as soon as zeros come out as zeros, without checking whether the same token really comes out differently from place to place.
lesson: "1.1"
objectives: [order-blindness]
kind: mistake
"""

import torch
from given import Box

SMALL = 1e-3  # far above the noise of 1e-5, far below anything that a box does on purpose


def diagnose(encode: Box) -> str:
    """Return the name of what `encode` does, after a single call."""
    x = torch.zeros(3, encode.max_len, encode.dim)
    x[2, :, 0] = 1.0  # the same token (1, 0, ..., 0) everywhere
    rows, other_rows, lit = encode(x).double()  # [L, D] each; the first two have the same input
    if differ(rows, other_rows):
        return "batch-slice"
    token = lit - rows  # [L, D]: what became of (1, 0, ..., 0) at each position
    if not differ(token, torch.zeros_like(token)):
        return "table-returned"
    if not differ(rows, torch.zeros_like(rows)):
        return "rope-backwards" if turns(token[:, None, :2]).mean() < 0 else "rope"
    if not differ(rows, rows[:1]):
        return "order-ignored"
    return name_of_table(rows)


def differ(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Return whether two tensors are apart by more than noise."""
    return bool((left - right).abs().max() > SMALL)


def turns(pairs: torch.Tensor) -> torch.Tensor:
    """Return the counterclockwise angle from each position to the next, [L-1, pairs]."""
    (x, y), (next_x, next_y) = pairs[:-1].unbind(dim=2), pairs[1:].unbind(dim=2)
    return torch.atan2(x * next_y - y * next_x, x * next_x + y * next_y)


def name_of_table(rows: torch.Tensor) -> str:
    """Name a table [L, D] by how its pairs turn from row to row; its first position is unknown."""
    half = rows.size(1) // 2
    neighbours = rows.unflatten(1, (half, 2))  # [L, D/2, 2]
    if is_clock(neighbours):
        radius, speed = neighbours[0].norm(dim=1), turns(neighbours)[0]
        exponent = -2 * torch.arange(half, dtype=torch.float64) / rows.size(1)
        if speed[0] > 0:  # (cos, sin) turns counterclockwise, (sin, cos) clockwise
            return "cos-first"
        if not differ(radius, torch.full_like(radius, 2)):
            return "added-twice"
        for name, base in (("sinusoid", 10000.0), ("base-1000", 1000.0), ("one-frequency", 1.0)):
            if not differ(-speed, base**exponent):
                return name
    elif is_clock(rows.unflatten(1, (2, half)).transpose(1, 2)):
        return "halves"
    return "learned-table"


def is_clock(pairs: torch.Tensor) -> bool:
    """Return whether every pair keeps its length and turns by the same angle at every step."""
    radius, turn = pairs.norm(dim=2), turns(pairs)
    return not (differ(radius, radius[:1]) or differ(turn, turn[:1]))
