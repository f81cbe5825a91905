"""Keys of quiz 01, found by experiments on the references of exercises 01, 02, 03 and 06.

Each function tests every claim that an option makes and returns those that held.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import embedding

from grader.quiz import reference

WIDTH = 8
TOLERANCE = 1e-4  # float32 attention on a few unit-sized vectors: rounding stays far below this


def two_tokens_swapped(first: int, second: int, tokens: int) -> str:
    """Swap two tokens in front of a layer without positions; return the claim that holds."""
    attend, x = _attention(1), _random(tokens, WIDTH, seed=2)
    order = torch.arange(tokens)
    order[first], order[second] = second, first
    before, after = attend(x), attend(x[order])
    moved = [row for row in range(tokens) if not _alike(before[row], after[row])]
    pair = sorted((first, second))
    claims = {
        "follow": _alike(after, before[order]),
        "stay": moved == [],
        "pair": moved == pair and not _alike(after, before[order]),
        "all": moved == list(range(tokens)),
    }
    return _only(claims)


def row_of_output(order: str, row: int) -> int:
    """Return where the output of token ``row`` is found after the tokens were put in ``order``."""
    attend = _attention(3)
    new = torch.tensor(_numbers(order))
    x = _random(len(new), WIDTH, seed=4)
    wanted, outputs = attend(x)[row], attend(x[new])
    return _only({place: _alike(wanted, output) for place, output in enumerate(outputs)})


def entry_of_order(order: str, row: int) -> int:
    """Return order[row]: the answer of who reads the order backwards."""
    return _numbers(order)[row]


def before_and_after_pooling() -> str:
    """Return which of equivariant and invariant the rows and their mean are."""
    attend, x = _attention(5), _random(5, WIDTH, seed=6)
    order = torch.tensor([3, 0, 4, 2, 1])
    rows, rows_after = attend(x), attend(x[order])
    mean, mean_after = rows.mean(dim=0), rows_after.mean(dim=0)
    of_rows = _only(
        {"equivariant": _alike(rows_after, rows[order]), "invariant": _alike(rows_after, rows)}
    )
    # A mean has no rows to rearrange: either it stays, or it reacts to the order.
    of_mean = "invariant" if _alike(mean_after, mean) else "sensitive"
    return f"{of_rows}-{of_mean}"


def equivariant_functions() -> set[str]:
    """Return the functions of exercise 01 whose gap is nothing but rounding, for many orders."""
    measured = reference("01_permutation_equivariance")
    names = {
        "attention": "attention",
        "mlp": "per_token_mlp",
        "norm": "layer_norm",
        "causal": "causal_attention",
        "table": "attention_with_table",
    }
    largest = dict.fromkeys(names, 0.0)
    for seed in range(5):
        x, order = _random(6, WIDTH, seed=seed), torch.randperm(6, generator=_generator(seed))
        gaps = measured.survey(x, order)
        largest = {option: max(gap, gaps[names[option]]) for option, gap in largest.items()}
    return {option for option, gap in largest.items() if gap < TOLERANCE}


def rows_rearranged() -> list[str]:
    """Return what attention becomes when all three, the last two, or the first are rearranged."""
    size = 5
    matrices = {name: _random(size, size, seed=seed) for seed, name in enumerate("QKV")}
    query, key, value = (matrices[name] for name in "QKV")
    shuffle = torch.eye(size)[[2, 0, 4, 1, 3]]
    plain = _free_attention(query, key, value)
    candidates = {
        "Attention(Q, K, V)": plain,
        "P * Attention(Q, K, V)": shuffle @ plain,
        "Attention(Q, K, V) * P": plain @ shuffle,
    }
    results = [
        _free_attention(shuffle @ query, shuffle @ key, shuffle @ value),
        _free_attention(query, shuffle @ key, shuffle @ value),
        _free_attention(shuffle @ query, key, value),
    ]
    return [
        _only({formula: _alike(result, found) for formula, found in candidates.items()})
        for result in results
    ]


def causal_mask_alone() -> str:
    """Return what one layer with a causal mask, but without positions, lets a token notice."""
    attend = reference("01_permutation_equivariance").FUNCTIONS["causal_attention"]
    x = _random(6, WIDTH, seed=7)
    before = attend(x)
    earlier_shuffled = attend(x[[2, 0, 3, 1, 4, 5]])  # tokens 4 and 5 stay where they are
    exchanged = attend(x[[0, 1, 2, 3, 5, 4]])  # token 4 comes after token 5 now
    backwards = attend(x.flip(0)).flip(0)
    notices_who = not _alike(exchanged[5], before[4])
    notices_order = not _alike(earlier_shuffled[4:], before[4:])
    claims = {
        "nothing": _alike(backwards, before),
        "members": notices_who and not notices_order,
        "places": notices_who and notices_order,
        "first": not _alike(backwards[0], before[0]) and _alike(backwards[1:], before[1:]),
    }
    return _only(claims)


def letters_of_section_one() -> dict[str, str]:
    """Make each matrix of the lesson's first two sections and return the description it fits."""
    length = 5
    order = torch.tensor([2, 0, 4, 1, 3])
    x, w_q = _random(length, WIDTH, seed=8), _random(WIDTH, WIDTH, seed=9)
    shuffle = torch.eye(length)[order]
    if not _alike(shuffle @ x, reference("01_permutation_equivariance").permute_rows(x, order)):
        raise AssertionError("the matrix does not rearrange rows")
    query, key = _random(length, length, seed=10), _random(length, length, seed=11)
    encode = reference("03_implement_forward").SinusoidalPositionEncoding(WIDTH, max_len=11)
    made = {
        "left-factor": shuffle,
        "summand": encode.pe[:, :length],
        "right-factor": w_q,
        "after-softmax": _free_attention(query, key, torch.eye(length)),
    }
    return {left: _description(matrix, length) for left, matrix in made.items()}


def what_gets_the_position() -> str:
    """Return the claim about ids and vectors that the reference of exercise 06 bears out."""
    vocabulary, length = 12, 4
    weight = _random(vocabulary, WIDTH, seed=12)
    table = reference("02_sinusoidal_table").sinusoidal_table(length, WIDTH)
    ids = torch.tensor([[7, 11, 7, 0]])
    result = reference("06_scale_embedding").embed_tokens(ids, weight, table, scale=False)
    places = torch.arange(length)
    claims = {
        "new-ids": (ids + places).max() < vocabulary and _alike(result, weight[ids + places]),
        "wrapped-ids": _alike(result, weight[(ids + places) % vocabulary]),
        "vectors": _alike(result, weight[ids] + table),
        "more-tokens": result.size(1) == 2 * length,
    }
    return _only(claims)


def vectors_after_adding(a: int, b: int, c: int, d: int) -> int:
    """Return how many different rows are looked up when each position is added to its id."""
    ids = torch.tensor([a, b, c, d])
    return _different_rows(ids + torch.arange(4))


def vectors_before_adding(a: int, b: int, c: int, d: int) -> int:
    """Return how many different rows the ids themselves look up."""
    return _different_rows(torch.tensor([a, b, c, d]))


def from_sentence_to_scores() -> list[str]:
    """Try the six steps in every order; return the one that gives what the references give."""
    words = {"dog": 2, "bites": 0, "man": 1}
    weight, attend = _random(3, WIDTH, seed=13), _attention(14)
    table = reference("02_sinusoidal_table").sinusoidal_table(7, WIDTH)
    drop = torch.nn.Dropout(0.5)
    steps: dict[str, Callable[..., Any]] = {
        "ids": lambda text: torch.tensor([words[word] for word in text.split()]),
        "lookup": lambda ids: embedding(ids, weight),
        "scale": lambda h: h * math.sqrt(WIDTH),
        "add": lambda h: h + table[: h.size(0)].to(h.dtype),
        "dropout": lambda h: _seeded(drop, h),
        "attention": attend,
    }
    embed = reference("06_scale_embedding").embed_tokens
    placed = embed(torch.tensor([[2, 0, 1]]), weight, table)[0]
    expected = attend(_seeded(drop, placed))
    right = [
        order
        for order in itertools.permutations(steps)
        if _alike(_run([steps[name] for name in order], "dog bites man"), expected)
    ]
    return list(_only(dict.fromkeys(right, True)))


def _run(steps: list[Callable[..., Any]], start: object) -> Tensor | None:
    """Return what the steps make of ``start``, or None where one cannot take what it is given."""
    state = start
    for step in steps:
        try:
            state = step(state)
        except (AttributeError, IndexError, RuntimeError, TypeError):
            return None
    return state if isinstance(state, Tensor) else None


def _description(matrix: Tensor, length: int) -> str:
    """Return the choice of ``letters_of_section_one`` that fits ``matrix``."""
    square = matrix.shape == (length, length)
    ones = square and bool(((matrix == 0) | (matrix == 1)).all())
    sums_to_one = square and _alike(matrix.sum(dim=1), torch.ones(length))
    return _only(
        {
            "single-ones": ones and sums_to_one and _alike(matrix.sum(dim=0), torch.ones(length)),
            "places": matrix.shape == (1, length, WIDTH),
            "width": matrix.shape == (WIDTH, WIDTH),
            "shares": sums_to_one and bool((matrix > 0).all()),
            "integers": not matrix.dtype.is_floating_point,
        }
    )


def _free_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Return the reference's attention of any square Q, K, V: with x = I they are the weights."""
    attend = reference("01_permutation_equivariance").self_attention
    return attend(torch.eye(len(query)), query, key, value)


def _attention(seed: int) -> Callable[[Tensor], Tensor]:
    """Return the reference's attention with fixed weights."""
    attend = reference("01_permutation_equivariance").self_attention
    weights = [_random(WIDTH, WIDTH, seed=100 * seed + part) / WIDTH**0.5 for part in range(3)]
    return lambda x: attend(x, *weights)


def _different_rows(ids: Tensor) -> int:
    weight = _random(100, WIDTH, seed=16)
    return len({tuple(row) for row in weight[ids].tolist()})


def _seeded(drop: torch.nn.Dropout, h: Tensor) -> Tensor:
    torch.manual_seed(17)
    return drop(h)


def _only(claims: dict[Any, bool]) -> Any:
    """Return the one claim that holds."""
    held = [name for name, holds in claims.items() if holds]
    if len(held) != 1:
        raise AssertionError(f"exactly one of {list(claims)} should hold, but these do: {held}")
    return held[0]


def _alike(one: Tensor | None, other: Tensor) -> bool:
    if one is None or one.shape != other.shape:
        return False
    return bool((one - other).abs().max() < TOLERANCE)


def _numbers(order: str) -> list[int]:
    return [int(number) for number in order.split(",")]


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _random(*size: int, seed: int) -> Tensor:
    return torch.randn(*size, generator=_generator(seed))
