"""Plain lists: slopes by repeated multiplication, the future filled with -inf."""

import math

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return slopes, one multiplied out of the other."""

    def sequence(n: int) -> list[float]:
        ratio = 0.5 ** (8 / n)
        slopes = [ratio]
        while len(slopes) < n:
            slopes.append(slopes[-1] * ratio)
        return slopes

    n = 1
    while n * 2 <= n_heads:
        n *= 2
    extra = [slope for place, slope in enumerate(sequence(2 * n)) if place % 2 == 0]
    return torch.tensor((sequence(n) + extra)[:n_heads])


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return nested lists made into a tensor; a future key gets -inf, which masks it."""
    sheets = [
        [
            [-slope * (query - key) if key <= query else -math.inf for key in range(k_len)]
            for query in range(k_len - q_len, k_len)
        ]
        for slope in alibi_slopes(n_heads).tolist()
    ]
    return torch.tensor(sheets)
