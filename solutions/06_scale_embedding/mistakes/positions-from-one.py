"""
zh: 位置从 1 数起，第一个 token 加上的是第 1 行。有些模型把第 0 行留给填充，本练习从第 0 行开始。
en: Counts positions from 1, so the first token gets row 1. Some models keep row 0 for padding;
  here the first token gets row 0.
lesson: "2"
objectives: [formula-and-shape]
kind: convention
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
    rows = table[1 : ids.size(1) + 1].to(weight.dtype)  # [L, D]
    return embedded + rows
