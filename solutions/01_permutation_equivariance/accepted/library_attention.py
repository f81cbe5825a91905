"""Leaves attention to torch's own function, and permutes with index_select; survey is gone."""

from collections.abc import Callable

import torch
from torch.nn.functional import scaled_dot_product_attention


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return [L, D]; the function wants a head axis in front, so one is put there."""
    query, key, value = ((x @ w).unsqueeze(0) for w in (w_q, w_k, w_v))  # [1, L, D] each
    return scaled_dot_product_attention(query, key, value).squeeze(0)


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return the selected rows, [L, D]."""
    return x.index_select(0, order)


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return the largest distance, by way of the infinity norm."""
    gap = permute_rows(function(x), order) - function(permute_rows(x, order))
    return float(torch.linalg.vector_norm(gap, ord=float("inf")))
