"""What the taken cells of a notebook need of the others, and in which order it has to run."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from grader.intake.defined import parsed

__all__ = ["Offer", "defined_by", "in_order", "needed_of", "span"]

EVERYTHING = "*"  # the name that ``from module import *`` defines


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...
    @property
    def source(self) -> str: ...


class Offer(msgspec.Struct, frozen=True):
    """A statement of a cell that is not taken as a whole; sorts as it stands in the notebook."""

    place: tuple[int, int]  # cell, statement
    node: ast.stmt
    source: str


def needed_of(cells: Sequence[_Numbered], own: list[str]) -> list[Offer]:
    """Return the imports and definitions in ``cells`` that ``own`` needs, in their order."""
    offered: dict[str, list[Offer]] = {}
    for cell in cells:
        for j, node in enumerate(_body(cell.source)):
            first, last = span(node)
            text = "\n".join(cell.source.split("\n")[first - 1 : last])
            for name in defined_by(node):
                offered.setdefault(name, []).append(Offer((cell.number, j), node, text))
    statements = [node for text in own for node in _body(text)]
    known = {name for node in statements for name in defined_by(node)}
    left = {EVERYTHING}.union(*map(_read, statements)) - known
    wanted: dict[tuple[int, int], Offer] = {}
    while left:
        name = left.pop()
        known.add(name)
        for offer in _in_force(offered.get(name, [])):
            wanted[offer.place] = offer
            left |= _read(offer.node) - known
    return [wanted[place] for place in sorted(wanted)]


def in_order(own: list[tuple[int, str]], used: list[Offer]) -> str:
    """Return one source: what ``own`` is built on, then ``own`` and what is built on it.

    People run cells in any order, so imports and constants may stand below what needs them; what
    uses the answer itself (``model = Encoder(8)``) can only run where it stands.

    Args:
        own: number and source of the cells that are taken.
        used: statements of other cells, in their order.
    """
    made = {name for _, text in own for node in _body(text) for name in defined_by(node)}
    later: dict[tuple[int, int], str] = {}
    while found := [o for o in used if o.place not in later and _read(o.node) & made]:
        later |= {offer.place: offer.source for offer in found}
        made = made.union(*(defined_by(offer.node) for offer in found))
    first = "\n".join(offer.source for offer in used if offer.place not in later)
    later |= {(number, -1): text.strip("\n") for number, text in own}
    rest = [later[place] for place in sorted(later)]
    return "\n\n".join([*([first] if first else []), *rest]) + "\n"


def _in_force(offers: list[Offer]) -> list[Offer]:
    """Return what gives a name its meaning after a run from the top: the last, but all imports.

    ``import torch`` and ``import torch.nn.functional`` both define ``torch``, and both are needed.
    """
    imports = [offer for offer in offers if isinstance(offer.node, ast.Import | ast.ImportFrom)]
    return offers[-1:] if offers and offers[-1] not in imports else imports


def _body(source: str) -> list[ast.stmt]:
    tree = parsed(source)
    return tree.body if tree is not None else []


def defined_by(node: ast.stmt) -> set[str]:
    """Return the names a top-level statement gives a meaning to."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {
            inner.id
            for target in targets
            for inner in ast.walk(target)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        }
    return set()


def _read(node: ast.stmt) -> set[str]:
    """Return the names a statement takes from its module, now or when what it defines is called.

    A function's own parameters and variables are none of them, whatever other cells call ``x``.
    """
    try:
        return set(_of_module(symtable.symtable(ast.unparse(node), "<cell>", "exec")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {
            inner.id
            for inner in ast.walk(node)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
        }


def _of_module(table: symtable.SymbolTable) -> Iterator[str]:
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _of_module(inner)


def span(node: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return first, node.end_lineno or node.lineno
