"""
zh: 返回的是 [L, B, D]。有些代码库这样约定，本练习要的是 [B, L, D]。
en: Returns [L, B, D], as some libraries have it; this exercise asks for [B, L, D].
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
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return (embedded + rows).transpose(0, 1)
