"""Counts in Python: rows pair by pair, biases number by number, bucket edges as whole numbers."""

import torch


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """Return row numbers, one pair after the other."""
    rows: list[list[int]] = []
    for query in range(k_len - q_len, k_len):
        row = []
        for key in range(k_len):
            distance = key - query
            distance = max(-max_distance, min(distance, max_distance))
            row.append(distance + max_distance)
        rows.append(row)
    return torch.tensor(rows)


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Return one looked-up sheet per head, stacked."""
    return torch.stack([column[index] for column in table.unbind(dim=1)])


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """Return the bucket of each distance, one after the other."""
    side = num_buckets // 2 if bidirectional else num_buckets
    exact = side // 2
    shared = side - exact

    def one(position: int) -> int:
        distance = abs(position) if bidirectional else max(0, -position)
        first = side if bidirectional and position > 0 else 0
        if distance < exact:
            return first + distance
        passed = 0
        while (
            passed + 1 < shared
            and distance**shared * exact ** (passed + 1)
            >= max_distance ** (passed + 1) * exact**shared
        ):
            passed += 1
        return first + exact + passed

    found = [one(int(position)) for position in relative_position.flatten()]
    return torch.tensor(found, dtype=torch.int64).reshape(relative_position.shape)
