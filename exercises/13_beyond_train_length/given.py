"""本练习给定的角频率。The angular frequencies, given for this exercise."""

import torch


def frequencies(dim: int, base: float = 10000.0) -> torch.Tensor:
    """返回每根指针每走一步转过的弧度，第 0 对（最快）在前（课文第 3、4 节）。

    Return the radians by which every hand turns at each step, pair 0 (the fastest) first (lesson,
    sections 3 and 4).

    Args:
        dim: width D, even and positive.
        base: the number that is raised to a power; 10000 in the lesson.

    Returns:
        Tensor [dim/2], float64.
    """
    two_i = torch.arange(0, dim, 2, dtype=torch.float64)  # [dim/2]
    return float(base) ** -(two_i / dim)  # [dim/2]
