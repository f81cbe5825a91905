"""Number pairs."""


def indices(n: int) -> list[int]:
    """Return ``0, 0, 1, 1, ..., n - 1, n - 1``."""
    return [i // 2 for i in range(2 * n)]
