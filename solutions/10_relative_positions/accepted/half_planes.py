"""Counts passed distances with sums of triangles, and gathers every head's column."""

import torch


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return how many of the 2 * max_distance thresholds lie at or below each distance."""
    ones = torch.ones(q_len, k_len, dtype=torch.int64)
    first = k_len - q_len
    sheets = [
        ones.triu(first + threshold) for threshold in range(1 - max_distance, max_distance + 1)
    ]
    return torch.stack(sheets).sum(dim=0)


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return the gathered columns of the transposed table."""
    heads = table.shape[1]
    wanted = index.flatten().expand(heads, -1)  # [H, q_len * k_len]
    return table.T.gather(1, wanted).view(heads, *index.shape)


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return the past by itself, the future by itself, and one of the two."""

    def of_side(distance: torch.Tensor, side: int) -> torch.Tensor:
        exact = side // 2
        ratio = torch.tensor(max_distance / exact, dtype=torch.float64)
        passed = [
            distance >= exact * ratio ** (step / (side - exact)) for step in range(1, side - exact)
        ]
        far = exact + torch.stack(passed).sum(dim=0)
        return torch.where(distance < exact, distance, far)

    if not bidirectional:
        return of_side(torch.relu(-relative_position), num_buckets)
    side = num_buckets // 2
    past, future = of_side(-relative_position, side), of_side(relative_position, side)
    return torch.where(relative_position <= 0, past, future + side)
