"""Keys of quiz 04: rotations are fitted, shifted and multiplied, and the claims compared."""

import math
from collections.abc import Mapping

import torch

from grader.quiz import reference

build_table = reference("02_sinusoidal_table").sinusoidal_table
shifts = reference("08_shift_matrix")

TABLE = build_table(600, 8).double()  # [600, 8]


def the_one(claims: Mapping[str, bool]) -> str:
    """Return the id of the only claim that holds."""
    (found,) = (name for name, holds in claims.items() if holds)
    return found


def close(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.allclose(one.double(), other.double(), atol=1e-4)


def fit(rows: torch.Tensor, offset: int) -> tuple[torch.Tensor, float]:
    """Fit M with M @ rows[p] = rows[p + offset] for all p; return M and the largest miss."""
    before, after = rows[:-offset], rows[offset:]
    matrix = torch.linalg.lstsq(before, after, driver="gelsd").solution
    return matrix.T, (before @ matrix - after).abs().max().item()


# shift-block


def block() -> list[str]:
    """Find for each place of the block the function that gives its numbers at every offset."""
    angles = [offset * shifts.frequencies(6) for offset in (1, 2, 5, -3)]
    matrices = [shifts.shift_matrix(offset, 6) for offset in (1, 2, 5, -3)]
    offered = {
        "cos(d*omega)": torch.cos,
        "sin(d*omega)": torch.sin,
        "-sin(d*omega)": lambda angle: -torch.sin(angle),
        "-cos(d*omega)": lambda angle: -torch.cos(angle),
    }

    def entry(row: int, column: int) -> str:
        return the_one(
            {
                text: all(
                    close(matrix[row::2, column::2].diagonal(), function(angle))
                    for matrix, angle in zip(matrices, angles, strict=True)
                )
                for text, function in offered.items()
            }
        )

    return [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)]


# what-the-block-needs


def block_needs() -> str:
    """Fit the block of a pair at different places, offsets, pairs and lengths of the table."""

    def fitted(start: int, offset: int, pair: int, length: int = 600) -> torch.Tensor:
        table = build_table(length, 8).double()[start : start + 12]
        return fit(table[:, 2 * pair : 2 * pair + 2], offset)[0]

    start = not close(fitted(0, 3, 1), fitted(500, 3, 1))
    offset = not close(fitted(0, 3, 1), fitted(0, 4, 1))
    pair = not close(fitted(0, 3, 0), fitted(0, 3, 1))
    length = not close(fitted(0, 3, 1, length=20), fitted(0, 3, 1))
    return the_one(
        {
            "a": offset and start,
            "b": offset and not pair,
            "c": offset and pair and not start and not length,
            "d": offset and length,
        }
    )


# product-of-two-rows


def product(p: int, q: int) -> float:
    table = build_table(q + 1, 4).double()
    return shifts.relative_score(table)[p, q].item()


# which-hold-for-all


def relative_claims() -> set[str]:
    """Test each statement on tables of several widths."""
    tables = [build_table(200, dim).double() for dim in (4, 8, 12)]
    grams = [shifts.relative_score(table) for table in tables]
    steps = [table[7:] - table[:-7] for table in tables]
    claims = {
        "a": all(close(gram.diagonal(7), gram[0, 7].expand(193)) for gram in grams),
        "b": all(bool((gram[0].diff() < 0).all()) for gram in grams),
        "c": all(close(step, step[:1].expand_as(step)) for step in steps),
        "d": all(close(step.norm(dim=1), step[0].norm().expand(193)) for step in steps),
        "e": all(close(gram[50, 51:101], gram[50, 0:50].flip(0)) for gram in grams),
    }
    return {name for name, holds in claims.items() if holds}


# sines-only


def sines_only() -> str:
    """Look for a linear map that moves a table of sines, with few and with many frequencies."""
    sines, offset = TABLE[:, 0::2], 3  # [600, 4]
    many_sines = build_table(600, 16).double()[:, 0::2]  # [600, 8]
    factor = (offset * shifts.frequencies(8)).cos()  # [4]
    works = {
        "sines": fit(sines, offset)[1] < 1e-3,
        "pairs": fit(TABLE, offset)[1] < 1e-3,
        "many sines": fit(many_sines, offset)[1] < 1e-3,
    }
    return the_one(
        {
            "a": works["sines"],
            "b": close(factor * sines[:-offset], sines[offset:]),
            "c": works["pairs"] and not works["sines"] and not works["many sines"],
            "d": works["many sines"],
        }
    )


# composing-shifts


def composed() -> list[str | float]:
    """Find which shift a product and a transpose are, and what the determinant is."""
    m = shifts.shift_matrix
    pairs = [(2, 5), (7, 3), (-4, 1)]
    sums = {
        "a+b": lambda a, b: a + b,
        "a-b": lambda a, b: a - b,
        "b-a": lambda a, b: b - a,
        "a*b": lambda a, b: a * b,
    }
    product_is = the_one(
        {
            text: all(close(m(a, 8) @ m(b, 8), m(shift(a, b), 8)) for a, b in pairs)
            for text, shift in sums.items()
        }
    )
    transpose_is = the_one(
        {
            text: all(close(m(d, 8).T, m(sign * d, 8)) for d in (1, 4, -9))
            for text, sign in {"d": 1, "-d": -1, "0": 0}.items()
        }
    )
    return [product_is, transpose_is, round(torch.linalg.det(m(4, 8).double()).item(), 5)]


# turned-the-wrong-way: the item's own code is run


def meant(start: int, offset: int) -> str:
    """Print where one meant to get."""
    return str(start + offset)


def unmoved(start: int, offset: int) -> str:
    """Print where one started."""
    return str(start)


# same-words-further-on


def moved_scores() -> str:
    """Compare the scores of two words at positions 2, 5 and, ten tokens later, at 12, 15."""
    generator = torch.Generator().manual_seed(0)
    words = torch.randn(2, 8, generator=generator, dtype=torch.float64)
    w_q, w_k = torch.randn(2, 8, 8, generator=generator, dtype=torch.float64) / math.sqrt(8)
    eye, nothing = torch.eye(8, dtype=torch.float64), torch.zeros(2, 8, dtype=torch.float64)

    def moves(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor) -> bool:
        query, key = (x[0] + TABLE[[2, 12]]) @ w_q, (x[1] + TABLE[[5, 15]]) @ w_k  # [2, 8] each
        near, far = (query * key).sum(dim=1).tolist()
        return abs(near - far) > 1e-2

    changes = moves(words, w_q, w_k)
    positions_alone = moves(nothing, w_q, w_k)
    possible = not moves(nothing, eye, eye)  # some weights do look at the distance alone
    return the_one(
        {
            "a": not changes,
            "b": changes and not positions_alone,
            "c": changes and positions_alone and possible,
            "d": changes and not possible,
        }
    )
