"""
zh: 权重先转置再乘（像 nn.Linear 那样存成 [输出, 输入]）。本练习约定 Q = X·w_q，不转置。
en: Transposes the weights first, as nn.Linear stores them, [out, in]. Here queries are x @ w_q
  as it is.
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
    query, key, value = x @ w_q.T, x @ w_k.T, x @ w_v.T  # [L, D] each
    scores = query @ key.T / math.sqrt(x.size(-1))  # [L, L]
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
