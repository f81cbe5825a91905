"""Keys, computed: from a formula, by a function on the references, or by running the item's code.

Everything run here is the course's own. A key function is ordinary Python in
``solutions/quizzes/<quiz>.py``; it reaches the exercises' references through :func:`reference`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.errors import CourseError
from grader.quiz.formula import Unreadable, evaluate
from grader.quiz.model import (
    Code,
    Item,
    Key,
    Match,
    Multiple,
    Numeric,
    Order,
    Parameter,
    Quiz,
    Shape,
    Single,
    TextItem,
)
from grader.quiz.variants import fill
from grader.text import Text, say

__all__ = ["KEY_FOLDER", "KeyRing", "marked_key", "reference"]

KEY_FOLDER = Path("solutions", "quizzes")
_roots: list[Path] = []  # the course whose key function runs at the moment, last


def reference(exercise: str) -> ModuleType:
    """Return the reference of an exercise, for key functions.

    Args:
        exercise: the name of its folder, such as ``02_sinusoidal_table``.

    Raises:
        LookupError: no key is being computed, or there is no such exercise.
    """
    if not _roots:
        raise LookupError("reference() is for key functions")
    path = _roots[-1] / "solutions" / exercise / f"{exercise.partition('_')[2]}.py"
    if not path.is_file():
        raise LookupError(f"no reference of an exercise called {exercise!r}")
    return _load(path, _roots[-1] / "exercises" / exercise)


def marked_key(item: Item) -> Any:
    """Return what the marks in the file say, or None for a type whose key is only computed."""
    if isinstance(item, Single) or (isinstance(item, Code) and item.options):
        return next((option.id for option in item.options if option.correct), None)
    if isinstance(item, Multiple):
        return [option.id for option in item.options if option.correct]
    if isinstance(item, Order):
        return [step.id for step in item.steps]
    if isinstance(item, Match):
        return {left.id: left.answer for left in item.left}
    return None


class KeyRing:
    """Computes the keys of one course and remembers them.

    Args:
        root: the course's folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._found: dict[tuple[str, ...], Any] = {}

    def key(self, quiz: Quiz, item: Item, parameters: Mapping[str, Parameter]) -> Any:
        """Return the key by which ``item`` is marked.

        Marks in the file are used where the type has them (``grade check`` has proved them right);
        other keys are computed.

        Raises:
            CourseError: it cannot be computed.
        """
        marked = marked_key(item)
        return self.computed(quiz, item, parameters) if marked is None else marked

    def computed(self, quiz: Quiz, item: Item, parameters: Mapping[str, Parameter]) -> Any:
        """Return the key as code computes it, in the form of an answer to the item.

        Raises:
            CourseError: the item has no key, or computing it fails.
        """
        if isinstance(item, TextItem):
            return None
        if isinstance(item, Code) and item.key is None:
            output = self._printed(quiz, item, parameters)
            if not item.options:
                return output
            shown = {fill(o.prints or "", parameters): o.id for o in item.options}
            return shown.get(output)
        if item.key is None:
            raise _bad(quiz, item, say("The item has no key."))
        return self.value(quiz, item, item.key, parameters)

    def value(self, quiz: Quiz, item: Item, key: Key, parameters: Mapping[str, Parameter]) -> Any:
        """Return what ``key`` says, in the form of an answer to the item.

        Raises:
            CourseError: computing it fails.
        """
        named = tuple(f"{name}={value!r}" for name, value in sorted(parameters.items()))
        place = (quiz.id, item.id, repr(key), *named)
        if place not in self._found:
            self._found[place] = _in_form(item, self._raw(quiz, item, key, parameters))
        return self._found[place]

    def _raw(self, quiz: Quiz, item: Item, key: Key, parameters: Mapping[str, Parameter]) -> Any:
        if key.expr is not None:
            return self._from_formulas(quiz, item, key.expr, parameters)
        if key.call is None:
            return marked_key(item)
        try:
            with self._in_course():
                module = _load(self.root / KEY_FOLDER / f"{quiz.id}.py", None)
                return getattr(module, key.call)(**{**key.args, **parameters})
        except Exception as error:  # noqa: BLE001 - the author's code; told with its place
            raise _bad(
                quiz, item,
                say("The key function {name} failed: {error}", name=key.call,
                    error=f"{type(error).__name__}: {error}"),
            ) from None  # fmt: skip

    def _from_formulas(
        self, quiz: Quiz, item: Item, formulas: str | list[str], parameters: Mapping[str, Parameter]
    ) -> Any:
        values = {name: float(v) for name, v in parameters.items() if not isinstance(v, str)}
        texts = [
            fill(text, parameters)
            for text in ([formulas] if isinstance(formulas, str) else formulas)
        ]
        if not isinstance(item, Numeric):
            return texts[0] if isinstance(formulas, str) else texts
        try:
            return [evaluate(text, values) for text in texts]
        except Unreadable as error:
            raise _bad(quiz, item, error.what) from None

    def _printed(self, quiz: Quiz, item: Code, parameters: Mapping[str, Parameter]) -> str:
        code = fill(item.code or "", parameters)
        place = (quiz.id, item.id, code)
        if place not in self._found:
            try:
                with self._in_course():
                    self._found[place] = run_code(code, item.uses)
            except Exception as error:  # noqa: BLE001 - a reference that it uses is broken or absent
                raise _bad(
                    quiz, item,
                    say("The code cannot be run: {error}",
                        error=f"{type(error).__name__}: {error}"),
                ) from None  # fmt: skip
        return str(self._found[place])

    @contextlib.contextmanager
    def _in_course(self) -> Iterator[None]:
        _roots.append(self.root)
        try:
            yield
        finally:
            _roots.pop()


def run_code(code: str, uses: list[str]) -> str:
    """Run an author's code and return what it prints, without the last line break.

    An exception that ends it is its last line: ``ValueError: message``.

    Args:
        code: the program.
        uses: exercises whose references' names it may use.

    Raises:
        LookupError: there is no such exercise.
        Exception: whatever importing a reference raises.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    for exercise in uses:
        module = reference(exercise)
        names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "<quiz>", "exec"), names)  # noqa: S102 - the course's own code
        except Exception as error:  # noqa: BLE001 - what it ends in is part of the answer
            print(f"{type(error).__name__}: {error}", file=printed)
    return printed.getvalue().rstrip("\n")


def _in_form(item: Item, value: Any) -> Any:
    """Bring a computed key into the form of an answer."""
    if isinstance(item, Multiple):
        ids = [option.id for option in item.options]
        # What is no option stays in, behind: it must not agree with the marks.
        return [id_ for id_ in ids if id_ in value] + sorted(set(value) - set(ids))
    if isinstance(item, Single | Order | Match):
        return value
    several = isinstance(value, list | tuple)
    if isinstance(item, Numeric):
        return [float(part) for part in value] if several else [float(value)]
    if isinstance(item, Code):
        return str(value)
    if isinstance(item, Shape):
        shapes = value if several and value and isinstance(value[0], list | tuple) else [value]
        return [tuple(shape) for shape in shapes]
    return [str(part) for part in value] if several else [str(value)]


def _load(path: Path, beside: Path | None) -> ModuleType:
    """Import a file of the course under a name of its own; ``given`` is found in ``beside``."""
    name = f"_quiz_{path.parent.name}_{path.stem}_{abs(hash(path))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    given = sys.modules.pop("given", None)
    if beside is not None:
        sys.path.insert(0, str(beside))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        if beside is not None:
            sys.path.remove(str(beside))
        sys.modules.pop("given", None)
        if given is not None:
            sys.modules["given"] = given
    return module


def _bad(quiz: Quiz, item: Item, what: Text) -> CourseError:
    return CourseError(quiz.path, quiz.line(item), say("Item {id}: {what}", id=item.id, what=what))
