"""练习 14：诊断黑箱。Exercise 14: diagnose black boxes."""

from given import Box


def diagnose(encode: Box) -> str:
    """只靠调用，认出一只箱子对 embedding 做了什么（课文第 1 节到第 9 节）。

    Find out by calls alone what a box does to embeddings (lesson, sections 1 to 9).

    Args:
        encode: encode(x) takes float32 [B, L, D] and returns the same shape. encode.dim is D, even
            and at least 6; B and L are at most encode.max_len, which is at least 4.

    Returns:
        One of given.NAMES, after at most given.MOST_CALLS calls of encode.
    """
    raise NotImplementedError("TODO 14: choose inputs, compare outputs, decide")
