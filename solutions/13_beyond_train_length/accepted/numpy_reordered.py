"""NumPy, with the parameters in another order."""

import numpy as np
import torch


def speeds(dim):
    return np.power(1e4, -2.0 * np.arange(dim // 2) / dim)


def unseen_phase_pairs(train_len, test_len, dim):
    if not test_len > train_len:
        return []
    return [int(i) for i in np.flatnonzero(speeds(dim) * train_len < 2 * np.pi)]


def interpolate_positions(train_len, test_len, positions):
    scale = min(1.0, train_len / test_len)
    return torch.from_numpy((positions.numpy().astype(np.float64) * scale).astype(np.float32))


def ntk_base(factor, dim):
    if dim < 4:
        raise ValueError("dim too small")
    return float(np.float64(10000) * np.float64(factor) ** (dim / (dim - 2)))


def yarn_ramp(dim, train_len, slow=1.0, fast=32.0):
    ramp = np.interp(speeds(dim) * train_len / (2 * np.pi), [slow, fast], [0.0, 1.0])
    return torch.tensor(ramp, dtype=torch.float32)
