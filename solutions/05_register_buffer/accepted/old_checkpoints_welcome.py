"""Drops an old table from a checkpoint before loading; rows are added one token at a time."""

from typing import Any

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Table(nn.Module):
    """Keeps a table by itself and ignores one that an older checkpoint holds."""

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim))
        self._non_persistent_buffers_set.add("table")

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        state_dict.pop(f"{prefix}table", None)
        super()._load_from_state_dict(state_dict, prefix, *args)

    def forward(self, x: Tensor) -> Tensor:
        added = [x[:, p] + self.table[p].to(x.dtype) for p in range(x.size(1))]  # L times [B, D]
        return torch.stack(added, dim=1)


Encoding1 = type("Encoding1", (Table,), {})
Encoding2 = type("Encoding2", (Table,), {})
Encoding4 = type("Encoding4", (Table,), {})


class Encoding3(nn.Module):
    """Random frequencies, one row for each token."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.register_buffer("frequency", torch.randn(1, dim // 2).squeeze(0))

    def forward(self, x: Tensor) -> Tensor:
        rows = []
        for position in range(x.size(1)):
            angle = position * self.frequency
            rows.append(torch.stack((angle.sin(), angle.cos())).mT.reshape(-1))  # [D]
        return x + torch.stack(rows).to(x)
