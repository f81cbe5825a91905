"""
zh: 把位置编号加到了 token id 上再去查表，查出来的是别的词的 embedding。
en: Adds position numbers to the token ids before looking them up, and so gets the embeddings of
  other words.
lesson: "10"
objectives: [order-blindness]
kind: mistake
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    shifted = ids + torch.arange(ids.size(1))  # [B, L]
    embedded = weight[shifted]  # [B, L, D]
    if scale:
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
