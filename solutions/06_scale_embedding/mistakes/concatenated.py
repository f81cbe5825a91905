"""
zh: 把位置行拼在了 embedding 后面，宽度变成了 2D，而不是相加。
en: Puts the position rows behind the embeddings, which makes the width 2D, instead of adding
  them.
lesson: "2"
objectives: [formula-and-shape]
kind: mistake
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    embedded = weight[ids]  # [B, L, D]
    if scale:
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return torch.cat((embedded, rows.expand_as(embedded)), dim=-1)
