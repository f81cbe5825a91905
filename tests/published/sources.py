"""Loading both sides of a comparison: a file of `solutions/`, a module of a package."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType
from unittest import mock

import torch
import yaml

from tests.conftest import not_covered

ROOT = Path(__file__).parents[2]


def reference(number: str) -> ModuleType:
    """Return the reference solution of an exercise, by its two digits."""
    folder = _folder(number)
    return _load(folder, folder / f"{folder.name[3:]}.py")


def convention(number: str, name: str) -> ModuleType:
    """Return a version that the bank calls right under another convention."""
    folder = _folder(number)
    module = _load(folder, folder / "mistakes" / f"{name}.py")
    assert yaml.safe_load(module.__doc__ or "")["kind"] == "convention"
    return module


def accepted(number: str, name: str) -> ModuleType:
    """Return a version that the bank calls right."""
    folder = _folder(number)
    return _load(folder, folder / "accepted" / f"{name}.py")


def given(number: str) -> ModuleType:
    """Return what an exercise gives."""
    folder = ROOT / "exercises" / _folder(number).name
    return _execute("given", folder / "given.py")


def published(name: str) -> ModuleType:
    """Return a module of an installed package; where the package is missing, it is not covered."""
    package = name.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        not_covered(f"{package} is not installed")
    with warnings.catch_warnings():
        # einx, which x-transformers brings, makes torch compile a script when it is imported.
        warnings.filterwarnings("ignore", r"`torch\.jit\.script` is", DeprecationWarning)
        return importlib.import_module(name)


def side_by_side(halves: torch.Tensor) -> torch.Tensor:
    """Return columns 0, D/2, 1, D/2 + 1, ...: pairs of halves become pairs of neighbours."""
    return halves[..., reference("11").half_split_permutation(halves.size(-1))]


def assert_same(ours: torch.Tensor, theirs: torch.Tensor, largest: float = 1.0) -> None:
    """Shapes agree, and values up to a few roundings in float32.

    Args:
        ours: any shape; compared in float64.
        theirs: same shape.
        largest: the largest number that was rounded on the way, such as an angle in radians.
    """
    tolerance = 4 * torch.finfo(torch.float32).eps * largest
    torch.testing.assert_close(ours.double(), theirs.double(), rtol=0, atol=tolerance)


def assert_same_frequencies(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    """Shapes agree, and every number up to a few roundings of itself, however small it is."""
    rounding = 32 * torch.finfo(torch.float32).eps
    torch.testing.assert_close(ours.double(), theirs.double(), rtol=rounding, atol=0)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    """Return normally distributed numbers, the same in every run."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _folder(number: str) -> Path:
    (folder,) = (ROOT / "solutions").glob(f"{number}_*")
    return folder


def _load(folder: Path, path: Path) -> ModuleType:
    """Execute a version of a solution with the exercise's given.py in reach."""
    public = ROOT / "exercises" / folder.name / "given.py"
    if not public.is_file():
        return _execute(path.stem, path)
    with mock.patch.dict(sys.modules, {"given": _execute("given", public)}):
        return _execute(path.stem, path)


def _execute(name: str, path: Path) -> ModuleType:
    """Execute a file as a module of its own, which no import finds."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
