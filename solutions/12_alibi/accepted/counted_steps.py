"""Counts the keys that lie between by summing ones from the right; slopes by square roots."""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return slopes: every doubling of heads takes a square root in between."""
    slopes = torch.tensor([2.0**-8], dtype=torch.float64)
    while 2 * len(slopes) <= n_heads:
        ratio = slopes[0].sqrt()
        slopes = torch.stack((slopes / ratio, slopes), dim=1).flatten()
    missing = n_heads - len(slopes)
    ratio = slopes[0].sqrt()
    return torch.cat((slopes, slopes[:missing] / ratio)).to(torch.float32)


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """Return minus the number of keys from each key's right neighbour up to the query."""
    allowed = torch.ones(k_len, k_len).tril()[k_len - q_len :]
    after = allowed.flip(1).cumsum(dim=1).flip(1) - allowed
    return alibi_slopes(n_heads).reshape(-1, 1, 1) * after.neg()
