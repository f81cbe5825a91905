"""transformers: sinusoidal and learned positions; every model has conventions of its own."""

from __future__ import annotations

import math

import pytest
import torch

from tests.published.sources import (
    assert_same,
    assert_same_frequencies,
    convention,
    normal,
    published,
    reference,
    side_by_side,
)

BATCH, LENGTH, DIM, VOCABULARY = 2, 37, 12, 23
MODELS = "transformers.models"


class TestSinusoids:
    def test_distilbert_alternates(self) -> None:
        """Exercise 02, without a conversion."""
        package = published(f"{MODELS}.distilbert.modeling_distilbert")
        theirs = torch.empty(LENGTH, DIM)
        package.create_sinusoidal_embeddings(LENGTH, DIM, out=theirs)

        assert_same(reference("02").sinusoidal_table(LENGTH, DIM), theirs)

    def test_ctrl_has_halves(self) -> None:
        """Exercise 02: all sines, then all cosines."""
        package = published(f"{MODELS}.ctrl.modeling_ctrl")
        theirs = package.positional_encoding(LENGTH, DIM, torch.float32)

        halves = convention("02", "halves").sinusoidal_table(LENGTH, DIM)
        assert_same(halves, theirs, largest=LENGTH)
        ours = reference("02").sinusoidal_table(LENGTH, DIM)
        assert_same(ours, side_by_side(theirs), largest=LENGTH)

    def test_whisper_spaces_by_half_minus_one(self) -> None:
        """Exercise 02: the last pair is exactly at 1/10000. Converted: whisper has halves."""
        package = published(f"{MODELS}.whisper.modeling_whisper")
        theirs = package.sinusoids(LENGTH, DIM)

        ours = convention("02", "half-minus-one").sinusoidal_table(LENGTH, DIM)
        assert_same(ours, side_by_side(theirs), largest=LENGTH)

    def test_musicgen_has_cosines_first(self) -> None:
        """Exercise 02. Converted: musicgen has halves, and spaces by D/2 - 1 what we space by D/2.

        Spacing by D/2 - 1 is spacing by D/2 with the base 10000 ** (D / (D - 2)).
        """
        package = published(f"{MODELS}.musicgen.modeling_musicgen")
        theirs = package.MusicgenSinusoidalPositionalEmbedding.get_embedding(LENGTH, DIM)

        base = 10000.0 ** (DIM / (DIM - 2))
        ours = convention("02", "cos-first").sinusoidal_table(LENGTH, DIM, base)
        assert_same(ours, side_by_side(theirs), largest=LENGTH)

    def test_xlnet_has_the_batch_in_the_middle(self) -> None:
        """Exercise 02: [length, 1, D]. Converted: xlnet has halves."""
        package = published(f"{MODELS}.xlnet.modeling_xlnet")
        frequency = 10000.0 ** -(torch.arange(0, DIM, 2) / DIM)
        theirs = package.XLNetModel.positional_embedding(torch.arange(LENGTH), frequency)

        ours = convention("02", "batch-axis-middle").sinusoidal_table(LENGTH, DIM)
        assert_same(ours, side_by_side(theirs), largest=LENGTH)


class TestFrequencies:
    def test_wavelengths_are_distilberts(self) -> None:
        """Exercise 07: row 1 holds the sine of every angular frequency, 1 radian at most."""
        package = published(f"{MODELS}.distilbert.modeling_distilbert")
        table = torch.empty(2, DIM)
        package.create_sinusoidal_embeddings(2, DIM, out=table)

        theirs = 2 * math.pi / table[1, 0::2].double().asin()
        assert_same_frequencies(reference("07").wavelengths(DIM), theirs)

    def test_wavelengths_of_whisper(self) -> None:
        """Exercise 07, the same for whisper's spacing; the sines are its first half."""
        package = published(f"{MODELS}.whisper.modeling_whisper")
        sines = package.sinusoids(2, DIM)[1, : DIM // 2]

        theirs = 2 * math.pi / sines.double().asin()
        assert_same_frequencies(convention("07", "half-minus-one").wavelengths(DIM), theirs)

    @pytest.mark.parametrize("offset", [0, 1, 9])
    def test_halves_have_a_matrix_of_their_own(self, offset: int) -> None:
        """Exercise 08: in CTRL's table columns i and i + D/2 turn together."""
        package = published(f"{MODELS}.ctrl.modeling_ctrl")
        table = package.positional_encoding(LENGTH, DIM, torch.float32)

        matrix = convention("08", "acts-on-halves").shift_matrix(offset, DIM)
        moved = table[: LENGTH - offset] @ matrix.T
        assert_same(moved, table[offset:], largest=LENGTH)


class TestEmbeddings:
    def test_m2m100_scales_like_us(self) -> None:
        """Exercise 06, up to the sum: ids that are not padding."""
        package = published(f"{MODELS}.m2m_100.modeling_m2m_100")
        look_up = package.M2M100ScaledWordEmbedding(VOCABULARY, DIM, 0, math.sqrt(DIM))
        ids = torch.arange(1, 2 * LENGTH + 1).view(BATCH, LENGTH) % (VOCABULARY - 1) + 1
        table = normal(LENGTH + 4, DIM)

        ours = reference("06").embed_tokens(ids, look_up.weight, table)
        assert_same(ours, look_up(ids) + table[:LENGTH], largest=16)

    def test_m2m100_clears_its_padding(self) -> None:
        """Exercise 06: id 0 has an embedding of zeros, whatever its row of the weights."""
        package = published(f"{MODELS}.m2m_100.modeling_m2m_100")
        look_up = package.M2M100ScaledWordEmbedding(VOCABULARY, DIM, 0, math.sqrt(DIM))
        ids = torch.arange(2 * LENGTH).view(BATCH, LENGTH) % VOCABULARY
        weight = look_up.weight.detach().clone()
        weight[0] = 1.0
        table = normal(LENGTH + 4, DIM)

        ours = convention("06", "padding-zeroed").embed_tokens(ids, weight, table)
        assert_same(ours, look_up(ids) + table[:LENGTH], largest=16)

    def test_m2m100_keeps_row_0_for_padding(self) -> None:
        """Exercise 06: with padding id 0 the first token gets row 1."""
        package = published(f"{MODELS}.m2m_100.modeling_m2m_100")
        positions = package.M2M100SinusoidalPositionalEmbedding(LENGTH + 4, DIM, padding_idx=0)
        ids = torch.arange(1, 2 * LENGTH + 1).view(BATCH, LENGTH) % (VOCABULARY - 1) + 1
        weight = normal(VOCABULARY, DIM)

        module = convention("06", "positions-from-one")
        ours = module.embed_tokens(ids, weight, positions.weights)
        theirs = math.sqrt(DIM) * weight[ids] + positions(ids)
        assert_same(ours, theirs, largest=16)

    def test_opt_keeps_two_rows_for_padding(self) -> None:
        """Exercise 09: positions start at row 2, and the caller makes the sum."""
        package = published(f"{MODELS}.opt.modeling_opt")
        rows = package.OPTLearnedPositionalEmbedding(LENGTH + 4, DIM)
        x = normal(BATCH, LENGTH, DIM)

        ours = convention("09", "padding-offset").LearnedPositions(LENGTH + 4, DIM)
        ours.table.data = rows.weight.data
        assert_same(ours(x), x + rows(torch.ones(BATCH, LENGTH, dtype=torch.long)))
