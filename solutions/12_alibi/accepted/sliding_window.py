"""Cuts every row out of one strip of multiples of the slope."""

import math

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return slopes as logarithms turned back, the rest from a call for twice as many heads."""
    if n_heads & (n_heads - 1) == 0:
        end = -8 * math.log(2)
        return torch.linspace(end / n_heads, end, n_heads).exp()
    below = 2 ** int(math.log2(n_heads))
    rest = [alibi_slopes(2 * below)[2 * extra] for extra in range(n_heads - below)]
    return torch.cat([alibi_slopes(below), torch.stack(rest)])


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return windows of a strip; the newest query's starts at its left end."""
    strip = torch.arange(1 - k_len, q_len).float()  # distances from far past to far future
    rows = strip.unfold(0, k_len, 1)[:q_len].flip(0)
    return rows.unsqueeze(0).mul(alibi_slopes(n_heads).view(-1, 1, 1))
