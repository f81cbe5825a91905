"""练习 01 给定的六个函数：都接受 [L, D]，返回 [L, D]，权重固定不变。

Six functions for exercise 01, each from [L, D] to [L, D] with weights that never change. Which of
them notice the order of their rows? Your equivariance_gap will tell.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

TABLE_ROWS = 64  # attention_with_table takes at most so many tokens


def _numbers(rows: int, columns: int, seed: int) -> Tensor:
    """Return the same [rows, columns] numbers at every call."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, columns, generator=generator, dtype=torch.float64)


def _weights(dim: int, seed: int, x: Tensor) -> Tensor:
    """Return a fixed [D, D] matrix in the dtype of x."""
    return (_numbers(dim, dim, seed) / dim**0.5).to(x.dtype)


def _attend(x: Tensor, *, causal: bool) -> Tensor:
    """Return one head of scaled dot-product attention of x on itself."""
    query, key, value = (x @ _weights(x.size(-1), seed, x) for seed in (11, 12, 13))
    return functional.scaled_dot_product_attention(query, key, value, is_causal=causal)


def attention(x: Tensor) -> Tensor:
    """自注意力，没有掩码，没有位置。Self-attention without mask, without positions."""
    return _attend(x, causal=False)


def per_token_mlp(x: Tensor) -> Tensor:
    """对每个 token 单独做同一个两层网络。The same two-layer network for each token by itself."""
    dim = x.size(-1)
    return (x @ _weights(dim, 21, x)).relu() @ _weights(dim, 22, x)


def layer_norm(x: Tensor) -> Tensor:
    """LayerNorm：每个 token 用自己的均值和方差归一化。Each token normalised by itself."""
    return functional.layer_norm(x, (x.size(-1),))


def causal_attention(x: Tensor) -> Tensor:
    """带因果掩码的自注意力：每个 token 只看自己和前面的。A token sees itself and earlier ones."""
    return _attend(x, causal=True)


def attention_with_table(x: Tensor) -> Tensor:
    """先加一张位置表，再做自注意力。Adds a table, one row per position, then attends."""
    table = _numbers(TABLE_ROWS, x.size(-1), 31)[: x.size(0)]  # [L, D]
    return _attend(x + table.to(x.dtype), causal=False)


def running_sum(x: Tensor) -> Tensor:
    """第 i 行是输入第 0 行到第 i 行之和。Row i is the sum of the input's rows 0 to i."""
    return x.cumsum(dim=0)


FUNCTIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "attention": attention,
    "per_token_mlp": per_token_mlp,
    "layer_norm": layer_norm,
    "causal_attention": causal_attention,
    "attention_with_table": attention_with_table,
    "running_sum": running_sum,
}
