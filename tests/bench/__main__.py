"""Print the watched numbers: cold submission, isolated checks, save to verdict.

Absolute times depend on the machine and on what else it does. So every number is a ratio to
something measured in turn with it, and the median of several rounds. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import torch

from grader.course import load_course
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import submission_from_source
from grader.results import ExerciseResult
from grader.sandbox import Zygote, choose
from tests.bench.bare import Bare

ROOT = Path(__file__).parent.parent.parent
EXERCISE = "03_implement_forward"
CHECKS = 8  # of a typical submission; what other graders are compared at
HOUR_S = 3600
WARM_UP = 5  # saves before those that count: the worker gathers its memory, the bank is observed
GRADE = "import sys; from grader.cli import main; sys.argv[0] = 'grade'; main()"

# The same kind of work without isolation: eight checks in one fresh pytest process.
PLAIN_TESTS = """
    import pytest
    import torch
    from implement_forward import SinusoidalPositionEncoding

    @pytest.mark.parametrize("length", range(1, 9))
    def test_adds_rows(length):
        encode = SinusoidalPositionEncoding(8, 11)
        x = torch.zeros(2, length, 8)
        assert torch.allclose(encode(x), encode.pe[:, :length].expand(2, -1, -1))
"""


def timed(action: Callable[[], object]) -> float:
    """Return how many seconds ``action`` takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def run(*command: str, cwd: Path = ROOT) -> None:
    """Run a command and drop what it prints."""
    subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, check=False)


def cold(rounds: int) -> None:
    """Compare a cold ``grade exercises/03`` with ``import torch`` alone."""
    pairs = [
        (timed(lambda: run("-c", GRADE, "exercises/03")), timed(lambda: run("-c", "import torch")))
        for _ in range(rounds)
    ]
    ours, torch_alone = (statistics.median(column) for column in zip(*pairs, strict=True))
    share = statistics.median((mine - 0.5) / theirs for mine, theirs in pairs)
    print(f"cold grade exercises/03       {ours:7.2f} s")
    print(f'python -c "import torch"      {torch_alone:7.2f} s')
    print(f"(cold - 0.5 s) / import torch {share:7.2f}     (aim: at most 1.5)")


def warm(rounds: int) -> None:
    """Compare isolated checks in a warm worker with a fresh pytest process of as many checks."""
    course = load_course(ROOT, [EXERCISE])
    exercise = course.exercises[0]
    tier, why = choose(None)
    zygote = Zygote(tier)
    source = exercise.reference.read_text(encoding="utf-8")
    results: list[ExerciseResult] = []
    try:
        zygote.wait_ready()
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, why))
        with tempfile.TemporaryDirectory() as folder:
            _write_plain(Path(folder), source, exercise.folder / "given.py")
            plain: list[float] = []

            def submissions() -> object:
                for _ in range(rounds):
                    plain.append(timed(lambda: run("-m", "pytest", "-q", ".", cwd=Path(folder))))
                    yield submission_from_source(source)

            grader.grade(submissions(), results.append)  # type: ignore[arg-type]
    finally:
        zygote.kill()
    per_check = [result.seconds / len(result.checks) for result in results]
    ours = statistics.median(per_check) * CHECKS
    ratio = statistics.median(p / (c * CHECKS) for p, c in zip(plain, per_check, strict=True))
    print(f"{CHECKS} isolated checks, warm       {ours:7.3f} s   (sandbox: {tier.name})")
    print(f"{CHECKS} checks, fresh pytest        {statistics.median(plain):7.3f} s")
    print(f"fresh pytest / isolated       {ratio:7.1f}     (aim: at least 15)")
    print(f"submissions per core-hour     {HOUR_S / ours:7.0f}")


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


def _write_plain(folder: Path, source: str, given: Path) -> None:
    (folder / "implement_forward.py").write_text(source, encoding="utf-8")
    (folder / "given.py").write_text(given.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_plain.py").write_text(textwrap.dedent(PLAIN_TESTS), encoding="utf-8")


def main() -> None:
    """Run the measurements."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="of each pair")
    rounds = parser.parse_args().rounds
    cold(rounds)
    warm(rounds)
    watch(rounds)


if __name__ == "__main__":
    main()
