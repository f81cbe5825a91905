"""Goes pair by pair and element by element, in plain Python wherever it can."""

import math
from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return [L, D], one query after the other."""
    keys = [row @ w_k for row in x]
    values = [row @ w_v for row in x]
    mixed: list[torch.Tensor] = []
    for row in x:
        query = row @ w_q  # [D]
        scores = [float(query @ key) / len(row) ** 0.5 for key in keys]
        powers = [math.exp(score - max(scores)) for score in scores]
        total = sum(powers)
        mixed.append(
            sum(power / total * value for power, value in zip(powers, values, strict=True))
        )
    return torch.stack(mixed)


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return the rows, copied one by one."""
    return torch.stack([x[int(source)] for source in order])


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return the largest distance found so far when every element has been looked at."""
    moved_before = function(torch.stack([x[source] for source in order.tolist()])).tolist()
    result = function(x).tolist()
    largest = 0.0
    for place, source in enumerate(order.tolist()):
        for left, right in zip(moved_before[place], result[source], strict=True):
            largest = max(largest, abs(left - right))
    return largest


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
