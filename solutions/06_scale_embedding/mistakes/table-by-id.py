"""
zh: 用 token id 去取位置表的行，于是同一个词不论在哪里，加上的都一样。
en: Picks rows of the table by token id, so a word gets the same addition wherever it stands.
lesson: "2"
objectives: [order-blindness]
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
    rows = table[ids].to(weight.dtype)  # [B, L, D]
    return embedded + rows
