"""
zh: 不管箱子做什么，一律回答 sinusoid，一次也没有调用它。
en: Answers sinusoid whatever the box does, and never calls it.
lesson: "9"
objectives: [order-blindness, formula-and-shape, frequencies, relative-offset, mechanisms]
kind: mistake
"""

from given import Box


def diagnose(encode: Box) -> str:
    """Return a name."""
    return "sinusoid"
