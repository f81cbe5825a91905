"""练习 13：超出训练长度。Exercise 13: beyond the training length."""

import torch


def unseen_phase_pairs(dim: int, train_len: int, test_len: int) -> list[int]:
    """哪些维度对会遇到训练时没有见过的相位（课文第 4、8 节）。

    List the pairs that meet phases never seen in training (lesson, sections 4 and 8): their hand
    does not finish a full turn within train_len, and test_len asks it for a larger angle.

    Args:
        dim: width D, even and positive.
        train_len: number of positions in training, at least 1; it counts as that many steps.
        test_len: number of positions in use, at least 1; counted likewise.

    Returns:
        The numbers of these pairs (from 0 to dim/2 - 1) in ascending order; [] if there are none.
    """
    raise NotImplementedError("TODO 13: which hands are turned further than ever before?")


def interpolate_positions(positions: torch.Tensor, train_len: int, test_len: int) -> torch.Tensor:
    """位置插值：把长序列的位置按比例压回训练过的范围（课文第 8、9.3 节）。

    Interpolate positions (lesson, sections 8 and 9.3): shrink the positions of a long sequence by
    one common factor, so that test_len steps take the room of train_len.

    Args:
        positions: positions from 0 to test_len - 1, any shape, order and dtype (integer or
            floating). Stays as it is.
        train_len: number of positions in training.
        test_len: number of positions in use. If it is at most train_len, nothing is shrunk.

    Returns:
        A float32 tensor of the same shape.
    """
    raise NotImplementedError("TODO 13: one factor for all positions")


def ntk_base(dim: int, factor: float) -> float:
    """换一个底数：最快的指针不变，最慢的指针恰好慢 factor 倍（课文第 8、9.3 节）。

    Return the base that replaces 10000 so that the fastest hand stays as it is and the slowest one
    turns exactly ``factor`` times as slowly (lesson, sections 8 and 9.3).

    Args:
        dim: width D, even.
        factor: how many times as slow, at least 1, such as test_len / train_len.

    Returns:
        The new base.

    Raises:
        ValueError: dim is less than 4, so that fastest and slowest hand are one and the same.
    """
    raise NotImplementedError("TODO 13: solve for the base")


def yarn_ramp(dim: int, train_len: int, slow: float = 1.0, fast: float = 32.0) -> torch.Tensor:
    """（加分题）YaRN 的斜坡：每根指针保留多少原来的转速（课文第 8、9.3 节）。

    Bonus: the ramp of YaRN (lesson, sections 8 and 9.3), how much of its own speed each hand keeps.
    It depends on the turns that the hand makes within train_len.

    Args:
        dim: width D, even and positive.
        train_len: number of positions in training; it counts as that many steps.
        slow: up to this number of turns the ramp is 0.
        fast: from this number of turns on the ramp is 1; greater than slow.

    Returns:
        Tensor [dim/2], float32; between ``slow`` and ``fast`` turns it rises in a straight line.
    """
    raise NotImplementedError("TODO 13: turns, then a straight line between 0 and 1")
