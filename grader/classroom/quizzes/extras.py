"""Libraries that only an export needs: imported when it runs, and missed with a clear message."""

from __future__ import annotations

import importlib
from typing import Any

from grader.errors import needing

__all__ = ["need"]


def need(module: str) -> Any:
    """Return the module called ``module`` of the extra ``class``.

    Raises:
        UsageError: it is not installed; says how to install it.
    """
    with needing(module, "class"):
        return importlib.import_module(module)
