"""The first submission of a day: everything is still to be imported."""

from __future__ import annotations

import statistics

from tests.bench.common import GRADE, run, timed

__all__ = ["cold"]


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
