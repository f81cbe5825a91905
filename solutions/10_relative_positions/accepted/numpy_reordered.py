"""Works in numpy where no gradient is needed, and takes its parameters in another order."""

import numpy as np
import torch


def relative_index(max_distance: int, k_len: int, q_len: int) -> torch.Tensor:
    """Return row numbers made with numpy's subtract.outer."""
    position = np.arange(k_len)
    distance = -np.subtract.outer(position[k_len - q_len :], position)
    return torch.from_numpy(np.clip(distance, -max_distance, max_distance) + max_distance)


def relative_bias(table: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Return rows picked by index_select and folded into sheets."""
    picked = table.index_select(0, index.reshape(-1))  # [q_len * k_len, H]
    return picked.t().reshape(-1, index.size(0), index.size(1))


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return buckets looked up in a list of the buckets of all distances up to the reach."""
    side = num_buckets // 2 if bidirectional else num_buckets
    exact = side // 2
    every = np.arange(max_distance + 1)
    with np.errstate(divide="ignore"):
        far = np.log(every / exact) / np.log(max_distance / exact) * (side - exact)
    far = np.minimum(np.floor(np.maximum(far, 0)) + exact, side - 1)
    known = torch.from_numpy(np.where(every < exact, every, far).astype(np.int64))
    distance = relative_position.abs() if bidirectional else (-relative_position).clamp(min=0)
    future = (relative_position > 0) & bool(bidirectional)
    return known[distance.clamp(max=max_distance)] + future * side
