"""Works in numpy, rounds to float32 at the end, and takes its parameters in another order."""

import numpy as np
import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """Return slopes picked from those of twice the power of two: odd places first."""
    n = 1 << int(np.floor(np.log2(n_heads)))
    fine = np.logspace(-4 / n, -8, 2 * n, base=2)
    slopes = np.concatenate([fine[1::2], fine[0::2]])[:n_heads]
    return torch.from_numpy(slopes.astype(np.float32))


def alibi_bias(k_len: int, q_len: int, n_heads: int) -> torch.Tensor:
    """Return a matrix of differences for every slope."""
    distance = np.subtract.outer(np.arange(k_len), np.arange(k_len)).T[-q_len:]
    stacked = np.stack([float(slope) * distance for slope in alibi_slopes(n_heads)])
    return torch.tensor(stacked, dtype=torch.float32)
