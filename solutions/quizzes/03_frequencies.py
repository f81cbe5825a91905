"""Keys of quiz 03: every claim on offer is put to the test on the references."""

import math
from collections.abc import Mapping

import torch

from grader.quiz import reference

build_table = reference("02_sinusoidal_table").sinusoidal_table
hands = reference("07_frequency_pointers")

ERROR = 0.01  # what the items call a small error in every number


def angles(dim: int, base: float = 10000.0, max_len: int = 2) -> torch.Tensor:
    """Return the radians that every hand turns at a step, read off row 1 of a table, [dim/2]."""
    row = build_table(max_len, dim, float(base))[1].double()
    return torch.atan2(row[0::2], row[1::2])


def the_one(claims: Mapping[str, bool]) -> str:
    """Return the id of the only claim that holds."""
    (found,) = (name for name, holds in claims.items() if holds)
    return found


# frequency-ladder


def ladder(base: float) -> list[float]:
    return angles(8, base).tolist()


# longest-wavelength


def longest(dim: int) -> float:
    return hands.wavelengths(dim)[-1].item()


# unfinished-hands


def unfinished(dim: int, length: int) -> int:
    return dim // 2 - hands.finished_turns(dim, length)


def finished(dim: int, length: int) -> int:
    return hands.finished_turns(dim, length)


def unfinished_without_two_pi(dim: int, length: int) -> int:
    """Count as if a hand were around once its angle reaches 1."""
    return int((hands.wavelengths(dim) / (2 * math.pi) > length).sum())


def last_finished_counted_too(dim: int, length: int) -> int:
    """Count from the last hand that does finish: one too many."""
    return unfinished(dim, length) + 1


# one-hand-only


def one_hand(position: int, turns: int) -> str:
    """Test what is said of positions 0 and `position` when only the fastest hand is left."""
    hand = build_table(position + 1, 2).double()  # [position + 1, 2]: width 2 is that hand alone
    gap = (hand[position] - hand[0]).norm().item()
    pull = (hand[0] - hand[position]).clamp(-ERROR, ERROR)  # an error that may happen
    read = hands.decode_position(hand[position] + pull, position)
    around = round(position / (2 * math.pi)) == turns
    return the_one(
        {
            "a": around and 0 < gap < 2 * ERROR and read != position,
            "b": gap > 0 and read == position,
            "c": gap == 0,
            "d": (hand[1] - hand[0]).norm().item() < 2 * ERROR,
        }
    )


# hands-and-jobs


def jobs() -> dict[str, str]:
    """Match hands with what they can do among 1000 positions with a small error."""
    table = build_table(1000, 8).double()
    turns = 1000 / hands.wavelengths(8)
    parts = {"pair-0": table[:, 0:2], "pair-1": table[:, 2:4], "pair-3": table[:, 6:8]}
    found = {}
    for name, turned in [*zip(parts, turns[[0, 1, 3]].tolist(), strict=True), ("all", 0.0)]:
        rows = parts.get(name, table)  # [1000, 2 or 8]
        step = (rows[1] - rows[0]).norm().item() / ERROR  # between neighbours, in errors
        mixed_up = torch.cdist(rows[:1], rows[500:]).min().item() < ERROR
        still = (rows[999] - rows[0]).norm().item() < ERROR
        found[name] = the_one(
            {
                "p": mixed_up and step > 50 and 150 < turned < 170,
                "q": mixed_up and 9 < step < 11 and 15 < turned < 17,
                "r": not mixed_up and step < 0.2,
                "s": not mixed_up and step > 50,
                "t": still,
            }
        )
    return found


# ladder-claims


def ladder_claims() -> set[str]:
    steps = angles(16)[1:] / angles(16)[:-1]
    narrow, wide = angles(8), angles(16)
    table = build_table(200, 12).double()
    square_sums = table[:, 0::2].square() + table[:, 1::2].square()
    claims = {
        "a": bool(torch.allclose(steps, steps[:1].expand(7), rtol=1e-5)),
        "b": bool((angles(8, 1e5) < 0.999 * angles(8, 1e4)).all()),
        "c": bool(narrow[0].isclose(wide[0]) and wide[-1] < 0.9 * narrow[-1]),
        "d": not torch.allclose(angles(8, max_len=11), angles(8, max_len=1000)),
        # sin and cos of one angle, and only of one angle, have squares that add up to 1.
        "e": not torch.allclose(square_sums, torch.ones(200, 6, dtype=torch.float64)),
    }
    return {name for name, holds in claims.items() if holds}


# position-from-row


def position(s0: float, c0: float, s1: float, c1: float) -> int:
    return hands.decode_position(torch.tensor([s0, c0, s1, c1]), 200)


def slow_hand_only(s0: float, c0: float, s1: float, c1: float) -> int:
    return round(100 * math.atan2(s1, c1))


def fast_hand_only(s0: float, c0: float, s1: float, c1: float) -> int:
    return round(math.atan2(s0, c0) % (2 * math.pi))


# most-and-least: the item's own code is run


def last_sine(dim: int) -> str:
    """Print what one expects who takes the slowest sine for the column that changes least."""
    return f"0 {dim - 2}"
