"""Angles in float32 as in the lesson; shifted by angle and length of every pair."""

import math

import torch


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    frequency = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    angle = offset * frequency  # [D/2], float32
    matrix = torch.zeros(dim, dim)
    even = torch.arange(0, dim, 2)
    matrix[even, even] = torch.cos(angle)
    matrix[even + 1, even + 1] = torch.cos(angle)
    matrix[even, even + 1] = torch.sin(angle)
    matrix[even + 1, even] = torch.sin(-angle)
    return matrix


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    pairs = row.reshape(-1, 2)
    frequency = torch.exp(torch.arange(0, row.size(0), 2) * (-math.log(10000.0) / row.size(0)))
    angle = torch.atan2(pairs[:, 0], pairs[:, 1]) + offset * frequency
    size = pairs.norm(dim=1)
    return torch.stack((size * angle.sin(), size * angle.cos()), dim=1).reshape(-1)


def relative_score(table: torch.Tensor) -> torch.Tensor:
    return torch.mm(table, torch.transpose(table, 0, 1))
