"""
zh: scale 的意思弄反了，True 时不乘，False 时才乘。
en: Reads scale the wrong way round and scales only when it is False.
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
    embedded = weight[ids]  # [B, L, D]
    if not scale:
        embedded = embedded * math.sqrt(weight.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
