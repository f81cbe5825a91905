"""Keys of quiz 02, found by experiments on the references of exercises 02, 03, 05 and 06."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from grader.quiz import reference

DIMS = (6, 8, 12)  # several formulas that are wrong agree with the right one at D=4 or D=10
TOLERANCE = 1e-5


def table_row(pos: int) -> list[float]:
    """Return PE(pos) at D=4."""
    return _table(pos + 1, 4)[pos].tolist()


def exponent_of_table() -> str:
    """Build a table with each exponent; return the one that is the reference's at all widths."""
    exponents: dict[str, Callable[[int, int], float]] = {
        "i-over-d": lambda column, dim: (column // 2) / dim,
        "twice-i-over-d": lambda column, dim: 2 * (column // 2) / dim,
        "k-over-d": lambda column, dim: column / dim,
        "twice-k-over-d": lambda column, dim: 2 * column / dim,
    }
    return _only(
        {
            name: all(_alike(_built(dim, exponent), _table(20, dim)) for dim in DIMS)
            for name, exponent in exponents.items()
        }
    )


def exponent_as_logarithm() -> list[str]:
    """Return the factor of 0, 2, 4, ... and the ratio of neighbours, read off the reference."""
    logarithm = math.log(10000)
    factors: dict[str, Callable[[int], float]] = {
        "-log(10000)/D": lambda dim: -logarithm / dim,
        "-2*log(10000)/D": lambda dim: -2 * logarithm / dim,
        "log(10000)/D": lambda dim: logarithm / dim,
        "-log(10000)/(D-2)": lambda dim: -logarithm / (dim - 2),
    }
    ratios: dict[str, Callable[[int], float]] = {
        "10000^(-2/D)": lambda dim: 10000 ** (-2 / dim),
        "10000^(-1/D)": lambda dim: 10000 ** (-1 / dim),
        "10000^(2/D)": lambda dim: 10000 ** (2 / dim),
        "1/10": lambda dim: 0.1,
    }

    def fits(factor: Callable[[int], float]) -> bool:
        return all(
            _alike(torch.exp(torch.arange(0, dim, 2) * factor(dim)), _frequencies(dim))
            for dim in DIMS
        )

    def is_ratio(ratio: Callable[[int], float]) -> bool:
        found = [_frequencies(dim)[1:] / _frequencies(dim)[:-1] for dim in DIMS]
        return all(
            bool(((seen - ratio(dim)).abs() < 1e-3 * ratio(dim)).all())
            for seen, dim in zip(found, DIMS, strict=True)
        )

    return [
        _only({formula: fits(factor) for formula, factor in factors.items()}),
        _only({formula: is_ratio(ratio) for formula, ratio in ratios.items()}),
    ]


def shapes_of_angles(max_len: int, dim: int) -> list[tuple[int, ...]]:
    """Return the shapes of position times frequency and of the finished buffer."""
    position = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)  # [max_len, 1]
    angle = position * _frequencies(dim)
    buffer = _encoder(dim, max_len).pe
    # The buffer is these angles' sines and cosines, so the shape is that of the right product.
    if not _alike(buffer[0, :, 0::2], angle.sin(), tolerance=1e-3):
        raise AssertionError("these are not the angles of the table")
    return [tuple(angle.shape), tuple(buffer.shape)]


def shapes_in_forward(batch: int, length: int, dim: int, max_len: int) -> list[tuple[int, ...]]:
    """Return the shapes of the buffer, of the slice that forward adds, and of the output."""
    encode, x = _encoder(dim, max_len), torch.zeros(batch, length, dim)
    rows = encode.pe[:, : x.size(1)]
    output = encode(x)
    if not _alike(output, x + rows):
        raise AssertionError("forward adds something else than this slice")
    return [tuple(encode.pe.shape), tuple(rows.shape), tuple(output.shape)]


def shape_without_slice(batch: int, max_len: int, dim: int) -> tuple[int, ...]:
    """Return the shape of a single token plus the whole table."""
    return tuple((torch.zeros(batch, 1, dim) + _encoder(dim, max_len).pe).shape)


def sizes(names: list[str | int], **parameters: int) -> tuple[int, ...]:
    """Return a shape written with names of parameters, ``half`` (of dim) and numbers."""
    known = {"half": parameters["dim"] // 2, **parameters}
    return tuple(known[name] if isinstance(name, str) else name for name in names)


def lengths_of_both(dim: int) -> list[float]:
    """Measure the length of a table row, and of random embeddings before and after scaling."""
    row = _table(100, dim)[77].norm().item()
    weight = torch.randn(5000, dim, generator=torch.Generator().manual_seed(0)) / math.sqrt(dim)
    embed = reference("06_scale_embedding").embed_tokens
    ids, nothing = torch.arange(5000)[None], torch.zeros(5000, dim)
    plain, scaled = (embed(ids, weight, nothing, scale=scale)[0] for scale in (False, True))
    return [row, *(rows.norm(dim=1).square().mean().sqrt().item() for rows in (plain, scaled))]


def why_same_width() -> str:
    """Return the reason for equal widths that experiments leave standing."""
    x, encode = torch.randn(2, 5, 8), _encoder(8, 11)
    by_component = torch.stack([x[..., k] + encode.pe[:, :5, k] for k in range(8)], dim=-1)
    joined = torch.cat([x, torch.zeros(2, 5, 6)], dim=-1)  # widths 8 and 6 join without trouble
    claims = {
        "components": _alike(encode(x), by_component) and not _adds(x, width=6),
        "broadcast": _adds(x, width=6) and _adds(x, width=4),
        "joined": encode(x).size(-1) == 16 and joined.size(-1) != 14,
        "heads": _adds(x, width=12) and _adds(x, width=4),  # 4, 8, 12: all of them fit 4 heads
    }
    return _only(claims)


def rows_added(length: int, rule: str) -> str:
    """Print the rows that tokens get under a wrong reading of ``pe[:, L]``."""
    rows = {
        "slice": list(range(length)),
        "last": [length - 1] * length,
        "only-last": [*[0] * (length - 1), length],
    }
    return str(rows[rule])


def holders() -> dict[str, str]:
    """Put a tensor into a module in five ways; return what each turned out to do."""
    held = {
        "parameter": nn.Parameter(torch.zeros(3)),
        "frozen": nn.Parameter(torch.zeros(3), requires_grad=False),
        "attribute": torch.zeros(3),
        "buffer": True,
        "transient": False,
    }
    return {name: _behaviour(_module(value)) for name, value in held.items()}


def first_repeated(dtype: str, bits: int) -> int:
    """Return the first position that is the same number as the one before it."""
    del bits
    positions = torch.arange(5000).to(getattr(torch, dtype))
    return int((positions[1:] == positions[:-1]).nonzero()[0]) + 1


def _module(value: Tensor | bool) -> nn.Module:
    """Return a module that holds ``value`` as its attribute, or a buffer, persistent or not."""
    module = nn.Module()
    if isinstance(value, bool):
        module.register_buffer("held", torch.zeros(3), persistent=value)
    else:
        module.held = value
    return module


def _behaviour(module: nn.Module) -> str:
    """Return the choice that says what happens to ``module.held``."""
    listed = any(parameter is module.held for parameter in module.parameters())
    saved = "held" in module.state_dict()
    trained = listed and _step_changes(module)
    moved = module.to("meta").held.device.type == "meta"
    return {
        (True, True, True, True): "moves-saved-trained",
        (True, True, True, False): "moves-saved-listed",
        (True, True, False, False): "moves-saved",
        (True, False, False, False): "moves",
        (False, False, False, False): "stays",
    }[moved, saved, listed, trained]


def _step_changes(module: nn.Module) -> bool:
    """Return whether a training step changes ``module.held``."""
    before = module.held.detach().clone()
    other = nn.Parameter(torch.ones(3))  # so that the loss can be differentiated in any case
    optimizer = torch.optim.SGD([*module.parameters(), other], lr=0.1)
    ((module.held + other) ** 2).sum().backward()
    optimizer.step()
    return not torch.equal(module.held.detach(), before)


def _adds(x: Tensor, width: int) -> bool:
    """Return whether positions of another width can be added to ``x``."""
    try:
        x + _encoder(width, 11).pe[:, : x.size(1)]
    except RuntimeError:
        return False
    return True


def _built(dim: int, exponent: Callable[[int, int], float]) -> Tensor:
    """Return a table of 20 rows whose columns have the frequencies 10000 ** -exponent."""
    rows = [
        [
            (math.cos if column % 2 else math.sin)(pos / 10000 ** exponent(column, dim))
            for column in range(dim)
        ]
        for pos in range(20)
    ]
    return torch.tensor(rows)


def _frequencies(dim: int) -> Tensor:
    """Return the frequencies of the reference: the angles of row 1, [dim/2]."""
    row = _table(2, dim)[1]
    return torch.atan2(row[0::2], row[1::2])


def _table(max_len: int, dim: int) -> Tensor:
    return reference("02_sinusoidal_table").sinusoidal_table(max_len, dim)


def _encoder(dim: int, max_len: int) -> nn.Module:
    return reference("03_implement_forward").SinusoidalPositionEncoding(dim, max_len)


def _alike(one: Tensor, other: Tensor, tolerance: float = TOLERANCE) -> bool:
    return one.shape == other.shape and bool((one - other).abs().max() < tolerance)


def _only(claims: dict[Any, bool]) -> Any:
    """Return the one claim that holds."""
    held = [name for name, holds in claims.items() if holds]
    if len(held) != 1:
        raise AssertionError(f"exactly one of {list(claims)} should hold, but these do: {held}")
    return held[0]
