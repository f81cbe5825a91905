"""
zh: 缩放时用错了维度：分数除以了 √L（token 的个数），而不是 √D（向量的宽度）。
en: Divides the scores by the square root of L, the number of tokens, instead of D, the width of a vector.
lesson: "1.1"
objectives: [order-blindness]
kind: mistake
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
    scores = query @ key.T / math.sqrt(x.size(0))  # [L, L]
    return scores.softmax(dim=-1) @ value


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
