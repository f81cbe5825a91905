"""
zh: 在结果上又加了 x（残差连接）。完整的 Transformer 层确实这样做，但这里只要注意力本身。
en: Adds x to the result. A whole Transformer layer has this residual connection; here only
  attention is asked for.
lesson: "1.1"
objectives: [order-blindness]
kind: convention
"""

import math
from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return one head of attention of x on itself, [L, D]."""
    query, key, value = x @ w_q, x @ w_k, x @ w_v  # [L, D] each
    scores = query @ key.T / math.sqrt(x.size(-1))  # [L, L]
    return x + scores.softmax(dim=-1) @ value


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return the rows of x in another order, [L, D]."""
    return x[order]


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return how far the two orders of doing things are apart."""
    difference = function(x[order]) - function(x)[order]
    return difference.abs().max().item()


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
