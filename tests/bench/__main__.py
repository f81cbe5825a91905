"""Print the watched numbers: cold start, isolated checks, save to verdict, two jobs.

Absolute times depend on the machine and on what else it does. So every number is a ratio to
something measured in turn with it, and the median of several rounds. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse

from tests.bench.cold import cold
from tests.bench.jobs import STUDENTS, jobs
from tests.bench.warm import warm
from tests.bench.watch import watch

MEASUREMENTS = ("cold", "warm", "watch", "jobs")


def main() -> None:
    """Run the measurements."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="of each pair")
    parser.add_argument("--students", type=int, default=STUDENTS, help="in the class of `jobs`")
    parser.add_argument("--only", nargs="+", choices=MEASUREMENTS, default=MEASUREMENTS)
    asked = parser.parse_args()
    if "cold" in asked.only:
        cold(asked.rounds)
    if "warm" in asked.only:
        warm(asked.rounds)
    if "watch" in asked.only:
        watch(asked.rounds)
    if "jobs" in asked.only:
        jobs((asked.rounds + 1) // 2, asked.students)  # each is long enough to be steady


if __name__ == "__main__":
    main()
