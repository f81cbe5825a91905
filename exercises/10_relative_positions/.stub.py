"""练习 10：相对位置。Exercise 10: relative positions."""

import torch


def relative_index(q_len: int, k_len: int, max_distance: int) -> torch.Tensor:
    """算出每一对 query 和 key 该查偏置表的哪一行（课文 9.2）。

    距离等于 key 的位置减 query 的位置；截断到 -max_distance 与 max_distance 之间，再平移成行号。
    query 比 key 少时，它们是最后 q_len 个位置。

    Say which row of the bias table every pair of query and key looks up (lesson, section 9.2).
    A distance is the key's position minus the query's, clipped to -max_distance ... max_distance
    and then shifted to a row number. Fewer queries than keys are the last q_len positions.

    Args:
        q_len: number of queries, 1 <= q_len <= k_len.
        k_len: number of keys; they stand at positions 0 ... k_len - 1.
        max_distance: the largest distance that has rows of its own, at least 1.

    Returns:
        Tensor [q_len, k_len], int64, with values in 0 ... 2 * max_distance.
    """
    raise NotImplementedError("TODO 10: positions, differences, clip, shift")


def relative_bias(index: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """按行号查表，把每个头的偏置排成一张 [q_len, k_len] 的图（课文 9.2）。

    Look the row numbers up and lay the biases out as one [q_len, k_len] sheet per head (lesson,
    section 9.2).

    Args:
        index: row numbers [q_len, k_len], int64. Stays as it is.
        table: one row per distance (or bucket), one column per head: [rows, H], any floating dtype.

    Returns:
        Tensor [H, q_len, k_len] with the dtype of table. Gradients reach the table.
    """
    raise NotImplementedError("TODO 10: look up rows, bring the heads to the front")


def t5_bucket(
    relative_position: torch.Tensor,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> torch.Tensor:
    """加分题：把距离分进 T5 的桶里，近处一个距离一个桶，远处许多距离共用一个桶。

    Bonus: sort distances into T5's buckets, near ones with a bucket each, far ones sharing.

    Args:
        relative_position: key position minus query position, int64, any shape. Stays as it is.
        bidirectional: True: half of the buckets for the future; False: the future counts as
            distance 0.
        num_buckets: number of buckets, a multiple of 4.
        max_distance: from this distance on, everything shares the last bucket of its side;
            greater than num_buckets.

    Returns:
        Bucket numbers, int64, of the same shape, in 0 ... num_buckets - 1.
    """
    raise NotImplementedError("TODO 10: sides, near buckets, far buckets")
