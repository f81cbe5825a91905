"""Exponents in closed form, and a bias that treats the future like the past."""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return slopes from the number of halvings of each head."""
    n = 2 ** (len(bin(n_heads)) - 3)
    head = torch.arange(n_heads, dtype=torch.float64)
    halvings = torch.where(head < n, head + 1, head - n + 0.5) * (8 / n)
    return torch.exp2(-halvings).float()


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return slopes times minus the absolute distance, with an outer product."""
    position = torch.arange(k_len, dtype=torch.float32)
    distance = torch.cdist(position[k_len - q_len :, None], position[:, None], p=1.0)
    return -torch.einsum("h,qk->hqk", alibi_slopes(n_heads), distance)
