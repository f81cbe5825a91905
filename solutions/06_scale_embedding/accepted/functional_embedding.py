"""Uses torch's embedding lookup for tokens and positions alike, and a power for the root."""

import torch
from torch.nn import functional


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return [B, L, D]: two lookups, one of them scaled."""
    factor = weight.shape[-1] ** 0.5 if scale else 1.0
    positions = torch.arange(ids.shape[-1]).expand_as(ids)  # [B, L]
    placed = functional.embedding(positions, table).type_as(weight)
    return torch.add(placed, functional.embedding(ids, weight), alpha=factor)
