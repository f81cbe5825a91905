"""Double a tensor."""

from torch import Tensor


def double(x: Tensor) -> Tensor:
    """Return twice ``x``, same shape and dtype."""
    return x + x


def greet(name: str, mark: str = "!") -> str:
    """A comment of mine changes nothing."""
    raise NotImplementedError("TODO: return name and mark")  # later
