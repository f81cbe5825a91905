"""What runs in a cluster's worker: the trusted side only, which keeps desks in their own processes.

A desk starts the sandbox, and students' code runs in that. No desk is left behind: whoever gave the
order ends them; where that is no longer possible, a janitor does, as soon as the scheduler takes
the order back, which it does when its client is gone. A desk whose worker is killed reads the end
of its input.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import msgspec

from grader.classroom.cluster.parcels import Parcel, Returned, Terms
from grader.classroom.cluster.post import Post
from grader.classroom.units import Done
from grader.text import Text

__all__ = ["dismiss", "grade", "inspect"]

LOOK_S = 0.5  # how often the janitor looks
ENDING = {"closing", "closed", "failed", "stopping", "stopped"}  # states of a Dask worker

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
        post.touch()
        return post


def _janitor() -> None:
    """Tidy up until there is no post left."""
    while True:
        time.sleep(LOOK_S)
        for batch, post in list(_posts.items()):
            post.tidy()
            with _opening:  # nobody is about to bring it work
                if post.forgotten:
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
