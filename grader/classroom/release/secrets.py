"""What must not be handed out, as fingerprints: lines of the solutions, and what tells answers.

A fingerprint is a text without its spaces, so that neither indentation nor a line broken elsewhere
hides it. Lines that any program might hold, and those that an exercise shows to students, are none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from grader.classroom.release.packing import Files
from grader.classroom.release.reading import compact
from grader.course.yaml_source import line_of, load_struct
from grader.quiz import Quiz
from grader.quiz.model import QuizFile
from grader.quiz.seal import SECRET_FIELDS
from grader.released import RECORD
from grader.text import Text, say

__all__ = ["SHORTEST", "Secret", "quiz_secrets", "solution_secrets"]

SHORTEST = 20  # bytes without spaces; what is shorter may stand anywhere by chance
SHORTER = 8  # bytes of a line that counts together with the one before it
NAMES = {"uses", "tags", "misconception", "call"}  # fields that hold names, which tell no answer
KINDS = {
    "solution": say("a line of a solution"), "test": say("a hidden test"),
    "mistake": say("a known mistake"), "probe": say("a probe for mistakes"),
    "key": say("how a quiz key is computed"), "quiz": say("what tells an answer of a quiz"),
}  # fmt: skip
# Lines without spaces that say nothing of a solution.
ORDINARY = re.compile(
    r"""import\w.*|from[\w.]+import.*|[#"'=\-*~. ]*|
    (el)?if(not)?isinstance\([\w.]+,[\w.()|,]+\)(:|else.*)|except[\w.(),]*:?|except.*as\w+:|
    class\w+(\([\w.,]*\))?:|def__\w+__\(self\)->\w+:|def\w+\(self\)->\w+:|
    (objectives|lesson|kind|seen_in):.*|@pytest\.mark\.\w+\(?|@pytest\.fixture.*|
    (assert|def)_?\w+,|objectives=\[.*\],?|returnNotImplemented|raiseNotImplementedError.*|
    if__name__==.*|super\(\)\.__init__\(.*\)|generator=torch\.Generator\(\)(\.manual_seed\(\w+\))?
    """,
    re.VERBOSE,
)


class Secret(msgspec.Struct, frozen=True):
    """A text that must not be handed out.

    Attributes:
        text: in UTF-8 without spaces.
        what: its kind, in words.
        origin: ``file:line`` in the course where it stands.
    """

    text: bytes
    what: Text
    origin: str


def solution_secrets(root: Path, public: Files) -> Iterator[Secret]:
    """Yield the lines below ``solutions/`` that no code of ``public`` shows.

    Args:
        root: the course's folder.
        public: the exercises' files as they are handed out. What their authors put there is meant
            to be seen; texts count for nothing here, since code can be pasted into them by mistake.
    """
    shown = b"\n".join(
        compact(data.decode("utf-8", "replace"))[0]
        for path, data in public.items() if path.endswith(".py")
    )  # fmt: skip
    for path in sorted((root / "solutions").rglob("*")):
        if path == root / RECORD:  # tells no answer, and the engine knows its head
            continue
        if path.suffix in {".py", ".yaml"} and "__pycache__" not in path.parts:
            yield from _of_file(path, root, shown)


def _of_file(path: Path, root: Path, shown: bytes) -> Iterator[Secret]:
    kind = _kind(path)
    what = KINDS[kind]
    place = path.relative_to(root).as_posix()
    source = path.read_text(encoding="utf-8")
    before = b""
    for number, line in enumerate(source.split("\n"), 1):
        text = compact(line)[0]
        if len(text) >= SHORTER and not ORDINARY.fullmatch(text.decode("utf-8", "replace")):
            whole = text
            if kind == "solution" and len(text) < SHORTEST:
                whole = before + text  # as in `..."""` and, on the next line, `return x + x`
            if len(whole) >= SHORTEST and whole not in shown:
                yield Secret(whole, what, f"{place}:{number}")
        before = text or before
    if path.name == "test_hidden.py":
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.FunctionDef):
                continue
            name = node.name.encode()
            if name.startswith(b"test_") and len(name) >= SHORTEST and name not in shown:
                yield Secret(name, what, f"{place}:{node.lineno}")


def _kind(path: Path) -> str:
    if path.parent.name == "quizzes":
        return "key"
    if path.parent.name == "mistakes" or path.name == "equivalent.yaml":
        return "mistake"
    return {"test_hidden.py": "test", "probe.py": "probe"}.get(path.name, "solution")


def quiz_secrets(quizzes: Iterable[Quiz], root: Path) -> Iterator[Secret]:
    """Yield every string in a secret field of a quiz that stands in none of its open fields."""
    for quiz in quizzes:
        _, lines = load_struct(quiz.path, QuizFile)
        data = msgspec.to_builtins(quiz.file)
        place = quiz.path.relative_to(root).as_posix()
        found = list(_strings(data, (), secret=False))
        shown = b"\n".join(compact(text)[0] for _, text, secret in found if not secret)
        for where, text, secret in found:
            printed = compact(text)[0]
            if secret and len(printed) >= SHORTEST and printed not in shown:
                yield Secret(printed, KINDS["quiz"], f"{place}:{line_of(where, lines)}")


def _strings(
    data: Any, where: tuple[str | int, ...], *, secret: bool
) -> Iterator[tuple[tuple[str | int, ...], str, bool]]:
    if isinstance(data, str):
        yield where, data, secret
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in NAMES:
                yield from _strings(value, (*where, key), secret=secret or key in SECRET_FIELDS)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _strings(value, (*where, index), secret=secret)
