"""
zh: 加了因果掩码，每个 token 只看得到自己和前面的 token。带掩码的注意力对顺序并不“失明”，本练习要的是不带掩码的。
en: Adds a causal mask, under which a token sees itself and earlier ones only. Masked attention
  does notice order; this exercise asks for attention without a mask.
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
    scores = query @ key.T / math.sqrt(x.size(-1))  # [L, L]
    later = torch.ones_like(scores).triu(diagonal=1).bool()  # [L, L]
    scores = scores.masked_fill(later, float("-inf"))
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
