"""练习 01：排列等变。Exercise 01: permutation equivariance."""

from collections.abc import Callable

import torch
from given import FUNCTIONS


def self_attention(
    x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor
) -> torch.Tensor:
    """一个头的缩放点积自注意力：没有掩码，没有位置（课文 1.1）。

    One head of scaled dot-product self-attention, no mask, no positions (lesson, 1.1).

    Args:
        x: token embeddings [L, D], one row for each token.
        w_q: query weights [D, D], applied from the right: the queries are x @ w_q.
        w_k: key weights [D, D], likewise.
        w_v: value weights [D, D], likewise.

    Returns:
        A new tensor [L, D] with the dtype of x. No argument is changed.
    """
    raise NotImplementedError("TODO 01: project, score, scale, softmax, mix the values")


def permute_rows(x: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    """按 order 重排 x 的行：结果的第 i 行是 x 的第 order[i] 行（课文 1.1）。

    Rearrange the rows of x: row i of the result is row order[i] of x (lesson, 1.1).

    Args:
        x: [L, D], any dtype. Stays as it is.
        order: [L], int64, each of 0..L-1 exactly once.

    Returns:
        A new tensor [L, D] with the dtype of x.
    """
    raise NotImplementedError("TODO 01: put row order[i] of x into row i")


def equivariance_gap(
    function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, order: torch.Tensor
) -> float:
    """先重排再计算，与先计算再重排，两个结果相差最多多少（课文 1.1）。

    How far apart "rearrange, then compute" and "compute, then rearrange" are at most (lesson, 1.1).

    Args:
        function: takes [L, D], returns [L, D].
        x: [L, D], floating. Stays as it is.
        order: [L], int64, each of 0..L-1 exactly once.

    Returns:
        The largest absolute difference of any two corresponding elements, a Python float.
    """
    raise NotImplementedError("TODO 01: do it both ways round and compare")


def survey(x: torch.Tensor, order: torch.Tensor) -> dict[str, float]:
    """已经写好：given.py 里每个函数的差距。Given: the gap of each function in given.py."""
    return {name: equivariance_gap(function, x, order) for name, function in FUNCTIONS.items()}
