"""Reference for exercise 01: attention, a row permutation, and the gap between two orders."""

import math
from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return softmax(Q K^T / sqrt(D)) V for Q, K, V = x w_q, x w_k, x w_v, [L, D]."""
    query, key, value = x @ w_q, x @ w_k, x @ w_v  # [L, D] each
    scores = query @ key.T / math.sqrt(x.size(-1))  # [L, L]: row = query, column = key
    return scores.softmax(dim=-1) @ value  # [L, D]


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return x with row order[i] in row i, [L, D]."""
    return x[order]


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return the largest |function(x[order]) - function(x)[order]|."""
    difference = function(x[order]) - function(x)[order]  # [L, D]
    return difference.abs().max().item()


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
