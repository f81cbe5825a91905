"""What an exercise's stub tells about the task: the names to write and their parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from grader.course import Exercise
from grader.outline import outline

__all__ = ["StubFacts", "stub_facts"]


@dataclass(frozen=True)
class StubFacts:
    """Facts read from the stub and, where it is here, the reference.

    Attributes:
        fingerprints: name -> fingerprint of every top-level definition of the stub.
        to_do: the names whose definition in the reference is another one; all of the stub's without
            a reference.
        signatures: ``f``, ``Class`` (its ``__init__``) and ``Class.method`` -> signature as text.
    """

    fingerprints: dict[str, str]
    to_do: frozenset[str]
    signatures: dict[str, str]
    _parameters: dict[str, list[str]]

    def parameters(self, name: str) -> list[str]:
        """Return the parameter names of ``name`` without ``self``; empty if it is not there."""
        return self._parameters.get(name, [])

    def untouched(self, touched: set[str], found: dict[str, str]) -> bool:
        """Whether everything to do among ``touched`` stands in ``found`` as the stub has it."""
        wanted = touched & self.to_do
        return bool(wanted) and all(
            found.get(name) == self.fingerprints.get(name) for name in wanted
        )


def stub_facts(exercise: Exercise) -> StubFacts:
    """Read the stub of ``exercise``."""
    source = exercise.stub.read_text(encoding="utf-8")
    fingerprints = outline(source)
    to_do = frozenset(fingerprints)
    if exercise.reference.is_file():
        reference = outline(exercise.reference.read_text(encoding="utf-8"))
        to_do = frozenset(
            name for name in fingerprints if reference.get(name) != fingerprints[name]
        )
    signatures: dict[str, str] = {}
    parameters: dict[str, list[str]] = {}
    for name, function, is_method in _functions(ast.parse(source)):
        arguments = function.args
        named = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args)][is_method:]
        parameters[name] = named
        signatures[name] = _signature(function, is_method)
    return StubFacts(fingerprints, to_do, signatures, parameters)


def _functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef, bool]]:
    found: list[tuple[str, ast.FunctionDef, bool]] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append((node.name, node, False))
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    name = node.name if inner.name == "__init__" else f"{node.name}.{inner.name}"
                    found.append((name, inner, True))
    return found


def _signature(function: ast.FunctionDef, is_method: bool) -> str:
    text = ast.unparse(function.args)
    return f"({text.partition(', ')[2] if is_method else text})"
