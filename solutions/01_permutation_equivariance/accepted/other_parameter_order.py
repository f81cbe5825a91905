"""Takes its parameters in another order, mixes before projecting, permutes with gather."""

from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor, x: torch.Tensor
) -> torch.Tensor:
    """Return [L, D]: (weights x) w_v is weights (x w_v)."""
    scale = w_q.size(1) ** 0.25
    scores = torch.matmul(x.matmul(w_q) / scale, (x.matmul(w_k) / scale).transpose(0, 1))  # [L, L]
    return torch.softmax(scores, 1).matmul(x).matmul(w_v)


def permute_rows(order: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Return x gathered along its rows."""
    return x.gather(0, order[:, None].expand_as(x))


def equivariance_gap(
    x: torch.Tensor, order: torch.Tensor, function: Callable[[torch.Tensor], torch.Tensor]
) -> float:
    """Return the larger of the two one-sided differences."""
    first = function(permute_rows(order, x))
    second = permute_rows(order, function(x))
    return max((first - second).max().item(), (second - first).max().item())


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(x, order, function) for name, function in FUNCTIONS.items()}
