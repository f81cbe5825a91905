"""YAML to typed structs, with errors that say file, line, what is wrong and what to write instead.

PyYAML composes the document, which keeps the line of every key and value; msgspec checks the types.
Two things PyYAML lets pass are refused here: a key given twice, and a value that only YAML 1.1
takes for something else (``no``).
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from grader.errors import CourseError
from grader.text import Text, say

__all__ = ["LOADER", "Lines", "line_of", "load_struct", "parse_struct"]

Struct = TypeVar("Struct", bound=msgspec.Struct)
Lines = dict[tuple[str | int, ...], int]
LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader  # C is ten times as fast

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]*)`")
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]*)`")
_TYPE = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`")
_PATH = re.compile(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]")


def load_struct(path: Path, kind: type[Struct]) -> tuple[Struct, Lines]:
    """Read the YAML file ``path`` as a ``kind``.

    Returns:
        The struct, and the 1-based line of every key path in the file for errors found later.

    Raises:
        CourseError: the file is missing, not UTF-8, not YAML, or not what ``kind`` describes.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise CourseError(path, None, say("This file is missing."), None) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise CourseError(
            path, line, say("This line is not UTF-8 text."), say("Save the file as UTF-8.")
        ) from None
    return parse_struct(text, path, kind)


def parse_struct(
    text: str, path: Path, kind: type[Struct], first_line: int = 1
) -> tuple[Struct, Lines]:
    """Read YAML ``text`` that stands in ``path`` from ``first_line`` on as a ``kind``."""
    lines: Lines = {(): first_line}
    data: Any = None
    try:
        loader = LOADER(text)
        root = loader.get_single_node()
        if root is not None:
            _Walker(path, first_line, lines).walk(root)
            data = loader.construct_document(root)
    # A tag, a date that does not exist, a structure that holds itself: found while building.
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise _not_yaml(path, error, first_line) from None
    if not isinstance(data, dict):
        raise CourseError(path, first_line, say("Expected fields of the form `name: value` here."))
    try:
        return msgspec.convert(data, kind), lines
    except msgspec.ValidationError as error:
        raise _mismatch(path, str(error), kind, data, lines) from None


class _Walker:
    """Notes the line of every key and item; refuses a key that stands twice, and aliases.

    A few aliases of aliases stand for more data than any machine holds.
    """

    def __init__(self, path: Path, first: int, lines: Lines) -> None:
        self.path, self.first, self.lines = path, first, lines
        self._seen: set[int] = set()

    def walk(self, node: yaml.Node, at: tuple[str | int, ...] = ()) -> None:
        line = node.start_mark.line + self.first
        if isinstance(node, yaml.CollectionNode):
            if id(node) in self._seen:
                raise CourseError(
                    self.path, line, say("Aliases (`*name`) are not read here."),
                    say("Write the value out where it is used."),
                )  # fmt: skip
            self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                self._note_key(key, at)
                self.walk(value, (*at, str(key.value)))
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                here = (*at, index)
                self.lines[here] = item.start_mark.line + self.first
                self.walk(item, here)

    def _note_key(self, key: yaml.Node, at: tuple[str | int, ...]) -> None:
        name, line = str(key.value), key.start_mark.line + self.first
        here = (*at, name)
        if here in self.lines:
            raise CourseError(
                self.path, line,
                say("The key `{key}` stands here a second time; the first is on line {first}.",
                    key=name, first=self.lines[here]),
                say("Keep one of the two."),
            )  # fmt: skip
        self.lines[here] = line


def _not_yaml(path: Path, error: Exception, first: int) -> CourseError:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + first if mark is not None else first
    problem = getattr(error, "problem", None) or str(error)
    opened = getattr(error, "context_mark", None)
    if "unexpected end" in problem and opened is not None:  # what is wrong stands where it began
        line = opened.line + first
        problem = say("a quotation mark that opens here is never closed")
    elif ("',' or ']'" in problem or "',' or '}'" in problem) and opened is not None:
        line = opened.line + first
        problem = say("a bracket that opens here is never closed, or a comma is missing in it")
    return CourseError(
        path, line, say("This is not valid YAML: {problem}.", problem=problem),
        say("Check the indentation and the space behind each colon; quote texts with `: ` or `#`."),
    )  # fmt: skip


def _mismatch(
    path: Path, message: str, kind: type[msgspec.Struct], data: dict[str, Any], lines: Lines
) -> CourseError:
    where = message.partition(" - at `")[2].rstrip("`")
    at: tuple[str | int, ...] = tuple(
        int(index) if index.isdigit() else name
        for name, index in _PATH.findall(where.removeprefix("$"))
    )
    if (found := _UNKNOWN.search(message)) is not None:
        return _unknown_field(path, (*at, found["field"]), kind, data, lines)
    line = line_of(at, lines)
    if (found := _MISSING.search(message)) is not None:
        what = say(
            "The field `{field}` is missing here.", field=".".join(map(str, (*at, found["field"])))
        )
        return CourseError(path, line, what, say("Add it."))
    field = ".".join(map(str, at)) or "?"
    if (found := _TYPE.search(message)) is not None:
        what = say(
            "`{field}` has the wrong type: {got} instead of {wanted}.",
            field=field, got=found["got"], wanted=found["wanted"],
        )  # fmt: skip
        return CourseError(path, line, what, _type_hint(found["wanted"], found["got"]))
    if "RFC3339" in message:
        return CourseError(
            path, line, say("`{field}` is no time.", field=field),
            say("Write it with an offset, as 2026-12-01T23:59:00+08:00."),
        )  # fmt: skip
    return CourseError(
        path, line, say("`{field}`: {problem}.", field=field, problem=message.partition(" - at")[0])
    )


def _type_hint(wanted: str, got: str) -> Text | None:
    if wanted == "str" and got in {"bool", "int", "float"}:
        return say("Put the value in quotes; YAML takes it for a number or a truth value.")
    return None


def _unknown_field(
    path: Path,
    at: tuple[str | int, ...],
    kind: type[msgspec.Struct],
    data: dict[str, Any],
    lines: Lines,
) -> CourseError:
    name = str(at[-1])
    allowed = _fields_at(kind, data, at[:-1])
    near = difflib.get_close_matches(name, allowed, n=1)
    hint = (
        say("Did you mean `{near}`?", near=near[0])
        if near
        else say("Fields allowed here: {allowed}.", allowed=", ".join(allowed))
    )
    return CourseError(
        path, line_of(at, lines), say("There is no field `{field}` here.", field=name), hint
    )


def _fields_at(kind: Any, data: Any, at: tuple[str | int, ...]) -> list[str]:
    """Return the field names of the struct that stands at ``at`` inside ``kind``.

    ``data`` is what the file holds: a struct of several kinds is told by the word in its tag.
    """
    found = msgspec.inspect.type_info(kind)
    for step in at:
        data = _inside(data, step)
        if isinstance(found, msgspec.inspect.StructType):
            found = next((field.type for field in found.fields if field.encode_name == step), found)
        elif isinstance(found, msgspec.inspect.ListType):
            found = found.item_type
        elif isinstance(found, msgspec.inspect.DictType):
            found = found.value_type
        if isinstance(found, msgspec.inspect.UnionType):
            found = _member(found, data)
    if isinstance(found, msgspec.inspect.StructType):
        return [field.encode_name for field in found.fields]
    return []


def _inside(data: Any, step: str | int) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):  # msgspec names a mapping's value without its key
        return None


def _member(union: msgspec.inspect.UnionType, data: Any) -> msgspec.inspect.Type:
    structs = [t for t in union.types if isinstance(t, msgspec.inspect.StructType)]
    tagged = [
        t for t in structs if t.tag_field and isinstance(data, dict)
        and data.get(t.tag_field) == t.tag
    ]  # fmt: skip
    return next(iter([*tagged, *structs]), union)


def line_of(at: tuple[str | int, ...], lines: Lines) -> int:
    """Return the line of ``at`` or of the nearest thing around it."""
    while at and at not in lines:
        at = at[:-1]
    return lines.get(at, 1)
