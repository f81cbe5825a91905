"""One sine for everything, in float32: cos a is sin(a + pi/2), so odd columns only get a phase."""

import math

import torch


def sinusoidal_table(max_len: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    if dim <= 0 or dim % 2 != 0:
        raise ValueError("dim must be positive and even")
    pairs = dim // 2
    frequency = torch.logspace(0, -(pairs - 1) / pairs, pairs, base=base).repeat_interleave(2)
    phase = torch.tensor([0.0, math.pi / 2]).repeat(pairs)
    return torch.sin(torch.einsum("p,c->pc", torch.arange(max_len).float(), frequency) + phase)
