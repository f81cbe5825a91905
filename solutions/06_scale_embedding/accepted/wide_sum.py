"""Computes in float64 and rounds once; other names, and tokens as one long row on the way."""

import torch


def embed_tokens(
    tokens: torch.Tensor,
    embeddings: torch.Tensor,
    positions: torch.Tensor,
    scale: bool = True,
) -> torch.Tensor:
    """Return [B, L, D], rounded to the dtype of the embeddings at the very end."""
    batch, length = tokens.size()
    found = embeddings.double().index_select(0, tokens.reshape(-1)).view(batch, length, -1)
    if scale is True:
        found = found.mul(found.size(2) ** (1 / 2))
    found += positions[:length].double()  # our own copy
    return found.to(embeddings.dtype)
