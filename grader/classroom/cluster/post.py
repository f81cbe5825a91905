"""A worker's place for one batch: it agrees to the course, keeps desks warm, and ends them."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

import grader
from grader.classroom.cluster.parcels import Piece, Terms
from grader.classroom.deskprocess import DeskProcess
from grader.classroom.ledger import course_hash
from grader.classroom.room import COURSE, class_course
from grader.classroom.units import Done, Keys
from grader.course import Exercise, find_root, quiz_names
from grader.course.load import COURSE_FILE
from grader.errors import GradeError
from grader.quiz import Quiz, load_quizzes
from grader.sandbox import choose
from grader.text import Text, say

__all__ = ["Post", "Wanted"]

IDLE_S = 30.0  # how long a desk without work stays warm
NAMED_MOST = 5

Wanted = Callable[[], bool]


class Post:
    """What a worker keeps for one batch: the names of its work, and warm desks.

    Args:
        terms: what it has to agree with.
        idle_s: how long a desk without work stays warm, in seconds.

    Attributes:
        refusal: why it does not; None where it does.
    """

    def __init__(self, terms: Terms, *, idle_s: float = IDLE_S) -> None:
        self._terms = terms
        self._idle_s = idle_s
        self._root = Path(os.environ.get(COURSE) or terms.root)
        self._lock = threading.Lock()
        self._idle: list[tuple[str, DeskProcess]] = []  # with the exercise each is warm for
        self._busy: dict[DeskProcess, Wanted] = {}
        self._used = time.monotonic()
        self._closed = False
        self.refusal = self._agree()

    def grade(self, pieces: list[Piece], folder: Path, wanted: Wanted) -> list[Done] | Text:
        """Grade ``pieces`` one after another as long as they are wanted.

        Args:
            pieces: all of one exercise or quiz.
            folder: an empty one, to lay their files into.
            wanted: whether anybody still waits for them.

        Returns:
            What was graded, or why this worker must not grade: it would name the work otherwise.
        """
        item = pieces[0].unit.item
        changed = say("its course has changed: {items}", items=item)
        done: list[Done] = []
        with self._desk(item, wanted) as desk:
            if not self._still_agrees(item):
                return changed
            for number, piece in enumerate(pieces):
                if self._closed or not wanted():
                    break
                unit = piece.unit
                if self._keys.keys(item, piece.data) != [unit.key]:
                    return changed
                path = _lay(piece, folder / str(number))
                found = desk.grade(msgspec.structs.replace(unit, path=str(path)))
                if found.result is None and (self._closed or not wanted()):
                    break  # the desk was ended by us
                done.append(msgspec.structs.replace(found, unit=unit))
            # The desk has read the course at some time in between.
            return done if self._still_agrees(item) else changed

    def tidy(self) -> None:
        """End desks that nobody waits for."""
        with self._lock:
            unwanted = [desk for desk, wanted in self._busy.items() if not wanted()]
            spare: list[tuple[str, DeskProcess]] = []
            if not self._busy and self._rested():
                spare, self._idle = self._idle, spare
        for desk in unwanted:
            desk.interrupt()
        for _, desk in spare:
            desk.close()

    def touch(self) -> None:
        """Say that there is work, so that this post is kept."""
        self._used = time.monotonic()

    @property
    def forgotten(self) -> bool:
        """Whether there has been no work for long and no desk is left."""
        return self.empty and self._rested()

    def _rested(self) -> bool:
        return time.monotonic() - self._used > self._idle_s

    def close(self) -> None:
        """End all desks, those at work, too."""
        with self._lock:
            self._closed = True
            busy, idle = list(self._busy), self._idle
            self._idle = []
        for desk in busy:
            desk.interrupt()
        for _, desk in idle:
            desk.close()

    @property
    def empty(self) -> bool:
        """Whether no desk is left."""
        return not self._busy and not self._idle

    @contextlib.contextmanager
    def _desk(self, item: str, wanted: Wanted) -> Iterator[DeskProcess]:
        """Lend a desk, one that is warm for ``item`` if there is one."""
        with self._lock:
            fits = [entry for entry in self._idle if entry[0] == item] or self._idle
            entry = fits[-1] if fits else (item, DeskProcess(self._root, self._terms.tier))
            if fits:
                self._idle.remove(entry)
            desk = entry[1]
            self._busy[desk] = wanted
        try:
            yield desk
        finally:
            if not self._put_back(item, desk, wanted):
                desk.close()
                with self._lock:
                    del self._busy[desk]

    def _put_back(self, item: str, desk: DeskProcess, wanted: Wanted) -> bool:
        """Keep a desk warm, unless it was ended or nobody waits for it."""
        with self._lock:
            self.touch()
            if self._closed or desk.interrupted or not wanted():
                return False
            del self._busy[desk]
            self._idle.append((item, desk))
            return True

    def _agree(self) -> Text | None:
        """Compare the course, the program and the sandbox; return what is different."""
        terms = self._terms
        if terms.version != grader.__version__:
            return say("its program has version {theirs}, this one {ours}",
                       theirs=grader.__version__, ours=terms.version)  # fmt: skip
        try:
            root = find_root(self._root)
            course = class_course(root)
            quizzes = load_quizzes(course, quiz_names(root))
            tier, _ = choose(terms.tier)
            self._policy = (root / COURSE_FILE).read_bytes()
        except GradeError as error:
            return say("{folder}: {why}", folder=self._root, why=error.what)
        self._course = course
        self._items: dict[str, Exercise | Quiz] = {one.id: one for one in course.exercises}
        self._items |= {quiz.id: quiz for quiz in quizzes}
        self._keys = Keys(course, quizzes, [tier.name])
        other = [item for item, hash_ in terms.hashes.items() if self._keys.find(item) != hash_]
        if not other:
            return None
        more = f" (+{len(other) - NAMED_MOST})" if len(other) > NAMED_MOST else ""
        return say("its course in {folder} is another one: {items}", folder=root,
                   items=", ".join(other[:NAMED_MOST]) + more)  # fmt: skip

    def _still_agrees(self, item: str) -> bool:
        """Whether the files that a result for ``item`` hangs on are as they were agreed to."""
        try:
            same = (self._course.root / COURSE_FILE).read_bytes() == self._policy
            found = course_hash(self._course, self._items[item])
        except OSError:
            return False
        return same and found == self._terms.hashes[item]


def _lay(piece: Piece, folder: Path) -> Path:
    """Write the file of a piece of work; a link stays one, and leads nowhere."""
    folder.mkdir()
    path = folder / piece.unit.path
    if piece.link:
        path.symlink_to(folder / "nowhere")
    else:
        path.write_bytes(piece.data)
    return path
