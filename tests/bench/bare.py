"""The same checks with nothing around them: forks of a warm process, no sandbox, no report.

What ``grade watch`` is measured against. With one fork for all it is the shortest way from a text
to a count of passed checks, but a check can change its neighbours; with a fork for each it cannot.
In both it can read what is expected and never end.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from grader import wire
from grader.course import Exercise

__all__ = ["Bare"]

Test = Callable[[Any], None]


class LocalStudent:
    """Does in this process what the real one asks of the worker."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _told(getattr(self._module, name))

    def put(self, tensor: torch.Tensor, *, requires_grad: bool = False) -> torch.Tensor:
        return tensor.clone().requires_grad_(requires_grad)

    def hold(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def value(self, found: Any) -> Any:
        return found

    def gradient(self, output: Any, wrt: Any, weight: torch.Tensor | None = None) -> Any:
        total = output.sum() if weight is None else (output * weight).sum()
        return torch.autograd.grad(total, wrt, allow_unused=True)[0]


def _told(found: Any) -> Any:
    """Mark what a call raises as the student's, as the real proxy does."""
    if not callable(found):
        return found

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            result = found(*args, **kwargs)
        except Exception as error:
            name = type(error).__name__
            error.student_loss = wire.Loss(name, name, str(error), [])  # type: ignore[attr-defined]
            raise
        return _told(result) if isinstance(result, torch.nn.Module) else result

    if isinstance(found, torch.nn.Module):
        call.train, call.eval = found.train, found.eval  # type: ignore[attr-defined]
    return call


class Bare:
    """The checks of one exercise, collected once, run bare on any number of submissions."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.tests: list[Test] = [
            function
            for path, _ in exercise.test_files
            for name, function in vars(_import(path, path.stem)).items()
            if name.startswith("test_")
        ]
        if exercise.given:
            sys.modules["given"] = _import(exercise.given, "given")
        gc.collect()
        gc.freeze()

    def run_together(self, source: str) -> tuple[int, float]:
        """Return how many checks passed in one forked process, and after how many seconds."""
        started = time.perf_counter()
        passed = self._in_fork(source, self.tests)
        return passed, time.perf_counter() - started

    def run_apart(self, source: str) -> tuple[int, float]:
        """Return how many checks passed in a forked process each, and after how many seconds."""
        started = time.perf_counter()
        passed = sum(self._in_fork(source, [test]) for test in self.tests)
        return passed, time.perf_counter() - started

    def _in_fork(self, source: str, tests: list[Test]) -> int:
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write_end, bytes([self._passed(source, tests)]))
            os._exit(0)
        os.close(write_end)
        passed = os.read(read_end, 1)[0]
        os.waitpid(child, 0)
        os.close(read_end)
        return passed

    def _passed(self, source: str, tests: list[Test]) -> int:
        module = types.ModuleType(self.exercise.module)
        passed = 0
        try:
            exec(compile(source, "answer.py", "exec"), module.__dict__)  # noqa: S102
        except Exception:  # noqa: BLE001
            return 0
        for test in tests:
            torch.manual_seed(0)
            try:
                test(LocalStudent(module))
                passed += 1
            except Exception:  # noqa: BLE001, S112
                continue
        return passed


def _import(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"bare_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
