"""练习 11：RoPE 旋转位置编码。Exercise 11: RoPE, rotary position embedding."""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """把每个 token 的每一对特征，按它的位置转过一个角度（课文 9.3）。

    Turn every pair of features of every token by an angle that its position sets (lesson, 9.3).

    Args:
        x: queries or keys [..., L, D], any floating dtype, D even. Columns 2i and 2i+1 are a pair.
            Stays as it is.
        positions: [L], long. Position of each token: in any order, with gaps, possibly repeated.
        base: pair i turns by positions * base**(-2i/D) radians, counterclockwise.

    Returns:
        A new tensor [..., L, D] with the dtype of x; computed in float32 at least.
    """
    raise NotImplementedError("TODO 11: angles from positions, then turn columns 2i and 2i+1")


def half_split_permutation(dim: int) -> torch.Tensor:
    """返回一个列号的排列，把“前后对半”的排法换成“相邻成对”的排法（课文 9.3）。

    Return the order of columns that takes half-split pairs to interleaved ones (lesson, 9.3).

    In the half-split layout pair i is columns i and i + dim/2. Taking x[..., order] puts it into
    columns 2i and 2i+1.

    Args:
        dim: width D, even and positive.

    Returns:
        Tensor [D], long.
    """
    raise NotImplementedError("TODO 11: which old column comes first, second, third, ...")


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, q_positions: torch.Tensor, k_positions: torch.Tensor
) -> torch.Tensor:
    """返回旋转之后每个 query 与每个 key 的点积，不缩放（课文 9.3）。

    Return the dot product of every query with every key after turning both, not scaled (lesson,
    9.3). Builds on apply_rope, with its base of 10000.

    Args:
        q: queries [..., Lq, D].
        k: keys [..., Lk, D], the same leading dimensions and dtype.
        q_positions: [Lq], long.
        k_positions: [Lk], long.

    Returns:
        Tensor [..., Lq, Lk] with the dtype of q.
    """
    raise NotImplementedError("TODO 11: turn q and k, then all dot products")
