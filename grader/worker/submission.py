"""Imports one submission from text; from then on, nothing in this process can be trusted."""

from __future__ import annotations

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import linecache
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from grader import wire
from grader.outline import outline
from grader.worker.values import describe

__all__ = ["flush_output", "import_submission"]


class SubmittedModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules that were handed over as text, before any folder is looked at."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Claim the names in ``sources``."""
        del path, target
        if fullname not in self.sources:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=f"{fullname}.py")

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the module's text under its own file name, so that tracebacks show its lines."""
        name = module.__name__
        file = f"{name}.py"
        module.__file__ = file
        code = builtins.compile(self.sources[name], file, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - what this process is for


def flush_output() -> None:
    """Hand on what was printed; a student may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def import_submission(
    order: wire.Load, send: Callable[[wire.Outlined], None]
) -> tuple[Any, wire.Loss | None]:
    """Outline the submission, then import it; return the module or how the import failed."""
    for name, source in order.sources.items():
        lines = source.splitlines(keepends=True)
        linecache.cache[f"{name}.py"] = (len(source), None, lines, f"{name}.py")
        Path(f"{name}.py").write_text(source, encoding="utf-8")
    try:
        found = outline(order.sources[order.module])
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        send(wire.Outlined([]))
        return None, describe(error, order.sources)
    send(wire.Outlined([wire.Outline(*pair) for pair in found.items()]))

    sys.meta_path.insert(0, SubmittedModules(order.sources))
    try:
        return __import__(order.module), None
    except BaseException as error:  # noqa: BLE001 - sys.exit() at import too
        return None, describe(error, order.sources)
