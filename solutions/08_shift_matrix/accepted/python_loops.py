"""Fills every entry in plain Python, and adds up products one by one."""

import math

import torch


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    rows = [[0.0] * dim for _ in range(dim)]
    for first in range(0, dim, 2):
        second = first + 1
        angle = offset / 10000 ** (first / dim)
        rows[first][first] = rows[second][second] = math.cos(angle)
        rows[first][second] = math.sin(angle)
        rows[second][first] = -math.sin(angle)
    return torch.tensor(rows)


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    matrix = shift_matrix(offset, len(row)).tolist()
    return torch.tensor([sum(a * b for a, b in zip(line, row.tolist())) for line in matrix])  # noqa: B905


def relative_score(table: torch.Tensor) -> torch.Tensor:
    return torch.stack([torch.stack([(a * b).sum() for b in table]) for a in table])
