"""Libraries that only an export needs: imported when it runs, and missed with a clear message."""

from __future__ import annotations

import importlib
from typing import Any

from grader.errors import UsageError
from grader.text import say

__all__ = ["EXTRA", "need"]

EXTRA = "grader[class]"


def need(module: str) -> Any:
    """Return the module called ``module`` of the extra ``class``.

    Raises:
        UsageError: it is not installed; says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        raise UsageError(
            say("This export needs the package {name}, which is not installed.", name=missing),
            say("Install what instructors need: pip install '{extra}'", extra=EXTRA),
        ) from None
