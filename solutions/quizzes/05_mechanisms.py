"""Keys of quiz 05: the mechanisms are run, within and past a training length, and compared."""

import itertools
import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from grader.quiz import reference

build_table = reference("02_sinusoidal_table").sinusoidal_table
forward = reference("03_implement_forward")
embedding = reference("06_scale_embedding")
shifts = reference("08_shift_matrix")
learned = reference("09_learned_positions")
relative = reference("10_relative_positions")
rope = reference("11_rope")
alibi = reference("12_alibi")
beyond = reference("13_beyond_train_length")

TRAINED, LONGER = 512, 2048


def the_one(claims: Mapping[str, bool]) -> str:
    """Return the id of the only claim that holds."""
    (found,) = (name for name, holds in claims.items() if holds)
    return found


def numbers(*shape: int) -> Tensor:
    """Return the same random numbers at every call."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def close(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one.double(), other.double(), atol=1e-4)


def refuses(function: Callable[..., object], *given: object) -> bool:
    try:
        function(*given)
    except ValueError:
        return True
    return False


# where-it-acts


def acts() -> dict[str, str]:
    """Match mechanisms with what they change, by looking at what each of them returns."""
    x = numbers(2, 5, 8)  # [B, L, D]
    table = numbers(5, 3).requires_grad_()  # [2 k + 1, H]
    index = relative.relative_index(5, 5, 2)
    return {
        "sinusoid": added(forward.SinusoidalPositionEncoding(8, 11), x),
        "learned": added(learned.LearnedPositions(11, 8), x),
        "relative": biased(relative.relative_bias(index, table)),
        "rope": turned(x),
        "alibi": biased(alibi.alibi_bias(3, 5, 5)),
    }


def added(module: nn.Module, x: Tensor) -> str:
    """Look at a module that gets embeddings."""
    same_for_all = close(module(x) - x, module(torch.zeros_like(x)))
    trained = any(True for _ in module.parameters())
    return the_one({"p": same_for_all and not trained, "q": same_for_all and trained})


def biased(bias: Tensor) -> str:
    """Look at what is added to scores, [H, L, L]."""
    by_distance = close(bias[:, 1:, 1:].tril(), bias[:, :-1, :-1].tril())
    steps = bias[:, -1].detach().diff()  # [H, L - 1], from one key to the next
    linear = bool((steps > 0).all()) and close(steps, steps[:, :1].expand_as(steps))
    return the_one(
        {
            "r": by_distance and bias.requires_grad,
            "s": by_distance and not bias.requires_grad and linear,
        }
    )


def turned(x: Tensor) -> str:
    """Look at RoPE: it adds nothing and keeps every length."""
    after = rope.apply_rope(x, torch.arange(5))
    nothing = rope.apply_rope(torch.zeros_like(x), torch.arange(5))
    return the_one({"t": close(after.norm(dim=-1), x.norm(dim=-1)) and not nothing.any()})


# past-the-training-length


def past() -> dict[str, str]:
    """Run every mechanism on more tokens than it was trained on."""
    x = numbers(1, LONGER, 8)
    new_angles = bool(beyond.unseen_phase_pairs(8, TRAINED, LONGER))
    rows = build_table(LONGER, 8)
    rotated = rope.apply_rope(x, torch.arange(LONGER))
    index = relative.relative_index(1, LONGER, 64)[0]  # [LONGER], the last query
    steps = alibi.alibi_bias(8, 1, LONGER)[:, 0].diff()  # [H, LONGER - 1]
    learned_table = learned.LearnedPositions(TRAINED, 8)
    return {
        "learned": the_one({"u": refuses(learned_table, x.float())}),
        "sinusoid": the_one({"v": bool(rows.isfinite().all()) and new_angles}),
        "rope": the_one({"v": bool(rotated.isfinite().all()) and new_angles}),
        "relative": the_one({"w": index[: LONGER - 64].unique().numel() == 1}),
        "alibi": the_one({"x": close(steps, steps[:, :1].expand_as(steps))}),
    }


# what-is-safe-to-say


def safe() -> set[str]:
    claims = {
        "a": bool(build_table(100_001, 64)[100_000].isfinite().all()),
        "b": readout_error(TRAINED, LONGER) < 2 * readout_error(0, TRAINED),
        "c": refuses(learned.LearnedPositions(TRAINED, 8), torch.zeros(1, TRAINED + 1, 8)),
        "d": not beyond.unseen_phase_pairs(64, TRAINED, LONGER),
        "e": bool((alibi.alibi_bias(8, 1, 100_000)[:, 0].diff() > 0).all()),
    }
    return {name for name, holds in claims.items() if holds}


def readout_error(start: int, end: int) -> float:
    """Train a linear layer to tell the position from PE below 512; return its error elsewhere."""
    rows = build_table(LONGER, 64).double()
    where = torch.arange(LONGER, dtype=torch.float64)[:, None]  # [LONGER, 1]
    layer = torch.linalg.lstsq(rows[:TRAINED], where[:TRAINED], driver="gelsd").solution
    return (rows @ layer - where)[start:end].abs().mean().item()


# after-interpolation


def interpolated() -> str:
    """Let a trained pattern, "attend to the token before", meet interpolated positions."""
    shrunk = beyond.interpolate_positions(torch.arange(LONGER), TRAINED, LONGER).double()
    angle = torch.outer(shrunk, beyond.frequencies(64))
    rows = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)  # [LONGER, 64]
    wanted = shifts.shift_matrix(-1, 64).double() @ rows[1000]  # one old step before token 1000
    steps_back = 1000 - int((rows @ wanted).argmax())
    no_new_angle = bool(shrunk.max() < TRAINED)
    return the_one(
        {
            "a": no_new_angle and steps_back == 1,
            "b": no_new_angle and steps_back > 1,
            "c": math.isclose(angle[1, 0].item(), 1.0),
            "d": not bool(rows.isfinite().all()),
        }
    )


# slopes-of-alibi


def slopes(power: int, head: int, heads: int, extra: int) -> list[float]:
    return [alibi.alibi_slopes(n)[h - 1].item() for n, h in ((power, head), (heads, extra))]


def sequence_continued(power: int, head: int, heads: int, extra: int) -> float:
    """Go on with the geometric sequence of the heads that are a power of two."""
    whole = 1 << (heads.bit_length() - 1)
    return 2.0 ** (-8 * extra / whole)


# row-of-a-cached-query: the item's own code is run


def counted_from_the_first_key(heads: int) -> str:
    slope = alibi.alibi_slopes(heads)[0].item()
    return "\n".join(str(-slope * key) for key in range(4))


def rewarded(heads: int) -> str:
    slope = alibi.alibi_slopes(heads)[0].item()
    return "\n".join(str(slope * steps) for steps in (3, 2, 1, 0))


# row-of-the-bias-table


def bias_row(k: int, query: int, key: int) -> list[int]:
    """Return how many rows the table needs, and which of them the two positions use."""
    length = 2 * k + 3  # long enough to be clipped on both sides
    rows = relative.relative_index(length, length, k).unique().numel()
    size = max(query, key) + 1
    return [rows, relative.relative_index(size, size, k)[query, key].item()]


# buckets-of-t5


def buckets(past: int, future: int) -> list[int]:
    return relative.t5_bucket(torch.tensor([past, future]), True, 32, 128).tolist()


# rotations-that-leave-the-score


def same_scores() -> set[str]:
    """Turn one query and one key to several places and compare with query 5, key 2."""
    q, k = numbers(2, 1, 8)  # [1, D] each

    def product(query: int, key: int) -> float:
        return rope.rope_scores(q, k, torch.tensor([query]), torch.tensor([key])).item()

    tried = {"a": (105, 102), "b": (2, 5), "c": (3, 0), "d": (5, 0), "e": (-5, -2)}
    return {name for name, places in tried.items() if math.isclose(product(*places), product(5, 2))}


# steps-of-a-rope-layer

State = dict[str, Tensor]


def project(state: State) -> None:
    weights = numbers(3, 8, 8) / math.sqrt(8)
    state |= dict(zip("qkv", state["x"] @ weights, strict=True))


def turn(state: State) -> None:
    """Turn queries and keys, or the embeddings where there are none yet."""
    for name in ("q", "k") if "q" in state else ("x",):
        state[name] = rope.apply_rope(state[name], torch.arange(5))


def score(state: State) -> None:
    state["s"] = state["q"] @ state["k"].mT / math.sqrt(8)


def mask(state: State) -> None:
    state["s"] = state["s"].masked_fill(torch.ones(5, 5).triu(1).bool(), -math.inf)


def softmax(state: State) -> None:
    state["s"] = state["s"].softmax(dim=-1)


def mix(state: State) -> None:
    state["out"] = state["s"] @ state["v"]


def rope_layer() -> list[str]:
    """Find the only order of the steps that gives causal attention with RoPE."""
    x = numbers(5, 8)
    q, k, v = x @ (numbers(3, 8, 8) / math.sqrt(8))
    scores = rope.rope_scores(q, k, torch.arange(5), torch.arange(5))
    wanted = [(scores[i, : i + 1] / math.sqrt(8)).softmax(dim=0) @ v[: i + 1] for i in range(5)]
    steps = {step.__name__: step for step in (project, turn, score, mask, softmax, mix)}

    def gives_it(order: tuple[str, ...]) -> bool:
        state = {"x": x}
        try:
            for name in order:
                steps[name](state)
        except KeyError:  # a step came before what it needs
            return False
        return close(state["out"], torch.stack(wanted))

    (found,) = (order for order in itertools.permutations(steps) if gives_it(order))
    return list(found)


# base-of-ntk


def ntk(dim: int, factor: int) -> float:
    return beyond.ntk_base(dim, factor)


# learned-table-stretched


def old_place(rows: int, new: int, row: int) -> float:
    """Stretch a table whose row r holds the number r: what is in a new row is its old place."""
    table = torch.arange(rows, dtype=torch.float64)[:, None]
    return learned.interpolate_table(table, new)[row, 0].item()


# sizes-before-the-sum


def sizes(dim: int) -> list[float]:
    """Return the root mean square of embeddings before and after scaling, and of the table."""
    weight = numbers(7, dim).sign() / math.sqrt(dim)  # as large as initialised numbers, exactly
    ids, nothing = torch.arange(7)[None], torch.zeros(7, dim)
    kept = embedding.embed_tokens(ids, weight, nothing, scale=False)
    scaled = embedding.embed_tokens(ids, weight, nothing)
    return [t.double().square().mean().sqrt().item() for t in (kept, scaled, build_table(7, dim))]
