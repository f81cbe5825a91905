"""What must stand in nothing that leaves a class's folder, and whether it does.

Inputs and expected values are read from hidden tests as text, not from the engine: strings, and
lists of numbers in whatever way they are printed. What public files show as well is no secret.
"""

from __future__ import annotations

import ast
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["numbers_in", "others", "paths", "secrets_of", "squeezed", "told"]

SHORTEST = 3  # characters of a string, or digits of a number, that say anything
LIST = re.compile(r"[\[(]([^\[\]()]*)[\])]")
NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
PLACE = re.compile(r"(?:下标|\bindex) \[[\d, ]*\]")  # where a value stands is not what it is
Numbers = tuple[float, ...]


def squeezed(text: str) -> str:
    """Return a text without blanks, in one kind of quotes."""
    return "".join(text.split()).replace('"', "'")


def numbers_in(text: str) -> set[Numbers]:
    """Return every list of two or more numbers that stands in a text."""
    found = set()
    for inner in LIST.findall(text):
        parts = [part.strip() for part in inner.split(",") if part.strip()]
        if len(parts) > 1 and all(NUMBER.fullmatch(part) for part in parts):
            found.add(tuple(float(part) for part in parts))
    return found


def secrets_of(root: Path) -> tuple[set[str], set[Numbers]]:
    """Return the strings and the lists of numbers that only the hidden tests of a course hold."""
    public = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (root / "exercises").rglob("*")
        if path.suffix in (".py", ".md", ".yaml")
    )
    public += "\n".join(_aspects(root))
    words: set[str] = set()
    numbers: set[Numbers] = set()
    for path in (root / "solutions").glob("*/test_hidden.py"):
        for node in _inside(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                words |= _word(node.value)
            elif isinstance(node, ast.List | ast.Tuple):
                numbers |= numbers_in(ast.unparse(node))
    open_ = squeezed(public)
    return {w for w in words if w not in open_}, numbers - numbers_in(public)


def _aspects(root: Path) -> Iterator[str]:
    """Yield what the probes say of their own inputs; that is written for students."""
    for path in (root / "solutions").glob("*/probe.py"):
        for function in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                yield from (ast.unparse(decorator) for decorator in function.decorator_list)


def _inside(module: ast.Module) -> Iterator[ast.AST]:
    """Yield what stands in the bodies of functions, docstrings aside: titles above are public."""
    for function in module.body:
        if isinstance(function, ast.FunctionDef):
            own = function.body[1:] if ast.get_docstring(function) else function.body
            for statement in own:
                yield from ast.walk(statement)


def _word(value: object) -> set[str]:
    if isinstance(value, str) and len(squeezed(value)) >= SHORTEST:
        return {squeezed(value)}
    if isinstance(value, float) and len(repr(value).strip("0.")) >= SHORTEST:
        return {repr(value)}
    return set()


def paths(*folders: Path) -> set[str]:
    """Return paths of this machine that nobody else needs to know."""
    known = {*map(str, folders), *(str(folder.resolve()) for folder in folders)}
    known |= {f"{tempfile.gettempdir()}/", sys.prefix, sys.base_prefix, str(Path.home())}
    known |= {sysconfig.get_path("purelib"), str(Path(__file__).parents[1])}
    return {path for path in known if len(path) > len("/usr")}


def others(names: Iterable[str], own: str) -> set[str]:
    """Return the names and ids of everybody else."""
    return {name for name in names if name != own and name not in own}


def told(text: str, words: Iterable[str], numbers: set[Numbers], plain: Iterable[str]) -> set[str]:
    """Return which secrets stand in a text.

    Args:
        text: without markup.
        words: searched for without blanks.
        numbers: lists, however they are printed.
        plain: paths and names, searched for as they are.
    """
    text = PLACE.sub("", text)
    tight = squeezed(text)
    found = {word for word in words if word in tight}
    found |= {str(list(held)) for held in numbers & numbers_in(text)}
    return found | {one for one in plain if one in text}
