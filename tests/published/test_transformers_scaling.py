"""transformers: how its llama stretches rotary embedding beyond the length of training (13)."""

from __future__ import annotations

import pytest
import torch

from tests.published.sources import (
    assert_same,
    assert_same_frequencies,
    convention,
    given,
    published,
    reference,
)

DIM, LENGTH = 64, 512
PLAIN = {"rope_theta": 10000.0}


def scaled(kind: str, seq_len: int | None = None, **parameters: float) -> torch.Tensor:
    """Return the angular frequencies of one of its ways, float32 [D/2]."""
    config = published("transformers.models.llama.configuration_llama").LlamaConfig(
        hidden_size=DIM,
        num_attention_heads=1,
        max_position_embeddings=LENGTH,
        rope_parameters={"rope_type": kind, **PLAIN, **parameters},
    )
    ways = published("transformers.modeling_rope_utils").ROPE_INIT_FUNCTIONS
    frequencies, _ = ways[kind](config, torch.device("cpu"), seq_len)
    return frequencies


def mixed(keep: torch.Tensor, factor: float) -> torch.Tensor:
    """Return frequencies between slowed by factor, where keep is 0, and as they were, at 1."""
    frequencies = given("13").frequencies(DIM)
    return keep * frequencies + (1 - keep) * frequencies / factor


@pytest.mark.parametrize("factor", [2.0, 8.0])
def test_linear_is_shrunk_positions(factor: float) -> None:
    """They slow the hands where we shrink the positions; the angles are the same."""
    positions = torch.arange(100)
    theirs = torch.outer(positions.float(), scaled("linear", factor=factor))

    shrunk = reference("13").interpolate_positions(positions, LENGTH, int(factor * LENGTH))
    ours = torch.outer(shrunk, given("13").frequencies(DIM))
    assert_same(ours, theirs, largest=100)


@pytest.mark.parametrize("seq_len", [LENGTH, 2 * LENGTH, 5 * LENGTH])
def test_dynamic_is_our_base(seq_len: int) -> None:
    """Their factor grows with the sequence: factor * length / trained - (factor - 1)."""
    theirs = scaled("dynamic", seq_len, factor=4.0)

    base = reference("13").ntk_base(DIM, 4.0 * seq_len / LENGTH - 3.0)
    assert_same_frequencies(given("13").frequencies(DIM, base), theirs)


@pytest.mark.parametrize(("slow", "fast"), [(1.0, 32.0), (1.0, 4.0), (2.0, 10.0)])
def test_llama3_has_our_ramp(slow: float, fast: float) -> None:
    """Llama 3 mixes over the turns in training, as YaRN's formula does."""
    theirs = scaled(
        "llama3",
        factor=8.0,
        low_freq_factor=slow,
        high_freq_factor=fast,
        original_max_position_embeddings=LENGTH,
    )

    assert_same_frequencies(mixed(reference("13").yarn_ramp(DIM, LENGTH, slow, fast), 8.0), theirs)
    reverse = convention("13", "ramp-reversed").yarn_ramp(DIM, LENGTH, slow, fast)
    assert_same_frequencies(mixed(1 - reverse, 8.0), theirs)  # there 1 is fully slowed


@pytest.mark.parametrize(("slow", "fast"), [(1.0, 32.0), (2.0, 10.0)])
def test_yarn_code_has_its_ramp_over_pairs(slow: float, fast: float) -> None:
    """The published code is straight over the numbers of the pairs, between whole pairs."""
    theirs = scaled(
        "yarn",
        factor=8.0,
        beta_slow=slow,
        beta_fast=fast,
        original_max_position_embeddings=LENGTH,
    )

    ramp = convention("13", "ramp-over-pairs").yarn_ramp(DIM, LENGTH, slow, fast)
    assert_same_frequencies(mixed(ramp, 8.0), theirs)
    formula = reference("13").yarn_ramp(DIM, LENGTH, slow, fast)
    assert not torch.allclose(mixed(formula, 8.0).float(), theirs, rtol=1e-3)
