"""Solves for the first unfinished hand, since all hands after it are slower; lerp and where."""

import math

import torch

LOG_BASE = math.log(10000.0)


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    if train_len >= test_len:
        return []
    finished = math.floor(math.log(train_len / math.tau) / LOG_BASE * dim / 2) + 1
    return list(range(max(finished, 0), dim // 2))


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    wide = positions.to(torch.float64)
    origin = torch.zeros_like(wide)
    return torch.lerp(origin, wide, min(train_len, test_len) / test_len).to(torch.float32)


def ntk_base(dim: int, factor: float) -> float:
    pairs = dim // 2
    if pairs < 2:
        raise ValueError(f"{pairs} hand is not enough")
    # The ratio between neighbouring hands grows by the same share from pair to pair.
    ratio = 10000.0 ** (1 / pairs) * factor ** (1 / (pairs - 1))
    return float(ratio**pairs)


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    waves = math.tau * torch.exp(torch.arange(dim // 2, dtype=torch.float64) * 2 * LOG_BASE / dim)
    turns = train_len / waves
    line = (turns - slow) / (fast - slow)
    line = torch.where(turns <= slow, 0.0, line)
    return torch.where(turns >= fast, 1.0, line).float()
