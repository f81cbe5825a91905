"""What libraries want done at every fork, held back where there is nothing to do.

``logging``, ``threading`` and others set their locks right in each forked child, which writes to
ninety pages of memory that the child has to copy for it. Zygote and keeper run one thread that
holds no lock when it forks, so in their children nothing is to be set right. A loader may run
threads of the student's: with these, everything is done as in any program.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["collected", "fork", "let_act"]

Hooks = dict[str, Callable[[], object]]


class _Collection:
    """The hooks that wait, and whether a fork runs them."""

    def __init__(self) -> None:
        self.hooks: list[Hooks] = []
        self.acting = False

    def add(self, **hooks: Any) -> None:
        self.hooks.append(hooks)

    def before(self) -> None:
        self._run("before", self.hooks[::-1])  # the last one registered comes first

    def in_parent(self) -> None:
        self._run("after_in_parent", self.hooks)

    def in_child(self) -> None:
        self._run("after_in_child", self.hooks)

    def _run(self, when: str, of: list[Hooks]) -> None:
        if self.acting:
            for hooks in of:
                if when in hooks:
                    hooks[when]()


_collection = _Collection()


@contextmanager
def collected() -> Iterator[None]:
    """Collect what is registered for forks meanwhile; it waits for :func:`let_act`."""
    register = os.register_at_fork
    os.register_at_fork = _collection.add
    try:
        yield
    finally:
        os.register_at_fork = register
        register(
            before=_collection.before,
            after_in_parent=_collection.in_parent,
            after_in_child=_collection.in_child,
        )


def let_act() -> None:
    """From here on, in this process and its children, each fork does what was collected."""
    _collection.acting = True


def fork() -> int:
    """Fork as ``os.fork`` does, without what was collected where this is the only thread."""
    _collection.acting = _threads() > 1
    try:
        return os.fork()
    finally:
        _collection.acting = True


def _threads() -> int:
    """Count the threads of this process; where there is no /proc, those that run Python."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208 - every check pays for this
    except OSError:
        return len(sys._current_frames())
