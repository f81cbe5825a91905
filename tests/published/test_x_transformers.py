"""x-transformers: learned, sinusoidal and relative positions, rotary embedding and ALiBi."""

from __future__ import annotations

import math
from types import ModuleType

import pytest
import torch

from tests.published.sources import (
    accepted,
    assert_same,
    assert_same_frequencies,
    convention,
    given,
    normal,
    published,
    reference,
    side_by_side,
)

BATCH, HEADS, LENGTH, DIM = 2, 6, 29, 16
POSITIONS = torch.arange(LENGTH)


@pytest.fixture
def package() -> ModuleType:
    """The module that holds its embeddings."""
    return published("x_transformers.x_transformers")


class TestTables:
    def test_the_sinusoids_are_theirs(self, package: ModuleType) -> None:
        """Exercise 02; theirs has all sines first, and is scaled down by sqrt(D) at the start."""
        module = package.ScaledSinusoidalEmbedding(DIM)
        theirs = module(torch.zeros(1, LENGTH, DIM)) * math.sqrt(DIM)

        halves = convention("02", "halves").sinusoidal_table(LENGTH, DIM)
        assert_same(halves, theirs, largest=LENGTH)
        ours = reference("02").sinusoidal_table(LENGTH, DIM)
        assert_same(ours, side_by_side(theirs), largest=LENGTH)

    def test_learned_rows_are_theirs(self, package: ModuleType) -> None:
        """Exercise 09; theirs scales its rows and leaves the sum to the caller."""
        x = normal(BATCH, LENGTH, DIM)
        module = package.AbsolutePositionalEmbedding(DIM, 2 * LENGTH)
        table = module.emb.weight * module.scale

        ours = reference("09").LearnedPositions(2 * LENGTH, DIM)
        ours.table.data = table
        assert_same(ours(x), x + module(x))
        returning = convention("09", "table-returned").LearnedPositions(2 * LENGTH, DIM)
        returning.table.data = table
        assert_same(returning(x), module(x).expand(x.shape))


class TestRotary:
    def test_columns_turn_alike(self, package: ModuleType) -> None:
        """Exercise 11; neighbours are a pair in both."""
        x = normal(BATCH, HEADS, LENGTH, DIM)
        angles, scale = package.RotaryEmbedding(DIM)(POSITIONS)

        ours = reference("11").apply_rope(x, POSITIONS)
        theirs = package.apply_rotary_pos_emb(x, angles, scale)
        assert_same(ours, theirs, largest=4 * LENGTH)

    def test_positions_shrink_alike(self, package: ModuleType) -> None:
        """Exercise 13; each of their angles belongs to two columns."""
        angles, _ = package.RotaryEmbedding(DIM, interpolation_factor=4.0)(POSITIONS)

        shrunk = reference("13").interpolate_positions(POSITIONS, LENGTH, 4 * LENGTH)
        ours = torch.outer(shrunk, given("13").frequencies(DIM))
        assert_same(ours.repeat_interleave(2, dim=-1), angles[0], largest=LENGTH)

    def test_the_base_grows_alike(self, package: ModuleType) -> None:
        """Exercise 13: with our base, every hand has the speed of theirs."""
        rotary = package.RotaryEmbedding(DIM, base_rescale_factor=8.0)

        base = reference("13").ntk_base(DIM, 8.0)
        assert_same_frequencies(given("13").frequencies(DIM, base), rotary.inv_freq)


class TestBuckets:
    @pytest.mark.parametrize("bidirectional", [True, False])
    @pytest.mark.parametrize(("buckets", "reach"), [(8, 20), (32, 128), (40, 1000)])
    def test_distances_share_buckets(
        self, package: ModuleType, bidirectional: bool, buckets: int, reach: int
    ) -> None:
        """Exercise 10; "causal" there is "not bidirectional" here."""
        distance = torch.arange(-3 * reach, 3 * reach + 1)
        theirs = package.RelativePositionBias._relative_position_bucket(
            distance, causal=not bidirectional, num_buckets=buckets, max_distance=reach
        )

        ours = reference("10").t5_bucket(distance, bidirectional, buckets, reach)
        assert torch.equal(ours, theirs)

    def test_bias_of_the_last_queries(self, package: ModuleType) -> None:
        """Exercise 10: distances, buckets and rows together, with fewer queries than keys."""
        ours = reference("10")
        module = package.RelativePositionBias(scale=1.0, heads=HEADS)

        distance = ours.relative_index(5, LENGTH, LENGTH) - LENGTH  # nothing is clipped
        bias = ours.relative_bias(ours.t5_bucket(distance), module.relative_attention_bias.weight)
        assert torch.equal(bias, module(5, LENGTH))


class TestAlibi:
    @pytest.mark.parametrize("heads", range(1, 41))
    def test_slopes_are_theirs(self, package: ModuleType, heads: int) -> None:
        """Exercise 12, powers of two and others; theirs is a list."""
        theirs = package.AlibiPositionalBias._get_slopes(heads)

        assert_same(reference("12").alibi_slopes(heads), torch.tensor(theirs))
        listed = convention("12", "list-returned").alibi_slopes(heads)
        assert isinstance(listed, list)
        assert listed == pytest.approx(theirs, rel=1e-6)

    @pytest.mark.parametrize("queries", [1, 5, LENGTH])
    def test_bias_is_theirs(self, package: ModuleType, queries: int) -> None:
        """Exercise 12; theirs falls off into the future, too, which a causal mask hides."""
        theirs = package.AlibiPositionalBias(HEADS)(queries, LENGTH)

        past = torch.ones(queries, LENGTH).tril(LENGTH - queries)
        ours = reference("12").alibi_bias(HEADS, queries, LENGTH)
        assert_same(ours * past, theirs * past, largest=LENGTH)
        symmetric = accepted("12", "symmetric_outer").alibi_bias(HEADS, queries, LENGTH)
        assert_same(symmetric, theirs, largest=LENGTH)
