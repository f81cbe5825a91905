"""What libraries want done at a fork: nothing where there is nothing to do, else all of it."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = """
import os, threading
from grader.worker import forkhooks

ran = []
def note(what):
    ran.append(what)

def seen(fork):
    del ran[:]
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        os.write(writing, " ".join(ran).encode() or b"-")
        os._exit(0)
    os.waitpid(child, 0)
    return os.read(reading, 100).decode() + "; " + (" ".join(ran) or "-")

register = os.register_at_fork
with forkhooks.collected():
    os.register_at_fork(
        before=lambda: note("before1"),
        after_in_parent=lambda: note("parent1"),
        after_in_child=lambda: note("child1"),
    )
    os.register_at_fork(before=lambda: note("before2"), after_in_child=lambda: note("child2"))
assert os.register_at_fork is register
"""
THREAD = """
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
"""
CHILD = """
child = forkhooks.fork()
if child == 0:
    print(seen(os.fork), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
ALL = "before2 before1 child1 child2; before2 before1 parent1"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("print(seen(os.fork))", "-; -"),
        ("forkhooks.let_act()\nprint(seen(os.fork))", ALL),
        ("forkhooks.let_act()\nprint(seen(forkhooks.fork))", "-; -"),
        (f"forkhooks.let_act()\n{THREAD}print(seen(forkhooks.fork))\nstop.set()", ALL),
        (f"forkhooks.let_act()\n{CHILD}", ALL),
        ("forkhooks.let_act()\nseen(forkhooks.fork)\nprint(seen(os.fork))", ALL),
    ],
    ids=["waiting", "acting", "alone", "beside-a-thread", "a-forks-own-fork", "afterwards"],
)
def test_hooks_act_where_there_is_something_to_do(program: str, expected: str) -> None:
    """In the order of ``os.register_at_fork``: the last one first before, the first one after."""
    command = [sys.executable, "-c", BEGIN + program]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert found.stderr == ""
    assert found.stdout.strip() == expected
