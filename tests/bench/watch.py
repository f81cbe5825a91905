"""From a save to its verdict, in a worker that is warm."""

from __future__ import annotations

import hashlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from grader.course import load_course
from tests.bench.bare import Bare
from tests.bench.common import EXERCISE, GRADE, ROOT

__all__ = ["watch"]

WARM_UP = 5  # saves before those that count: the worker gathers its memory, the bank is observed


def watch(rounds: int) -> None:
    """Compare a save under ``grade watch``, up to its verdict, with the bare run of its checks."""
    torch.set_num_threads(1)  # a forked child of a threaded parent hangs
    with tempfile.TemporaryDirectory() as folder:
        for part in ("exercises", "solutions"):
            shutil.copytree(ROOT / part, Path(folder, part))
        exercise = load_course(Path(folder), [EXERCISE]).exercises[0]
        source = exercise.reference.read_text(encoding="utf-8")
        bare = Bare(exercise)
        with subprocess.Popen(
            [sys.executable, "-c", GRADE, "watch", EXERCISE, "--json", "--course", folder],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
        ) as command:  # fmt: skip
            rows = [
                (
                    _save(exercise.answer, f"{source}# {number}\n", command),
                    bare.run_apart(source),
                    bare.run_together(source),
                )
                for number in range(WARM_UP + rounds)
            ][WARM_UP:]
            command.terminate()  # a background job, and what it starts, may ignore Ctrl-C
    saves = [save for save, _, _ in rows]
    print(f"save to verdict, grade watch  {statistics.median(saves):7.3f} s   (aim: below 0.4 s)")
    for how, column, aim in (("a fork each", 1, "     (aim: at most 3)"), ("one fork", 2, "")):
        seconds = [row[column][1] for row in rows]
        ratio = statistics.median(save / bare for save, bare in zip(saves, seconds, strict=True))
        name = f"{rows[0][column][0]} checks bare, {how}"
        print(f"{name:<29} {statistics.median(seconds):7.3f} s")
        print(f"grade watch / bare            {ratio:7.1f}{aim}")


def _save(path: Path, text: str, command: subprocess.Popen[bytes]) -> float:
    """Save ``text`` as an editor does and return the seconds until its verdict is printed."""
    assert command.stdout is not None
    wanted = hashlib.sha256(text.encode()).hexdigest().encode()
    temporary = path.with_name(".saving")
    temporary.write_text(text, encoding="utf-8")
    started = time.perf_counter()
    temporary.replace(path)
    while (line := command.stdout.readline()) and wanted not in line:
        pass
    return time.perf_counter() - started
