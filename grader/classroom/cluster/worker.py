"""What runs in a cluster's worker: the trusted side only, which keeps desks in their own processes.

A desk starts the sandbox, and students' code runs in that. No desk is left behind: whoever gave the
order ends them; where that is no longer possible, a janitor does, as soon as the scheduler takes
the order back, which it does when its client is gone. A desk whose worker is killed reads the end
of its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

import grader
from grader.classroom.cluster.parcels import Parcel, Piece, Returned, Terms
from grader.classroom.deskprocess import DeskProcess
from grader.classroom.room import COURSE, class_course
from grader.classroom.units import Done, Keys
from grader.course import find_root, quiz_names
from grader.errors import GradeError
from grader.quiz import load_quizzes
from grader.sandbox import choose
from grader.text import Text, say

__all__ = ["Post", "dismiss", "grade", "inspect"]

IDLE_S = 30.0  # how long a desk without work stays warm
LOOK_S = 0.5  # how often the janitor looks
NAMED_MOST = 5
ENDING = {"closing", "closed", "failed", "stopping", "stopped"}  # states of a Dask worker

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
        self._keys: Keys | None = None
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
        done: list[Done] = []
        with self._desk(pieces[0].unit.item, wanted) as desk:
            for number, piece in enumerate(pieces):
                if self._closed or not wanted():
                    break
                unit = piece.unit
                if self._keys is None or self._keys.key(unit.item, piece.data) != unit.key:
                    return say("its course has changed: {items}", items=unit.item)
                path = _lay(piece, folder / str(number))
                found = desk.grade(msgspec.structs.replace(unit, path=str(path)))
                if found.result is None and (self._closed or not wanted()):
                    break  # the desk was ended by us
                done.append(msgspec.structs.replace(found, unit=unit))
        return done

    def tidy(self) -> bool:
        """End desks that nobody waits for; return whether this post can be given up."""
        with self._lock:
            unwanted = [desk for desk, wanted in self._busy.items() if not wanted()]
            spare: list[tuple[str, DeskProcess]] = []
            if not self._busy and time.monotonic() - self._used > self._idle_s:
                spare, self._idle = self._idle, spare
            empty = not self._busy and not self._idle
            given_up = empty and time.monotonic() - self._used > self._idle_s
        for desk in unwanted:
            desk.interrupt()
        for _, desk in spare:
            desk.close()
        return given_up

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
            self._used = time.monotonic()
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
        except GradeError as error:
            return say("{folder}: {why}", folder=self._root, why=error.what)
        self._keys = Keys(course, quizzes, tier.name)
        other = [item for item, hash_ in terms.hashes.items() if self._keys.find(item) != hash_]
        if not other:
            return None
        more = f" (+{len(other) - NAMED_MOST})" if len(other) > NAMED_MOST else ""
        return say("its course in {folder} is another one: {items}", folder=root,
                   items=", ".join(other[:NAMED_MOST]) + more)  # fmt: skip


def _lay(piece: Piece, folder: Path) -> Path:
    """Write the file of a piece of work; a link stays one, and leads nowhere."""
    folder.mkdir()
    path = folder / piece.unit.path
    if piece.link:
        path.symlink_to(folder / "nowhere")
    else:
        path.write_bytes(piece.data)
    return path


_posts: dict[str, Post] = {}
_ended: set[str] = set()  # batches whose orders may still be under way
_opening = threading.Lock()


def open_post(terms: Terms) -> Post:
    """Return this worker's post for a batch, and see that somebody tidies it up."""
    with _opening:
        post = _posts.get(terms.batch)
        if post is None:
            post = _posts[terms.batch] = Post(terms)
            if terms.batch in _ended:
                post.close()
            if len(_posts) == 1:
                threading.Thread(target=_janitor, name="grade-janitor", daemon=True).start()
        return post


def _janitor() -> None:
    """Tidy up until there is no post left."""
    while True:
        time.sleep(LOOK_S)
        for batch, post in list(_posts.items()):
            if post.tidy():
                with _opening:
                    if post.empty:
                        del _posts[batch]
                    if not _posts:
                        return


async def inspect(terms: bytes, dask_worker: Any) -> bytes:
    """Say whether this worker can grade a batch, and why not; Dask gives the worker itself."""
    wanted = msgspec.msgpack.decode(terms, type=Terms)
    post = await asyncio.to_thread(open_post, wanted)
    return msgspec.msgpack.encode(Returned(worker=_name(dask_worker), refusal=post.refusal))


def grade(order: bytes) -> bytes:
    """Grade a parcel; the task that Dask runs."""
    from distributed import get_worker

    worker: Any = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        taken_back = task is None or task.state in {"cancelled", "released", "forgotten"}
        return not taken_back and worker.status.name not in ENDING

    parcel = msgspec.msgpack.decode(order, type=Parcel)
    post = open_post(parcel.terms)
    found: list[Done] | Text | None = post.refusal
    if found is None:
        # Dask clears this folder up when the worker starts again, should it be killed now.
        with tempfile.TemporaryDirectory(prefix="grade-", dir=worker.local_directory) as folder:
            found = post.grade(parcel.pieces, Path(folder), wanted)
    if isinstance(found, Text):
        return msgspec.msgpack.encode(Returned(worker=_name(worker), refusal=found))
    return msgspec.msgpack.encode(Returned(worker=_name(worker), done=found))


def _name(worker: Any) -> str:
    """Return a worker's name and where it is: a name may be a number."""
    return f"{worker.name} ({worker.address})"


async def dismiss(batch: str) -> None:
    """End everything that a batch has here, and wait until it has ended."""
    _ended.add(batch)
    post = _posts.get(batch)
    if post is None:
        return
    await asyncio.to_thread(post.close)
    while not post.empty:
        await asyncio.sleep(0.05)
