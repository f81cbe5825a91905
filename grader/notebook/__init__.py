"""Grading from a notebook: ``%load_ext grader.notebook``, then ``%%grade 03`` above an answer.

    kernel     magics, rendering; runs the student's other cells, so it grades nothing itself
      desk     the trusted side in a process of its own: course, hidden tests, the warm worker
        zygote and below, as for the command

The desk ends when the kernel does, however that ends: it reads its orders from a pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics; IPython calls this for ``%load_ext grader.notebook``."""
    from grader.notebook.magics import register

    register(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """End the desk; IPython calls this for ``%unload_ext``."""
    del shell
    from grader.notebook.magics import unregister

    unregister()
