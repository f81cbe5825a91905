"""Imports point one way, and the untrusted side knows nothing of the trusted one."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from grader.sandbox.bubblewrap import WORKER_PARTS

PACKAGE = Path(grader.__file__).parent
# Top to bottom: a module may import what stands below it, never beside or above.
LAYERS = [
    {"__main__"},
    {"cli"},
    {"notebook"},
    {"commands"},
    {"asking", "authoring", "classroom", "doctor", "submit", "watch"},
    {"report"},
    {"released"},
    {"grading", "quiz"},
    {"progress"},
    {"scoring"},
    {"checking"},
    {"sandbox"},
    {"intake"},
    {"course"},
]
SHARED = {"wire", "outline", "folders"}  # leaves that the worker may import too
LEAVES = SHARED | {
    "atomic",
    "errors",
    "plaintext",
    "results",
    "text",
    "discretion",
    "usage",
    "wrap",
}
WORKER_MAY = {"torch", "msgspec", "safetensors"}
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = (
    "torch", "pytest", "nbgrader", "dask", "distributed", "rich", "numpy", "yaml", "grader.sandbox",
    "grader.course",
)  # fmt: skip


def part(path: Path) -> str:
    """Return the part of the package a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Return the dotted names a module imports, anywhere in it; ``from a import b`` is ``a.b``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where an arrow points"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def parts_imported(path: Path) -> set[str]:
    """Return the parts of the package that a module imports."""
    known = {part(module) for module in MODULES}
    return {name.split(".")[1] for name in imports(path) if name.startswith("grader.")} & known


def depth(name: str) -> int:
    """Return how far down a part stands."""
    return next((i for i, layer in enumerate(LAYERS) if name in layer), len(LAYERS))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_point_down(path: Path) -> None:
    """No module imports its own level's neighbours or anything above it."""
    own = part(path)
    allowed = {name for name in parts_imported(path) if depth(name) > depth(own)} | {own}

    back = parts_imported(path) - allowed - (LEAVES if own in LEAVES else set())

    assert own == "worker" or back == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_part_has_its_place(path: Path) -> None:
    """A new part of the package is put into the order above."""
    placed = set().union(*LAYERS) | LEAVES | {"worker", "__init__"}

    assert part(path) in placed


def test_the_worker_knows_only_the_wire() -> None:
    """The untrusted side imports the standard library, three packages, and the shared leaves."""
    for path in (PACKAGE / "worker").glob("*.py"):
        ours = {name for name in imports(path) if name.split(".")[0] == "grader"}
        others = {name.split(".")[0] for name in imports(path)} - {"grader"}

        assert {name.split(".")[1] for name in ours} <= {"worker", *SHARED}, path
        assert others <= WORKER_MAY | set(sys.stdlib_module_names), path


def test_what_the_worker_sees_imports_nothing_else() -> None:
    """The shared leaves lie in the sandbox too, without the rest of the package."""
    seen = {name.removesuffix(".py") for name in WORKER_PARTS}

    assert seen == SHARED | {"__init__", "worker"}
    assert [n for n in seen - {"worker"} if parts_imported(PACKAGE / f"{n}.py")] == []


def test_nothing_outside_the_worker_imports_it() -> None:
    """No trusted process runs the worker's code."""
    users = [path for path in MODULES if "worker" in parts_imported(path)]

    assert {part(path) for path in users} == {"worker"}


def test_the_command_line_is_light() -> None:
    """``grade --help`` loads neither torch nor pytest nor the engine."""
    program = "import sys, grader.cli; print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert [name for name in HEAVY if name in done.stdout.split()] == []
