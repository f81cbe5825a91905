"""
zh: 加上了整张位置表，没有按句子长度切片。
en: Adds the whole table instead of cutting it to the length of the sentence.
lesson: "6.2"
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
    return embedded + table.to(weight.dtype)
