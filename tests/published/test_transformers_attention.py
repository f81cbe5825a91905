"""transformers: rotary embedding, relative positions, T5's buckets and ALiBi."""

from __future__ import annotations

import pytest
import torch

from tests.published.sources import (
    assert_same,
    convention,
    normal,
    published,
    reference,
    side_by_side,
)

BATCH, HEADS, LENGTH, DIM = 2, 6, 29, 16
POSITIONS = torch.arange(LENGTH)
MODELS = "transformers.models"


def llama_angles(dim: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return llama's cosines and sines, [1, L, dim] each, both halves the same."""
    config = published(f"{MODELS}.llama.configuration_llama").LlamaConfig(
        hidden_size=dim, num_attention_heads=1
    )
    package = published(f"{MODELS}.llama.modeling_llama")
    cos, sin = package.LlamaRotaryEmbedding(config)(torch.zeros(1), POSITIONS[None])
    return cos, sin


class TestRotary:
    def test_llama_pairs_halves(self) -> None:
        """Exercise 11: columns i and i + D/2 are a pair; our permutation puts them side by side."""
        package = published(f"{MODELS}.llama.modeling_llama")
        q, k = normal(2, BATCH, HEADS, LENGTH, DIM)
        theirs = package.apply_rotary_pos_emb(q, k, *llama_angles(DIM))

        for x, turned in zip((q, k), theirs, strict=True):
            ours = convention("11", "half-split").apply_rope(x, POSITIONS)
            assert_same(ours, turned, largest=4 * LENGTH)
            ours = reference("11").apply_rope(side_by_side(x), POSITIONS)
            assert_same(ours, side_by_side(turned), largest=4 * LENGTH)

    def test_nanochat_turns_the_other_way(self) -> None:
        """Exercise 11: by minus theta. Converted: nanochat has halves."""
        package = published(f"{MODELS}.nanochat.modeling_nanochat")
        q, k = normal(2, BATCH, HEADS, LENGTH, DIM)
        theirs = package.apply_rotary_pos_emb(q, k, *llama_angles(DIM))

        for x, turned in zip((q, k), theirs, strict=True):
            ours = convention("11", "sign-both").apply_rope(side_by_side(x), POSITIONS)
            assert_same(ours, side_by_side(turned), largest=4 * LENGTH)

    def test_glm_turns_half_of_the_columns(self) -> None:
        """Exercise 11: neighbours are a pair, and angles for D/2 columns leave the others alone."""
        package = published(f"{MODELS}.glm.modeling_glm")
        q, k = normal(2, BATCH, HEADS, LENGTH, DIM)
        theirs = package.apply_rotary_pos_emb(q, k, *llama_angles(DIM // 2))

        for x, turned in zip((q, k), theirs, strict=True):
            ours = convention("11", "partial-rotary").apply_rope(x, POSITIONS)
            assert_same(ours, turned, largest=4 * LENGTH)

    def test_gptj_pairs_neighbours(self) -> None:
        """Exercise 11; heads come after positions there: [batch, length, heads, D]."""
        package = published(f"{MODELS}.gptj.modeling_gptj")
        x = normal(BATCH, HEADS, LENGTH, DIM)
        sin, cos = package.create_sinusoidal_positions(LENGTH, DIM)[None].chunk(2, dim=-1)
        theirs = package.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos)

        ours = reference("11").apply_rope(x, POSITIONS)
        assert_same(ours, theirs.transpose(1, 2), largest=4 * LENGTH)


class TestRelativePositions:
    def test_deberta_counts_query_minus_key(self) -> None:
        """Exercise 10; its distances are neither clipped nor shifted, and have a batch axis."""
        package = published(f"{MODELS}.deberta_v2.modeling_deberta_v2")
        theirs = package.build_relative_position(torch.empty(LENGTH, 1), torch.empty(LENGTH, 1))[0]

        module = convention("10", "query-minus-key")
        assert torch.equal(module.relative_index(LENGTH, LENGTH, LENGTH) - LENGTH, theirs)
        ours = reference("10").relative_index(LENGTH, LENGTH, LENGTH) - LENGTH
        assert torch.equal(-ours, theirs)

    @pytest.mark.parametrize("reach", [4, LENGTH])
    def test_speecht5_clips_and_shifts(self, reach: int) -> None:
        """Exercise 10. Converted: speecht5 has one row less, so its last row serves two distances.

        Each row of its table holds its own number here, so that looking up shows the index.
        """
        package = published(f"{MODELS}.speecht5.modeling_speecht5")
        module = package.SpeechT5RelativePositionalEncoding(1, reach)
        module.pe_k.weight.data = torch.arange(2.0 * reach)[:, None]
        theirs = module(torch.empty(1, LENGTH, 1))[..., 0].long()

        ours = convention("10", "query-minus-key").relative_index(LENGTH, LENGTH, reach)
        assert torch.equal(ours.clamp(max=2 * reach - 1), theirs)
        ours = reference("10").relative_index(LENGTH, LENGTH, reach)
        assert torch.equal(ours.clamp(max=2 * reach - 1), theirs.T)  # the end in the past
        assert torch.equal((2 * reach - ours).clamp(max=2 * reach - 1), theirs)  # in the future

    @pytest.mark.parametrize("bidirectional", [True, False])
    @pytest.mark.parametrize(("buckets", "reach"), [(8, 20), (32, 128), (40, 1000)])
    def test_distances_share_buckets(self, bidirectional: bool, buckets: int, reach: int) -> None:
        """Exercise 10, far beyond the largest distance on both sides."""
        package = published(f"{MODELS}.t5.modeling_t5")
        distance = torch.arange(-3 * reach, 3 * reach + 1)
        arguments = (distance, bidirectional, buckets, reach)

        theirs = package.T5Attention._relative_position_bucket(*arguments)
        assert torch.equal(reference("10").t5_bucket(*arguments), theirs)

    def test_t5_has_a_batch_axis_in_front(self) -> None:
        """Exercise 10: distances, buckets and rows together."""
        package = published(f"{MODELS}.t5.modeling_t5")
        config = published(f"{MODELS}.t5.configuration_t5").T5Config(num_heads=HEADS, d_model=DIM)
        attention = package.T5Attention(config, has_relative_attention_bias=True)
        theirs = attention.compute_bias(LENGTH, LENGTH)

        module = convention("10", "batch-axis-in-front")
        distance = module.relative_index(LENGTH, LENGTH, LENGTH) - LENGTH
        table = attention.relative_attention_bias.weight
        ours = module.relative_bias(module.t5_bucket(distance), table)
        assert torch.equal(ours, theirs)


class TestAlibi:
    @pytest.mark.parametrize("heads", range(1, 41))
    def test_bloom_has_equal_rows(self, heads: int) -> None:
        """Exercise 12: slope times the key's number, one row that all queries share."""
        package = published(f"{MODELS}.bloom.modeling_bloom")
        mask = torch.ones(1, LENGTH, dtype=torch.long)
        theirs = package.build_alibi_tensor(mask, heads, torch.float32)

        ours = convention("12", "equal-rows").alibi_bias(heads, 5, LENGTH)
        assert_same(ours, theirs.expand(heads, 5, LENGTH), largest=LENGTH)
        assert_same(reference("12").alibi_slopes(heads), theirs[:, 0, 1])

    @pytest.mark.parametrize("heads", range(1, 41))
    def test_mpt_has_a_single_row(self, heads: int) -> None:
        """Exercise 12: slope times distance, right for the last query."""
        package = published(f"{MODELS}.mpt.modeling_mpt")
        theirs = package.build_mpt_alibi_tensor(heads, LENGTH)

        assert_same(convention("12", "single-row").alibi_bias(heads, 5, LENGTH), theirs, LENGTH)
        ours = convention("12", "equal-rows-from-the-end").alibi_bias(heads, 5, LENGTH)
        assert_same(ours, theirs.expand(heads, 5, LENGTH), LENGTH)
        assert_same(reference("12").alibi_bias(heads, 1, LENGTH), theirs, LENGTH)

    def test_causal_softmax_sees_no_difference(self) -> None:
        """Exercise 12: what the conventions say of softmax is true of bloom's and MPT's bias."""
        bloom = published(f"{MODELS}.bloom.modeling_bloom").build_alibi_tensor(
            torch.ones(1, LENGTH, dtype=torch.long), HEADS, torch.float32
        )
        mpt = published(f"{MODELS}.mpt.modeling_mpt").build_mpt_alibi_tensor(HEADS, LENGTH)
        scores = normal(HEADS, LENGTH, LENGTH)
        scores = scores.masked_fill(torch.ones(LENGTH, LENGTH).triu(1).bool(), -torch.inf)

        ours = (scores + reference("12").alibi_bias(HEADS, LENGTH, LENGTH)).softmax(dim=-1)
        counted = convention("12", "cumulative-count").alibi_bias(HEADS, LENGTH, LENGTH)
        for bias in (bloom, mpt, counted):
            assert_same(ours, (scores + bias).softmax(dim=-1), largest=LENGTH)
