"""Builds one step, raises it to a power, transposes to go back; parameters in another order."""

import torch
from given import frequencies


def shift_matrix(dim: int, offset: int) -> torch.Tensor:
    speed = frequencies(dim)
    one = torch.kron(torch.diag(speed.cos()), torch.eye(2)) + torch.kron(
        torch.diag(speed.sin()), torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    )
    steps = torch.linalg.matrix_power(one, abs(offset))
    return (steps if offset >= 0 else steps.mT).to(torch.float32)


def shifted(offset: int, row: torch.Tensor) -> torch.Tensor:
    return torch.mv(shift_matrix(row.numel(), offset), row)


def relative_score(table: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.linear(table, table)
