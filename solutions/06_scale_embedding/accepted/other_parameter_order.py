"""Takes its parameters in another order and builds the sum from a stack of both parts."""

import math

import torch


def embed_tokens(
    table: torch.Tensor, weight: torch.Tensor, ids: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return [B, L, D] as a weighted sum over a stack of embeddings and position rows."""
    embedded = weight.unsqueeze(0).expand(len(ids), -1, -1)  # [B, V, D]
    embedded = embedded.gather(1, ids.unsqueeze(2).expand(-1, -1, weight.size(1)))  # [B, L, D]
    rows = table.split([ids.size(1), len(table) - ids.size(1)])[0]  # [L, D]
    factor = math.exp(0.5 * math.log(weight.size(1))) if scale else 1.0
    return torch.stack((factor * embedded, rows.to(weight.dtype).expand_as(embedded))).sum(dim=0)
