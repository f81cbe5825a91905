"""Number pairs."""


def indices(n: int) -> list[int]:
    """Return ``0, 0, 1, 1, ..., n - 1, n - 1``."""
    raise NotImplementedError("TODO: return every index twice")
