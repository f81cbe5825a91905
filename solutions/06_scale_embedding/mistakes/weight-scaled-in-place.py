"""
zh: 直接把调用者的 weight 放大了 √D 倍，每调用一次，它就再放大一次。
en: Scales the caller's weight itself, which grows again with every call.
lesson: "7"
objectives: [formula-and-shape]
kind: mistake
"""

import math

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return embeddings with positions, [B, L, D]."""
    if scale:
        with torch.no_grad():
            weight *= math.sqrt(weight.size(1))
    embedded = weight[ids]  # [B, L, D]
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
