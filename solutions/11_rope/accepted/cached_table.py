"""Keeps a table of angles that grows on demand and looks positions up; parameters reordered."""

import torch

_TABLES: dict[tuple[int, float], torch.Tensor] = {}


def _rows(positions: torch.Tensor, dim: int, base: float) -> torch.Tensor:
    """Return cos and sin of the angles at these positions, [L, D/2, 2]."""
    least, most = int(positions.min()), int(positions.max())
    if least < 0:
        angle = positions.double().outer(base ** (-torch.arange(0, dim, 2).double() / dim))
        return torch.stack((angle.cos(), angle.sin()), dim=-1).float()
    table = _TABLES.get((dim, base))
    if table is None or table.size(0) <= most:
        exponent = torch.arange(0, dim, 2).double() / dim
        angle = torch.arange(most + 1).double()[:, None] / base**exponent
        table = torch.stack((angle.cos(), angle.sin()), dim=-1).float()
        _TABLES[dim, base] = table
    return table[positions]


def apply_rope(positions: torch.Tensor, x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    cos, sin = _rows(positions, x.size(-1), base).unbind(-1)
    out = x.to(torch.float32, copy=True)
    out[..., 0::2], out[..., 1::2] = (
        x[..., 0::2].float() * cos - x[..., 1::2].float() * sin,
        x[..., 1::2].float() * cos + x[..., 0::2].float() * sin,
    )
    return out.to(x.dtype)


def half_split_permutation(dim: int) -> torch.Tensor:
    order = torch.empty(dim, dtype=torch.long)
    order[0::2] = torch.arange(dim // 2)
    order[1::2] = torch.arange(dim // 2, dim)
    return order


def rope_scores(
    q: torch.Tensor, k: torch.Tensor, k_positions: torch.Tensor, q_positions: torch.Tensor
) -> torch.Tensor:
    return apply_rope(q_positions, q) @ apply_rope(k_positions, k).mT
