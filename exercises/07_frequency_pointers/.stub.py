"""练习 07：不同转速的指针。Exercise 07: hands that turn at different speeds."""

import torch


def wavelengths(dim: int) -> torch.Tensor:
    """每一对维度的波长：指针转满一圈要走多少步（课文第 3、4 节）。

    Return the wavelength of every pair of dimensions: how many steps its hand needs for one full
    turn (lesson, sections 3 and 4).

    Args:
        dim: width D of an encoding, even and positive.

    Returns:
        Tensor [dim/2], float32, pair 0 (the fastest hand) first.
    """
    raise NotImplementedError("TODO 07: from angular frequencies to steps per turn")


def finished_turns(dim: int, length: int) -> int:
    """在长度 length 之内，有多少对维度的指针至少转满一圈（课文第 4 节）。

    Count the pairs whose hand finishes at least one full turn within a length (lesson, section 4).

    Args:
        dim: width D of an encoding, even and positive.
        length: number of positions, at least 1; it counts as that many steps.

    Returns:
        How many of the dim/2 pairs have a wavelength of at most ``length``, as a Python int.
    """
    raise NotImplementedError("TODO 07: count the hands that get once around")


def decode_position(row: torch.Tensor, max_position: int) -> int:
    """从一行编码读出它的位置；行里的数可能略有误差（课文第 4 节）。

    Read the position off one row of the sinusoidal table; its numbers may be slightly off (lesson,
    section 4).

    Args:
        row: PE(p) of an unknown integer p, float32 [D], sin and cos interleaved, each number off by
            0.01 at most.
        max_position: the largest position that p can be; p = max_position is possible. It is
            smaller than the longest wavelength, and only one position fits.

    Returns:
        p, as a Python int from 0 to max_position.
    """
    raise NotImplementedError("TODO 07: find the position that suits all the hands")
