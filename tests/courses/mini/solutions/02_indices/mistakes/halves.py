"""
zh: 先排完一轮再排第二轮。
en: You go through all of them twice, one round after the other.
lesson: "1.1"
objectives: [order]
kind: convention
"""


def indices(n):
    return [*range(n), *range(n)]
