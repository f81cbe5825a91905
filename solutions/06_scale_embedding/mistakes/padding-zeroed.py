"""
zh: 把 id 0 当作填充，它的 embedding 被清成了 0。有些代码库这样做，本练习里 id 0 是普通的 token。
en: Takes id 0 for padding and clears its embedding, as some libraries do; here id 0 is a token
  like any other.
lesson: "7"
objectives: [formula-and-shape]
kind: convention
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    embedded = weight[ids] * (ids != 0).unsqueeze(-1)  # [B, L, D]
    if scale:
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
