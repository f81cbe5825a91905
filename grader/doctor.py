"""``grade doctor``: what works on this machine, what does not, what to do."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import time
from typing import Any

import msgspec

from grader import __version__
from grader.report import Screen, print_json
from grader.results import Limits
from grader.sandbox import TIERS, SandboxBroken, SubmissionRun, Zygote, choose
from grader.text import Text, locale_asked_for, say

__all__ = ["DoctorReport", "examine"]

PACKAGES = ("torch", "pytest", "msgspec", "safetensors", "pyyaml", "rich", "click")
TRIAL = "def answer():\n    return 42\n"


class TierFacts(msgspec.Struct, frozen=True):
    """One tier on this machine."""

    name: str
    works: bool
    boundary: bool
    why: Text


class DoctorReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade doctor --json`` prints."""

    schema: str = "grade-doctor/1"
    system: str
    python: str
    packages: dict[str, str]
    encoding: str
    locale: str  # and which variable names it, as in LANG=zh_CN.UTF-8
    tiers: list[TierFacts]
    chosen: str
    trial: Text
    trial_seconds: float
    trial_passed: bool


def examine(screen: Screen, wanted: str | None, *, as_json: bool) -> int:
    """Look at the machine and run a trial in the sandbox; return 0 when grading works, else 3."""
    report = _look(wanted)
    if as_json:
        print_json(msgspec.json.format(msgspec.json.encode(report), indent=2).decode())
    else:
        _show(report, screen)
    return 0 if report.trial_passed else 3


def _look(wanted: str | None) -> DoctorReport:
    tiers = [TierFacts(tier.name, *_verdict(tier)) for tier in TIERS]
    tier, _ = choose(wanted)
    started = time.monotonic()
    passed, told = _try_out(Zygote(tier))
    return DoctorReport(
        system=f"{platform.system()} {platform.release()}, {os.cpu_count()} CPU",
        python=f"{platform.python_version()} ({__version__})",
        packages={name: _version(name) for name in PACKAGES},
        encoding=sys.stdout.encoding,
        locale="=".join(part for part in locale_asked_for() if part),
        tiers=tiers,
        chosen=tier.name,
        trial=told,
        trial_seconds=round(time.monotonic() - started, 2),
        trial_passed=passed,
    )


def _verdict(tier: Any) -> tuple[bool, bool, Text]:
    verdict = tier.probe()
    return verdict.works, tier.boundary, verdict.why


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "-"


def _try_out(zygote: Zygote) -> tuple[bool, Text]:
    """Start a worker, load a two-line submission, and fork one check."""
    try:
        with SubmissionRun(zygote, {"trial": TRIAL}, "trial", Limits()) as run:
            run.end_check(run.start_check())
            return True, say("A trial submission was loaded and checked.")
    except SandboxBroken as error:
        return False, say("The trial failed: {error}", error=str(error))
    finally:
        zygote.kill()


def _show(report: DoctorReport, screen: Screen) -> None:
    language = screen.language
    screen.line(f"{report.system}; Python {report.python}")
    screen.line(", ".join(f"{name} {version}" for name, version in report.packages.items()))
    terminal = say(
        "Terminal encoding: {encoding}; locale: {locale}",
        encoding=report.encoding, locale=report.locale,
    )  # fmt: skip
    screen.line(terminal.pick(language))
    screen.line(say("Sandbox tiers, strongest first:").pick(language), "bold")
    for tier in report.tiers:
        state = (
            say("in use")
            if tier.name == report.chosen
            else say("works")
            if tier.works
            else say("not here")
        )
        sign = screen.sign("passed" if tier.works else "failed")
        screen.line(
            f"{sign} {tier.name} [{state.pick(language)}] {tier.why.pick(language)}", indent=2
        )
    sign = screen.sign("passed" if report.trial_passed else "failed")
    seconds = say("{seconds} s", seconds=report.trial_seconds).pick(language)
    screen.line(f"{sign} {report.trial.pick(language)} ({seconds})")
    if not next(tier for tier in report.tiers if tier.name == report.chosen).boundary:
        screen.line(
            say(
                "On your own machine this is enough. To mark other people's work, "
                "install bubblewrap."
            ).pick(language),
            "yellow",
        )
