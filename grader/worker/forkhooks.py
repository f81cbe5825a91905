"""What libraries want done at every fork, held back until a check forks by itself.

``logging``, ``threading`` and others set their locks right in each forked child, which writes to
ninety pages of memory that the child has to copy for it. Zygote, keeper and loader run one thread
that holds no lock when it forks, so in their children nothing is to be set right.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["held_back", "let_act"]

_hooks: list[dict[str, Any]] = []


@contextmanager
def held_back() -> Iterator[None]:
    """Note what is registered for forks meanwhile, instead of registering it."""
    register = os.register_at_fork
    os.register_at_fork = _note
    try:
        yield
    finally:
        os.register_at_fork = register


def _note(**hooks: Any) -> None:
    _hooks.append(hooks)


def let_act() -> None:
    """Register what was held back: a check may run threads before it forks."""
    for hooks in _hooks:
        os.register_at_fork(**hooks)
