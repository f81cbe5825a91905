"""Plain Python, hand by hand, with wavelengths instead of frequencies."""

import math

import torch


def wave(pair: int, dim: int) -> float:
    return 2 * math.pi * 10000 ** (2 * pair / dim)


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    if test_len <= train_len:
        return []
    return [pair for pair in range(dim // 2) if wave(pair, dim) > train_len]


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    room = min(train_len, test_len)
    numbers = [room * position / test_len for position in positions.flatten().tolist()]
    return torch.tensor(numbers, dtype=torch.float32).reshape(positions.shape)


def ntk_base(dim: int, factor: float) -> float:
    if dim < 4:
        raise ValueError("fastest and slowest hand are the same")
    exponent = (dim - 2) / dim
    slowest = 10000**-exponent / factor
    return slowest ** (-1 / exponent)


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    ramp = []
    for pair in range(dim // 2):
        turns = train_len / wave(pair, dim)
        if turns <= slow:
            ramp.append(0.0)
        elif turns >= fast:
            ramp.append(1.0)
        else:
            ramp.append((turns - slow) / (fast - slow))
    return torch.tensor(ramp)
