"""
zh: 位置一直数到了下一句话，第二句的第一个 token 得到的是位置 L，而不是位置 0。
en: Goes on counting positions from one sentence to the next, so the second sentence begins at
  position L, not 0.
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
    positions = torch.arange(ids.numel()).view(ids.shape)  # [B, L]
    rows = table[positions % len(table)].to(weight.dtype)  # [B, L, D]
    return embedded + rows
