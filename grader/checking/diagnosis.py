"""Name the mistakes: the smallest set from the bank that explains everything observed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from grader.checking.aspects import Observations
from grader.checking.values import same

__all__ = ["Explanation", "deviations", "explain"]

TOGETHER_MOST = 3  # more mistakes at once than this are not told apart reliably


@dataclass(frozen=True)
class Explanation:
    """What explains the deviations.

    Attributes:
        shown_by: mistake id -> the aspects it explains exactly, in the probe's order.
        unexplained: the deviating aspects that nothing named here explains.
    """

    shown_by: dict[str, list[str]] = field(default_factory=dict)
    unexplained: list[str] = field(default_factory=list)


def deviations(seen: Observations, reference: Observations) -> list[str]:
    """Return the aspects that were looked at and are not what the reference shows."""
    return [name for name in reference if name in seen and not same(seen[name], reference[name])]


def explain(
    seen: Observations, reference: Observations, bank: dict[str, Observations]
) -> Explanation:
    """Find the smallest set of mistakes that explains how ``seen`` deviates from ``reference``.

    A mistake explains an aspect when its own wrong version deviates there in the same way. It is
    ruled out when it deviates where ``seen`` does not. An aspect where two mistakes of a set
    deviate may show a mixture of both and counts as explained by the two together.

    Where several sets explain everything equally well, only what all of them hold is named, and the
    rest is unexplained: a wrong name is worse than none.

    Args:
        seen: observations of the submission.
        reference: observations of the right answer.
        bank: mistake id -> observations of that wrong version.
    """
    wrong = deviations(seen, reference)
    if not wrong:
        return Explanation()
    candidates = _candidates(seen, reference, bank, set(wrong))
    for size in range(1, TOGETHER_MOST + 1):
        best: list[tuple[str, ...]] = []
        lowest: tuple[int, int] | None = None
        for group in itertools.combinations(candidates, size):
            mixed = _mixtures(group, candidates, wrong)
            if mixed is None:
                continue
            # Fewest mixtures first, then fewest deviations that show in another way than the
            # mistake alone shows.
            strays = sum(len(candidates[name].deviating - candidates[name].exact) for name in group)
            rank = (mixed, strays)
            if lowest is None or rank < lowest:
                lowest, best = rank, []
            if rank == lowest:
                best.append(group)
        if len(best) == 1:
            return Explanation({name: _in_order(candidates[name].exact, wrong) for name in best[0]})
        if best:
            sure = [name for name in best[0] if all(name in group for group in best)]
            return _named({name: candidates[name] for name in sure}, wrong)
    return _partly(candidates, wrong)


@dataclass(frozen=True)
class _Candidate:
    deviating: frozenset[str]
    exact: frozenset[str]


def _candidates(
    seen: Observations, reference: Observations, bank: dict[str, Observations], wrong: set[str]
) -> dict[str, _Candidate]:
    found: dict[str, _Candidate] = {}
    for name, observed in bank.items():
        if any(not deviations(observed, bank[other]) for other in found):
            continue  # looks the same as one before it, so nothing could ever tell them apart
        deviating = frozenset(a for a in deviations(observed, reference) if a in seen)
        exact = frozenset(a for a in deviating if a in seen and same(seen[a], observed[a]))
        if exact and deviating <= wrong:
            found[name] = _Candidate(deviating, exact)
    return found


def _mixtures(
    group: tuple[str, ...], candidates: dict[str, _Candidate], wrong: list[str]
) -> int | None:
    """Count the aspects only a mixture explains; None if one is unexplained or a member is idle."""
    mixed = 0
    for name in wrong:
        if any(name in candidates[member].exact for member in group):
            continue
        if sum(name in candidates[member].deviating for member in group) < 2:  # noqa: PLR2004 - two are mixed
            return None
        mixed += 1
    for member in group:
        others = set().union(*(candidates[other].exact for other in group if other != member))
        if not candidates[member].exact - others:
            return None
    return mixed


def _partly(candidates: dict[str, _Candidate], wrong: list[str]) -> Explanation:
    """Name only what shows in every one of its own aspects; say that the rest is unexplained."""
    whole = {name: c for name, c in candidates.items() if c.exact == c.deviating}
    # A mistake all of whose aspects another one covers as well says nothing of its own.
    kept = {
        name: c
        for name, c in whole.items()
        if not any(c.exact <= other.exact for key, other in candidates.items() if key != name)
    }
    return _named(kept, wrong)


def _named(kept: dict[str, _Candidate], wrong: list[str]) -> Explanation:
    """Name these and say that what they do not show is unexplained."""
    explained = set().union(*(c.exact for c in kept.values()))
    return Explanation(
        {name: _in_order(c.exact, wrong) for name, c in kept.items()},
        [name for name in wrong if name not in explained],
    )


def _in_order(names: frozenset[str], order: list[str]) -> list[str]:
    return [name for name in order if name in names]
