"""What a source file defines at its top level, with fingerprints of the code alone.

A leaf like ``wire``: the worker outlines a submission before any of its lines run, the course
outlines the stub and the reference. Two definitions with one fingerprint are the same code.
"""

from __future__ import annotations

import ast
import hashlib

__all__ = ["TODO_MARK", "outline"]

TODO_MARK = "TODO"  # how the message of a stub's NotImplementedError begins


def outline(source: str) -> dict[str, str]:
    """Return name -> fingerprint of every class, function and assigned name at the top level.

    Raises:
        SyntaxError: ``source`` is not Python.
    """
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = _fingerprint(node)
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found |= dict.fromkeys(names, _fingerprint(node) if names else "")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = _fingerprint(node)
    return found


def _fingerprint(node: ast.AST) -> str:
    for inner in ast.walk(node):
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _drop_docstring(inner)
    return hashlib.sha256(ast.dump(node).encode()).hexdigest()


def _drop_docstring(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]
