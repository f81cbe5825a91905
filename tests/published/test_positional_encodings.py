"""positional-encodings: sines and cosines alternate there, as they do here."""

from __future__ import annotations

from types import ModuleType

import pytest
import torch

from tests.published.sources import assert_same, convention, normal, published, reference

BATCH, LENGTH, DIM, MAX_LEN = 2, 37, 12, 50


@pytest.fixture
def package() -> ModuleType:
    """The package's module for torch."""
    return published("positional_encodings.torch_encodings")


@pytest.mark.parametrize("dim", [2, 12, 64])
def test_the_table_is_theirs(package: ModuleType, dim: int) -> None:
    """Exercise 02; their table comes with a batch axis in front."""
    theirs = package.PositionalEncoding1D(dim)(torch.zeros(1, LENGTH, dim))

    assert_same(reference("02").sinusoidal_table(LENGTH, dim), theirs[0], largest=LENGTH)
    with_batch = convention("02", "batch-axis-first").sinusoidal_table(LENGTH, dim)
    assert_same(with_batch, theirs, largest=LENGTH)


def test_the_module_adds_what_theirs_adds(package: ModuleType) -> None:
    """Exercise 03; theirs returns the table, and a second module makes the sum."""
    x = normal(BATCH, LENGTH, DIM)
    rows = package.PositionalEncoding1D(DIM)
    total = package.Summer(rows)(x)

    ours = reference("03").SinusoidalPositionEncoding(DIM, MAX_LEN)
    assert_same(ours(x), total, largest=LENGTH)
    returning = convention("03", "table-returned").SinusoidalPositionEncoding(DIM, MAX_LEN)
    assert_same(returning(x).expand(x.shape), rows(x), largest=LENGTH)


def test_the_table_may_grow(package: ModuleType) -> None:
    """Exercise 03; theirs has no largest length, so a version that computes more rows is theirs."""
    x = normal(BATCH, LENGTH, DIM)
    total = package.Summer(package.PositionalEncoding1D(DIM))(x)

    growing = convention("03", "table-grown").SinusoidalPositionEncoding(DIM, LENGTH // 2)
    assert_same(growing(x), total, largest=LENGTH)


@pytest.mark.parametrize("offset", [0, 1, 9])
def test_the_matrix_moves_their_rows(package: ModuleType, offset: int) -> None:
    """Exercise 08; one matrix takes every row of their table `offset` rows on."""
    table = package.PositionalEncoding1D(DIM)(torch.zeros(1, LENGTH, DIM))[0]

    matrix = reference("08").shift_matrix(offset, DIM)
    moved = table[: LENGTH - offset] @ matrix.T
    assert_same(moved, table[offset:], largest=LENGTH)


def test_their_rows_are_decoded(package: ModuleType) -> None:
    """Exercise 07; every row of their table leads back to its position."""
    table = package.PositionalEncoding1D(DIM)(torch.zeros(1, LENGTH, DIM))[0]

    found = [reference("07").decode_position(row, MAX_LEN) for row in table]
    assert found == list(range(LENGTH))
