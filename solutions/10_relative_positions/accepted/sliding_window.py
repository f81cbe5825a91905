"""Cuts all rows out of one sorted strip; embeds; finds buckets among their edges by searching."""

import torch
from torch.nn import functional


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return windows of one strip: every row is the next one, moved by a key."""
    strip = torch.arange(1 - k_len, q_len).clamp(-max_distance, max_distance) + max_distance
    return strip.unfold(0, k_len, 1).flip(0)[:q_len]


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the embeddings of the row numbers, heads first."""
    return functional.embedding(index, table).movedim(-1, 0).contiguous()


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return how many edges each distance has passed."""
    side = num_buckets // (2 if bidirectional else 1)
    exact = side // 2
    growth = torch.linspace(0, 1, side - exact + 1, dtype=torch.float64)[:-1]
    far_edges = exact * (max_distance / exact) ** growth
    edges = torch.cat((torch.arange(1, exact).double(), far_edges))
    past = torch.bucketize((-relative_position).double(), edges, right=True)
    if not bidirectional:
        return past
    future = torch.bucketize(relative_position.double(), edges, right=True)
    return torch.where(relative_position > 0, side + future, past)
