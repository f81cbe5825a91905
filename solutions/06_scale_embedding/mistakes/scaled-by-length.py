"""
zh: 平方根里用的是句子长度 L，而不是宽度 D，句子越长放大得越多。
en: Takes the root of the sentence length L instead of the width D, so longer sentences are
  scaled more.
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
    if scale:
        embedded = embedded * math.sqrt(ids.size(1))
    rows = table[: ids.size(1)].to(weight.dtype)  # [L, D]
    return embedded + rows
