"""Strikes out positions hand by hand; keeps those that every hand allows for."""

import math

import torch


def angular_frequencies(dim: int) -> torch.Tensor:
    return torch.exp(torch.linspace(0, -math.log(10000.0), dim // 2 + 1, dtype=torch.float64)[:-1])


def wavelengths(dim: int) -> torch.Tensor:
    return (2 * torch.pi / angular_frequencies(dim)).to(torch.float32)


def finished_turns(dim: int, length: int) -> int:
    turned = angular_frequencies(dim) * length
    return torch.count_nonzero(turned.ge(2 * torch.pi)).item()


def decode_position(row: torch.Tensor, max_position: int) -> int:
    angles = torch.atan2(row[0::2], row[1::2]).double()
    left = torch.arange(max_position + 1, dtype=torch.float64)
    for frequency, angle in zip(angular_frequencies(row.shape[0]), angles, strict=True):
        gap = torch.remainder(left * frequency - angle + torch.pi, 2 * torch.pi) - torch.pi
        left = left[gap.abs() < 0.03]
    return int(left[0])
