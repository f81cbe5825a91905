"""
zh: "频率按 D/2-1 等分，最长的波长正好是 2π·10000；有些库这样做，但本课的公式按 D/2 等分。"
en: "Spaces the frequencies by D/2-1, which makes the longest wavelength exactly 2π·10000; some libraries do so, but the formula here spaces them by D/2."
lesson: "3"
objectives: [frequencies]
kind: convention
seen_in: tensorflow/tensor2tensor#177
"""

import math

import torch
from given import sinusoidal_table


def steps_per_turn(dim: int) -> torch.Tensor:
    half = dim // 2
    share = torch.arange(half, dtype=torch.float64) / max(half - 1, 1)
    return 2 * math.pi * 10000.0**share


def wavelengths(dim: int) -> torch.Tensor:
    return steps_per_turn(dim).float()


def finished_turns(dim: int, length: int) -> int:
    return int((steps_per_turn(dim) <= length).sum())


def decode_position(row: torch.Tensor, max_position: int) -> int:
    candidates = sinusoidal_table(max_position + 1, row.numel())
    return int((candidates - row).square().sum(dim=1).argmin())
