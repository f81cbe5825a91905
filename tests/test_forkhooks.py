"""What libraries want done at a fork: nothing while it is held back, all of it afterwards."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os
from grader.worker import forkhooks

ran = []
def fork():
    child = os.fork()
    if child == 0:
        os._exit(len(ran))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

register = os.register_at_fork
with forkhooks.held_back():
    os.register_at_fork(after_in_child=lambda: ran.append(1))
    os.register_at_fork(before=lambda: None, after_in_child=lambda: ran.append(2))
assert os.register_at_fork is register
print(fork())
forkhooks.let_act()
print(fork())
"""


def test_hooks_act_once_they_may() -> None:
    """A fork meanwhile runs none of them, one after :func:`let_act` runs each once."""
    command = [sys.executable, "-c", PROGRAM]
    found = subprocess.run(command, capture_output=True, text=True, check=False)

    assert found.stderr == ""
    assert found.stdout.split() == ["0", "2"]
