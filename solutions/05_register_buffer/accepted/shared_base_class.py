"""One base class registers every table; the table has a batch axis, [1, max_len, D]."""

import torch
from given import sinusoidal_table
from torch import Tensor, nn


class Holder(nn.Module):
    """Keeps a table as a buffer that checkpoints do not hold."""

    def __init__(self, dim: int, max_len: int) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(max_len, dim)[None], persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.shape[1]].type_as(x)


class Encoding1(Holder):
    """Was a plain attribute."""


class Encoding2(Holder):
    """Was a trained parameter."""


class Encoding3(nn.Module):
    """Was a parameter without gradient."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.register_buffer("frequency", torch.randn(dim // 2), persistent=True)

    def forward(self, x: Tensor) -> Tensor:
        angle = torch.einsum("l,f->lf", torch.arange(x.shape[1]).to(self.frequency), self.frequency)
        pairs = torch.stack([torch.sin(angle), torch.cos(angle)], 2)  # [L, D/2, 2]
        return x + pairs.view(x.shape[1], -1).type_as(x)


class Encoding4(Holder):
    """Was a persistent buffer."""
