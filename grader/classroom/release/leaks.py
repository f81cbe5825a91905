"""The proof that a bundle for students holds nothing of the solutions.

What it cannot see: an answer in other words, in an encrypted archive (which is refused), or in the
pixels of a picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import msgspec

from grader.classroom.release.answers import RightAnswers
from grader.classroom.release.bundles import public_files
from grader.classroom.release.packing import packed
from grader.classroom.release.reading import Passage, Unread, compact, line_at, read_all
from grader.classroom.release.secrets import SHORTEST, Secret, quiz_secrets, solution_secrets
from grader.course import load_course, quiz_names
from grader.errors import UsageError, reason
from grader.quiz import load_quizzes
from grader.text import Text, say

__all__ = ["Leak", "LeakScan", "bundle_bytes"]

PRIVATE_NAMES = {"solutions", "mistakes", "accepted", "test_hidden.py", "probe.py", "answers"}


class Leak(msgspec.Struct, frozen=True, order=True):
    """Something in a bundle that students must not get.

    Attributes:
        file: where; ``a.zip!b.whl!c.py`` lies in archives.
        line: from 1.
        what: what leaked, in words.
        origin: where that stands in the course; empty where it is a whole file.
        field: of a parsed file, such as ``cells[2].metadata.key``.
    """

    file: str
    line: int
    what: Text = msgspec.field()
    origin: str = ""
    field: str = ""


class LeakScan:
    """Searches bundles of one course.

    Args:
        root: the course's folder, with its solutions.

    Raises:
        UsageError: there are no solutions to compare with.
    """

    def __init__(self, root: Path) -> None:
        course = load_course(root)
        if not (root / "solutions").is_dir():
            raise UsageError(
                say("This copy of the course holds no solutions to compare with."),
                say("Search from the copy that holds solutions/."),
            )
        quizzes = load_quizzes(course, quiz_names(root))
        sealed = [quiz.id for quiz in quizzes if quiz.file.sealed]
        if sealed:
            raise UsageError(say("The quiz {quiz} is sealed here; its keys are elsewhere.",
                                 quiz=sealed[0]))  # fmt: skip
        self._index = _indexed(
            [*solution_secrets(root, public_files(course)), *quiz_secrets(quizzes, root)]
        )
        self._answers = RightAnswers(quizzes, root)

    @property
    def fingerprints(self) -> int:
        """How many texts are looked for."""
        return sum(map(len, self._index.values()))

    def search(self, file: str, data: bytes) -> list[Leak]:
        """Return everything in ``data`` that students must not get, each place once."""
        found: dict[tuple[str, int, str], Leak] = {}
        for leak in self._search(file, data):
            found.setdefault((leak.file, leak.line, leak.what.en), leak)
        return sorted(found.values(), key=lambda leak: (leak.file, leak.line, leak.what.en))

    def _search(self, file: str, data: bytes) -> Iterator[Leak]:
        for passage in read_all(file, data):
            if isinstance(passage, Unread):
                yield Leak(passage.file, 1, passage.why)
                continue
            if passage.text == passage.file:  # the name itself
                yield from _private_name(passage.file)
            yield from self._lines(passage)
            yield from self._keys(passage)

    def _lines(self, passage: Passage) -> Iterator[Leak]:
        """Yield the fingerprints in one text."""
        text, starts = compact(passage.text)
        for at in range(len(text) - SHORTEST + 1):
            for secret in self._index.get(text[at : at + SHORTEST], ()):
                if text.startswith(secret.text, at):
                    line = passage.line + line_at(starts, at) - 1
                    yield Leak(passage.file, line, secret.what, secret.origin, passage.field)

    def _keys(self, passage: Passage) -> Iterator[Leak]:
        """Yield the quiz items whose right answer one text tells."""
        found = [*self._answers.in_text(passage.text), *self._answers.in_data(passage.data)]
        for item, number in found:
            line = passage.line + number - 1 if number else _line_of(item, passage)
            what = say("the answer to the quiz item {item}", item=item)
            yield Leak(passage.file, line, what, field=passage.field)


def bundle_bytes(path: Path) -> bytes:
    """Return a bundle, zip or folder, as one archive.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        if not path.is_dir():
            return path.read_bytes()
        files = (file for file in sorted(path.rglob("*")) if file.is_file())
        inside = {file.relative_to(path).as_posix(): file for file in files}
        return packed({name: file.read_bytes() for name, file in inside.items()})
    except OSError as error:
        raise UsageError(
            say("{file} cannot be read: {error}.", file=path, error=reason(error))
        ) from None


def _indexed(secrets: Iterable[Secret]) -> dict[bytes, list[Secret]]:
    """Return secrets by how they begin, each text once."""
    index: dict[bytes, list[Secret]] = defaultdict(list)
    known: set[bytes] = set()
    for secret in secrets:
        if secret.text not in known:
            known.add(secret.text)
            index[secret.text[:SHORTEST]].append(secret)
    return dict(index)


def _private_name(file: str) -> Iterator[Leak]:
    parts = PurePosixPath(file.rpartition("!")[2]).parts
    for name in PRIVATE_NAMES.intersection(parts):
        yield Leak(file, 1, say("a file called {name}", name=name))


def _line_of(item: str, passage: Passage) -> int:
    at = passage.text.find(item)
    return passage.line + passage.text.count("\n", 0, max(at, 0))
