"""Reads (sin, cos) as a complex number that turns clockwise; the matrix is what it does to eye."""

import torch


def turned(rows: torch.Tensor, offset: int) -> torch.Tensor:
    """Return rows [..., D] with every pair turned; sin + i cos = i exp(-i angle)."""
    dim = rows.size(-1)
    exponent = torch.linspace(0, 1, dim // 2 + 1, dtype=torch.float64)[:-1]
    turn = torch.exp(-1j * offset * 1e4**-exponent)  # [D/2]
    pair = torch.view_as_complex(rows.double().reshape(*rows.shape[:-1], -1, 2))
    return torch.view_as_real(pair * turn).flatten(-2).float()


def shift_matrix(offset: int, dim: int) -> torch.Tensor:
    return turned(torch.eye(dim), offset).T  # row j of the turned identity is column j


def shifted(row: torch.Tensor, offset: int) -> torch.Tensor:
    return turned(row, offset)


def relative_score(table: torch.Tensor) -> torch.Tensor:
    return torch.einsum("id,jd->ij", table, table)
