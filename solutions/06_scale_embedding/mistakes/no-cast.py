"""
zh: 没有把位置行转换成 weight 的 dtype，相加时结果被提升成了更宽的类型。
en: Leaves the position rows in their own dtype, and the sum is widened to it.
lesson: "6"
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
    return embedded + table[: ids.size(1)]
