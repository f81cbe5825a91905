"""练习 12：ALiBi 按距离扣分。Exercise 12: ALiBi, deductions for distance."""

import torch


def alibi_slopes(n_heads: int) -> torch.Tensor:
    """每个头的斜率，全是正数（课文 9.4）。

    头数是 2 的幂时是一个等比数列；不是时按论文代码的办法补齐，见 README。

    The slope of every head, all positive (lesson, section 9.4): a geometric sequence where the
    number of heads is a power of two, completed as in the paper's code where it is not; see the
    README.

    Args:
        n_heads: number of heads H, at least 1.

    Returns:
        Tensor [H], float32.
    """
    raise NotImplementedError("TODO 12: the sequence of a power of two, then the remaining heads")


def alibi_bias(n_heads: int, q_len: int, k_len: int) -> torch.Tensor:
    """加在注意力分数上的偏置：离得越远，扣得越多（课文 9.4）。

    斜率用 alibi_slopes 的结果。query 比 key 少时，它们是最后 q_len 个位置。
    未来的 key 由因果掩码遮住，那些格子填什么都可以。

    The bias added to attention scores: the farther away, the larger the deduction (lesson, section
    9.4). The slopes are those of alibi_slopes. Fewer queries than keys are the last q_len
    positions. Future keys are hidden by the causal mask; fill those places with anything.

    Args:
        n_heads: number of heads H, at least 1.
        q_len: number of queries, 1 <= q_len <= k_len.
        k_len: number of keys; they stand at positions 0 ... k_len - 1.

    Returns:
        Tensor [H, q_len, k_len], float32: 0 for a token and itself, negative into the past.
    """
    raise NotImplementedError("TODO 12: positions, distances, times the slopes")
