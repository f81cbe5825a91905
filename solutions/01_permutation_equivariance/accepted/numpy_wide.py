"""Computes with numpy in float64 and rounds once at the end."""

from collections.abc import Callable

import numpy as np
import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """Return [L, D], through float64 arrays."""
    tokens, q, k, v = (tensor.detach().numpy().astype(np.float64) for tensor in (x, w_q, w_k, w_v))
    scores = tokens @ q @ k.T @ tokens.T / np.sqrt(tokens.shape[1])  # [L, L]
    weight = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    return torch.from_numpy(weight @ tokens @ v).to(x.dtype)


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """Return the rows as numpy takes them."""
    return torch.from_numpy(np.take(x.numpy(), order.numpy(), axis=0))


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """Return the largest distance after the output was put back by the inverse order."""
    back = np.argsort(order.numpy())
    there_and_back = function(permute_rows(x, order)).detach().numpy()[back]
    return float(np.abs(there_and_back - function(x).detach().numpy()).max())


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """Return the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
