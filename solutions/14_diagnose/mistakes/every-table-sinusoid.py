"""
zh: 看出箱子加了一张表，就回答 sinusoid，没有再看是怎样的表。
en: Sees that the box adds a table and says sinusoid, without looking at what kind of table it is.
lesson: "3"
objectives: [formula-and-shape, frequencies, relative-offset, mechanisms]
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
    if differ(token, token[:1]):
        return "rope" if turns(token[:, None, :2]).mean() > 0 else "rope-backwards"
    if not differ(rows, rows[:1]):
        return "order-ignored"
    return "sinusoid"


def differ(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Return whether two tensors are apart by more than noise."""
    return bool((left - right).abs().max() > SMALL)


def turns(pairs: torch.Tensor) -> torch.Tensor:
    """Return the counterclockwise angle from each position to the next, [L-1, pairs]."""
    (x, y), (next_x, next_y) = pairs[:-1].unbind(dim=2), pairs[1:].unbind(dim=2)
    return torch.atan2(x * next_y - y * next_x, x * next_x + y * next_y)
