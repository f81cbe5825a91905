"""Stay within the limits."""


def work(n: int) -> int:
    """Return ``2 * n``."""
    return 2 * n


def other(n: int) -> int:
    """Return ``n + 1``."""
    return n + 1
