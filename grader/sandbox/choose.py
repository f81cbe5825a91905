"""Which tier to use: the strongest that works here, or the one asked for."""

from __future__ import annotations

from collections.abc import Sequence

from grader.errors import UsageError
from grader.sandbox.bubblewrap import BubblewrapTier
from grader.sandbox.process import ProcessTier
from grader.sandbox.spawned import SpawnTier
from grader.sandbox.tiers import Tier, Verdict
from grader.text import Text, say

__all__ = ["TIERS", "choose"]

TIERS: Sequence[Tier] = (BubblewrapTier(), ProcessTier(), SpawnTier())  # strongest first


def choose(wanted: str | None = None) -> tuple[Tier, Text]:
    """Return the tier to use and why.

    Args:
        wanted: a tier's name, or None for the strongest that works.

    Raises:
        UsageError: the tier asked for does not work here, or none does.
    """
    refusals: list[Text] = []
    for tier in TIERS:
        if wanted not in (None, tier.name):
            continue
        verdict = tier.probe()
        if verdict.works:
            return tier, _reason(verdict, refusals)
        refusals.append(verdict.why)
    what = refusals[0] if refusals else say("There is no sandbox called {name}.", name=wanted)
    raise UsageError(what, say("`grade doctor` shows what works on this machine."))


def _reason(verdict: Verdict, refusals: list[Text]) -> Text:
    if not refusals:
        return verdict.why
    return say("{why} (Stronger, but not here: {refusal})", why=verdict.why, refusal=refusals[0])
