"""Looks up with a matrix product: one-hot rows times the scaled embeddings."""

import torch


def embed_tokens(
    ids: torch.Tensor, weight: torch.Tensor, table: torch.Tensor, scale: bool = True
) -> torch.Tensor:
    """Return [B, L, D] from one-hot rows [B, L, V]."""
    vocabulary, dim = weight.shape
    one_hot = torch.nn.functional.one_hot(ids, vocabulary).to(weight)  # [B, L, V]
    scaled = weight * torch.tensor(dim).sqrt().to(weight) if scale else weight  # a new tensor
    return torch.einsum("blv,vd->bld", one_hot, scaled) + table.narrow(0, 0, ids.size(1)).to(weight)
