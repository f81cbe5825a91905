"""
zh: 按 batch 的大小 B 切位置表，而不是按句子长度 L。
en: Cuts the table to the batch size B instead of the sentence length L.
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
    rows = table[: ids.size(0)].to(weight.dtype)
    return embedded + rows
