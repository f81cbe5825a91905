"""torch itself: what its own functions do is right under their conventions."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

from tests.published.sources import assert_same, convention, normal, reference

LENGTH, DIM = 11, 8


class TestAttention:
    def test_one_head_is_theirs(self) -> None:
        """Exercise 01; torch has the projections outside."""
        x = normal(LENGTH, DIM)
        w_q, w_k, w_v = normal(3, DIM, DIM, seed=1)
        projected = (x @ w_q, x @ w_k, x @ w_v)

        ours = reference("01").self_attention(x, w_q, w_k, w_v)
        assert_same(ours, functional.scaled_dot_product_attention(*projected), largest=32)

    def test_weights_may_be_stored_transposed(self) -> None:
        """Exercise 01; nn.MultiheadAttention keeps weights as [out, in]."""
        x = normal(LENGTH, DIM)
        weights = normal(3, DIM, DIM, seed=1)
        module = nn.MultiheadAttention(DIM, num_heads=1, bias=False)
        module.in_proj_weight.data = weights.flatten(0, 1)
        module.out_proj.weight.data = torch.eye(DIM)

        ours = convention("01", "weights-transposed").self_attention(x, *weights)
        assert_same(ours, module(x, x, x)[0], largest=32)


class TestLearnedPositions:
    def test_unit_size_is_what_an_embedding_starts_from(self) -> None:
        """Exercise 09; from the same seed come the very same numbers."""
        with torch.random.fork_rng():
            torch.manual_seed(3)
            theirs = nn.Embedding(LENGTH, DIM).weight
            torch.manual_seed(3)
            ours = convention("09", "starts-at-unit-size").LearnedPositions(LENGTH, DIM).table

        assert torch.equal(ours, theirs)

    @pytest.mark.parametrize(("rows", "new"), [(11, 29), (29, 11), (11, 11), (2, 9), (1, 4)])
    def test_tables_are_resized_alike(self, rows: int, new: int) -> None:
        """Exercise 09; torch resizes the last axis, and keeps the ends where it is told to."""
        table = normal(rows, DIM)
        theirs = functional.interpolate(table.T[None], size=new, mode="linear", align_corners=True)

        assert_same(reference("09").interpolate_table(table, new), theirs[0].T, largest=rows)


class TestPositions:
    @pytest.mark.parametrize("new", [12, 50])
    def test_ends_may_be_aligned(self, new: int) -> None:
        """Exercise 13; resizing 0, 1, 2, ... with the ends kept gives the shrunk positions."""
        positions = torch.arange(float(LENGTH))
        theirs = functional.interpolate(
            positions[None, None], size=new, mode="linear", align_corners=True
        )

        module = convention("13", "ends-aligned")
        ours = module.interpolate_positions(torch.arange(new), LENGTH, new)
        assert_same(ours, theirs[0, 0], largest=LENGTH)
