"""Cheap answers that must not pass: the reference's own calls, with what comes out replaced.

A baseline has the right type, shape and errors, since the reference really runs, and nothing right
inside. So a check that a baseline passes looks at the outside only; no *core* check may.
"""

from __future__ import annotations

import ast

__all__ = ["KINDS", "baseline_source"]

KINDS = ("zeros", "ones", "nan", "random", "echo", "none")

POSTLUDE = """

# --- baseline: {kind} ---
import functools as _functools
import random as _random
import torch as _torch


def _number(value):
    if {kind!r} == "nan":
        return float("nan") if isinstance(value, float) else -1
    return type(value)({{"zeros": 0, "ones": 1}}.get({kind!r}, _random.uniform(100, 1000)))


def _filled(value):
    if isinstance(value, _torch.Tensor):
        floating = value.dtype.is_floating_point
        if {kind!r} == "nan" and floating:
            return _torch.full_like(value, float("nan"))
        if {kind!r} == "random" and floating:
            return _torch.rand_like(value)
        return _torch.full_like(value, int(_number(1)))
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return ""
    if isinstance(value, (tuple, list)):
        return type(value)(map(_filled, value))
    return value


def _echo(arguments):
    tensors = [a for a in arguments if isinstance(a, _torch.Tensor)]
    return (tensors or list(arguments) or [None])[0]


def _baseline(function, skip):
    @_functools.wraps(function)
    def wrapped(*args, **kwargs):
        value = function(*args, **kwargs)
        if {kind!r} == "none":
            return None
        if {kind!r} == "echo":
            return _echo([*args[skip:], *kwargs.values()])
        return _filled(value)

    return wrapped
"""


def baseline_source(reference: str, names: frozenset[str], kind: str) -> str:
    """Return the reference with every function in ``names`` made to return something worthless.

    Args:
        reference: source of the right answer.
        names: the top-level definitions that the task asks for; of a class, ``forward`` counts.
        kind: one of ``KINDS``.
    """
    lines = [reference, POSTLUDE.format(kind=kind)]
    for node in ast.parse(reference).body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            lines.append(f"{node.name} = _baseline({node.name}, 0)")
        elif isinstance(node, ast.ClassDef) and node.name in names:
            methods = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
            if "forward" in methods:
                lines.append(f"{node.name}.forward = _baseline({node.name}.forward, 1)")
    return "\n".join(lines) + "\n"
