"""Graded by a test with a fault."""


def faulty(n: int) -> int:
    """Return ``n``."""
    return n
