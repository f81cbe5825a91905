"""Graded by a test with a fault."""


def faulty(n: int) -> int:
    """Return ``n``."""
    raise NotImplementedError("TODO: return n")
