"""rotary-embedding-torch: neighbouring columns are a pair there, as they are here."""

from __future__ import annotations

from types import ModuleType

import pytest
import torch

from tests.published.sources import (
    assert_same,
    assert_same_frequencies,
    convention,
    given,
    normal,
    published,
    reference,
)

BATCH, HEADS, LENGTH, DIM = 2, 3, 29, 16
POSITIONS = torch.arange(LENGTH)


@pytest.fixture
def package() -> ModuleType:
    """The package."""
    return published("rotary_embedding_torch")


@pytest.mark.parametrize("base", [10000.0, 500000.0])
@pytest.mark.parametrize("start", [0, 7])
def test_columns_turn_alike(package: ModuleType, base: float, start: int) -> None:
    """Exercise 11, with another base and with positions that do not start at 0."""
    x = normal(BATCH, HEADS, LENGTH, DIM)
    rotary = package.RotaryEmbedding(DIM, theta=base)

    ours = reference("11").apply_rope(x, POSITIONS + start, base)
    theirs = rotary.rotate_queries_or_keys(x, offset=start)
    assert_same(ours, theirs, largest=4 * (LENGTH + start))


def test_a_part_of_the_columns_turns(package: ModuleType) -> None:
    """Exercise 11's convention: an embedding of half the width leaves the other columns alone."""
    x = normal(BATCH, HEADS, LENGTH, DIM)
    rotary = package.RotaryEmbedding(DIM // 2)

    ours = convention("11", "partial-rotary").apply_rope(x, POSITIONS)
    assert_same(ours, rotary.rotate_queries_or_keys(x), largest=4 * LENGTH)


def test_scores_of_the_last_queries(package: ModuleType) -> None:
    """Exercise 11: fewer queries than keys are the last positions."""
    q, k = normal(BATCH, HEADS, 5, DIM), normal(BATCH, HEADS, LENGTH, DIM, seed=1)
    turned_q, turned_k = package.RotaryEmbedding(DIM).rotate_queries_with_cached_keys(q, k)

    ours = reference("11").rope_scores(q, k, POSITIONS[-5:], POSITIONS)
    assert_same(ours, turned_q @ turned_k.mT, largest=16 * LENGTH)


@pytest.mark.parametrize("factor", [2, 4])
def test_positions_shrink_alike(package: ModuleType, factor: int) -> None:
    """Exercise 13: their interpolation factor is the ratio of the two lengths."""
    rotary = package.RotaryEmbedding(DIM, interpolate_factor=float(factor))

    ours = reference("13").interpolate_positions(POSITIONS, LENGTH, factor * LENGTH)
    theirs = rotary.get_seq_pos(LENGTH, torch.device("cpu"), torch.float32)
    assert_same(ours, theirs, largest=LENGTH)


@pytest.mark.parametrize("factor", [1.5, 8.0])
def test_the_base_grows_alike(package: ModuleType, factor: float) -> None:
    """Exercise 13: with our base, every hand has the speed of theirs."""
    rotary = package.RotaryEmbedding(DIM, theta_rescale_factor=factor)

    base = reference("13").ntk_base(DIM, factor)
    assert_same_frequencies(given("13").frequencies(DIM, base), rotary.freqs)
