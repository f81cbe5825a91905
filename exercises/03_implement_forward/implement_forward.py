"""练习 03：实现前向传播。Exercise 03: implement the forward pass."""

import torch
from given import sinusoidal_table
from torch import nn


class SinusoidalPositionEncoding(nn.Module):
    """把正弦余弦位置编码加到 token embedding 上。

    Add sinusoidal position encodings to token embeddings.
    """

    pe: torch.Tensor  # buffer: [1, max_len, D], float32

    def __init__(self, dim: int, max_len: int, dropout: float = 0.0) -> None:
        """已经写好，不用改。Given, nothing to do here.

        Args:
            dim: width D of an embedding, even.
            max_len: number of positions the table holds.
            dropout: probability that an element of the result is set to zero in training.
        """
        super().__init__()
        table = sinusoidal_table(max_len, dim)  # [max_len, D]
        self.register_buffer("pe", table.unsqueeze(0), persistent=False)  # [1, max_len, D]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """给每个 token 加上它所在位置的编码，再做 dropout（课文第 2 节、第 6 节、6.2）。

        Add to every token the encoding of its position, then apply dropout (lesson, sections 2,
        6 and 6.2).

        Args:
            x: token embeddings [B, L, D], any floating dtype. Stays as it is.

        Returns:
            A new tensor [B, L, D] with the dtype of x.

        Raises:
            ValueError: L is greater than max_len.
        """
        raise NotImplementedError("TODO 03: check the length, slice, cast, add, drop out")
