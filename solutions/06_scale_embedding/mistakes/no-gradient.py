"""
zh: 查 embedding 时切断了计算图，梯度传不回 weight。不需要训练的是位置表，embedding 要靠梯度学习。
en: Cuts the graph where the embeddings are looked up, so no gradient gets back to weight.
  Embeddings are learned; only the table is not.
lesson: "6.1"
objectives: [formula-and-shape]
kind: mistake
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    embedded = weight.detach()[ids]  # [B, L, D]
    if scale:
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
