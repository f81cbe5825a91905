"""Rearranges rows with a permutation matrix, and writes attention as sums over named axes."""

from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return [L, D] with i for queries, j for keys, a to e for columns."""
    scores = torch.einsum("ia,ac,jb,bc->ij", x, w_q, x, w_k) * x.shape[1] ** -0.5  # [L, L]
    weight = (scores - scores.amax(dim=1, keepdim=True)).exp()
    weight = weight / weight.sum(dim=1, keepdim=True)
    return torch.einsum("ij,jd,de->ie", weight, x, w_v)


def matrix(order: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return the matrix whose row i has its one in column order[i], [L, L]."""
    return torch.nn.functional.one_hot(order, len(order)).to(dtype)


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return the matrix times x, [L, D]."""
    return matrix(order, x.dtype) @ x


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return the largest element of |M f(x) - f(M x)|."""
    turn = matrix(order, x.dtype)
    return torch.dist(turn @ function(x), function(turn @ x), p=float("inf")).item()


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
