"""Assertions: type, shape, dtype, finite, values, in that order; tolerances by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader import wire
from grader.checking import (
    Mismatch,
    assert_raises,
    assert_tensor,
    assert_unchanged,
    assert_value,
    fail,
    tolerance,
)
from grader.checking.values import Unusable
from grader.results import Outcome

BAD, FAILED = Outcome.BAD_VALUE, Outcome.FAILED


def mismatch(assertion: Callable[..., None], *args: Any, **kwargs: Any) -> Mismatch:
    """Return the mismatch an assertion ends in."""
    with pytest.raises(Mismatch) as caught:
        assertion(*args, **kwargs)
    return caught.value


def raised(kind: type[Exception], message: str = "") -> Callable[[], None]:
    """Return a function that raises what the student's process raised."""

    def function() -> None:
        error = kind(message)
        error.student_loss = wire.Loss(kind.__name__, kind.__name__, message, [])  # type: ignore[attr-defined]
        raise error

    return function


class TestTolerance:
    @pytest.mark.parametrize(
        ("dtype", "largest", "steps", "wanted"),
        [(torch.float32, 1.0, 1, 4 * 2**-23), (torch.float64, 1.0, 1, 4 * 2**-52),
         (torch.bfloat16, 1.0, 1, 4 * 2**-7), (torch.float16, 8.0, 1, 32 * 2**-10),
         (torch.float32, 1.0, 100, 40 * 2**-23), (torch.int64, 5.0, 1, 0.0),
         (torch.bool, 1.0, 1, 0.0), (torch.complex64, 1.0, 1, 4 * 2**-23)],
        ids=str,
    )  # fmt: skip
    def test_it_is_four_units_in_the_last_place(
        self, dtype: torch.dtype, largest: float, steps: int, wanted: float
    ) -> None:
        """Four roundings of the largest value, times the root of the steps; none for integers."""
        assert tolerance(dtype, largest, steps) == pytest.approx(wanted)


class TestAssertTensor:
    @given(st.lists(st.floats(-1e6, 1e6, width=32), max_size=6))
    def test_a_tensor_equals_itself(self, row: list[float]) -> None:
        """Any finite tensor is right when it is asked for, float64 or float32."""
        wanted = torch.tensor(row, dtype=torch.float32)

        assert_tensor(wanted.clone(), wanted)
        assert_tensor(wanted.clone(), wanted.double(), dtype=torch.float32)

    def test_rounding_is_allowed_and_no_more(self) -> None:
        """Three units in the last place of the largest value pass, five do not."""
        wanted = torch.tensor([1.0, 0.25])
        unit = 2.0**-23

        assert_tensor(wanted + torch.tensor([3 * unit, 0]), wanted)
        error = mismatch(assert_tensor, wanted + torch.tensor([5 * unit, 0]), wanted)

        assert error.outcome is Outcome.FAILED
        assert error.what.en == "1 of 2 values are off by more than rounding explains."

    def test_the_largest_value_on_the_way_counts(self) -> None:
        """A sine of a large angle carries the angle's rounding."""
        wanted = torch.tensor([0.5])
        off = wanted + 1000 * 2.0**-23

        assert_tensor(off, wanted, largest=500.0)
        mismatch(assert_tensor, off, wanted)

    @pytest.mark.parametrize(
        ("got", "said", "outcome"),
        [
            (None, "None came back", BAD),
            ([1.0], "a value of type list came back", BAD),
            (Unusable(wire.BadValue("Mine", "subclass")), "a subclass of Tensor (Mine)", BAD),
            (torch.zeros(3), "The shape is [3], but should be [2].", FAILED),
            (torch.zeros(1, 2), "The shape is [1, 2], but should be [2].", FAILED),
            (torch.zeros(()), "The shape is [], but should be [2].", FAILED),
            (torch.zeros(2).double(), "The dtype is float64, but should be float32.", FAILED),
            (torch.zeros(2).int(), "The dtype is int32, but should be float32.", FAILED),
            (torch.zeros(2, device="meta"), "is on meta, but should be on cpu.", FAILED),
            (torch.tensor([0.0, math.nan]), "values that are not finite", FAILED),
            (torch.tensor([-math.inf, 0]), "values that are not finite", FAILED),
            (torch.tensor([0.0, 1]), "1 of 2 values are off", FAILED),
        ],
        ids=["none", "list", "unusable", "longer", "more axes", "no axis", "wider", "integer",
             "device", "nan", "inf", "value"],
    )  # fmt: skip
    def test_the_first_difference_is_named(self, got: Any, said: str, outcome: Outcome) -> None:
        """Each kind of difference has its own sentence."""
        error = mismatch(assert_tensor, got, torch.zeros(2))

        assert said in error.what.en
        assert error.outcome is outcome

    def test_values_stand_apart_from_the_fact(self) -> None:
        """What may be told of a hidden check holds no value; got and expected are the detail."""
        error = mismatch(assert_tensor, torch.tensor([[1.0, 2.5]]), torch.tensor([[1.0, 2.0]]))

        assert "2.5" not in error.what.en
        assert error.detail is not None
        assert error.detail.en == "At index [0, 1]: got 2.5, expected 2."

    def test_a_negative_zero_is_shown_as_zero(self) -> None:
        """Both are equal, so the sign is never what is wrong."""
        tensors = mismatch(assert_tensor, torch.tensor([-0.0]), torch.tensor([-3.0]))
        numbers = mismatch(assert_value, -0.0, -3.0)

        assert tensors.detail is not None
        assert numbers.detail is not None
        assert tensors.detail.en == "At index [0]: got 0, expected -3."
        assert numbers.detail.en == "Got 0, expected -3."

    def test_expected_infinities_have_to_be_met(self) -> None:
        """Where the task asks for infinity, infinity is right, and a number is not."""
        wanted = torch.tensor([-math.inf, 0.0])

        assert_tensor(wanted.clone(), wanted)
        mismatch(assert_tensor, torch.tensor([-1e30, 0.0]), wanted)
        mismatch(assert_tensor, torch.tensor([math.inf, 0.0]), wanted)

    def test_expected_nan_has_to_be_met(self) -> None:
        """So with nan."""
        wanted = torch.tensor([math.nan, 0.0])

        assert_tensor(wanted.clone(), wanted)
        mismatch(assert_tensor, torch.zeros(2), wanted)

    def test_empty_and_meta_tensors_have_no_values(self) -> None:
        """Shape and dtype are all there is to check."""
        assert_tensor(torch.zeros(0, 3), torch.zeros(0, 3))
        assert_tensor(torch.zeros(2, device="meta"), torch.ones(2, device="meta"))

    @pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64, torch.bfloat16])
    def test_other_dtypes(self, dtype: torch.dtype) -> None:
        """Integers, truth values and complex numbers are compared as well."""
        wanted = torch.tensor([0, 1, 1]).to(dtype)

        assert_tensor(wanted.clone(), wanted)
        mismatch(assert_tensor, torch.tensor([1, 1, 0]).to(dtype), wanted)


class TestAssertValue:
    @pytest.mark.parametrize("value", [1, 1.5, "a", None, True, [1, (2, "b")], {"a": 1}])
    def test_a_value_equals_itself(self, value: Any) -> None:
        """Plain data is right when it is asked for."""
        assert_value(value, value)

    @pytest.mark.parametrize(("got", "wanted"), [(1, 1.0), (True, 1), ((1,), [1]), (None, 0)])
    def test_the_class_has_to_be_right(self, got: Any, wanted: Any) -> None:
        """Equal is not enough: one is neither true nor 1.0."""
        assert mismatch(assert_value, got, wanted).outcome is Outcome.BAD_VALUE

    @pytest.mark.parametrize(
        ("got", "wanted"), [(1, 2), ("a", "b"), ([1], [2]), ([1], [1, 2]), ([[1]], [[2]])]
    )
    def test_a_wrong_value_fails(self, got: Any, wanted: Any) -> None:
        """At any depth."""
        assert mismatch(assert_value, got, wanted).outcome is Outcome.FAILED

    def test_floats_may_be_off_by_the_tolerance(self) -> None:
        """Absolute, and zero unless given; also inside lists."""
        assert_value([1.0, 2.0], [1.25, 2.0], tolerance=0.25)
        mismatch(assert_value, 1.0, 1.25, tolerance=0.24)
        mismatch(assert_value, 1.0, 1.0 + 2**-52)
        mismatch(assert_value, math.nan, 1.0, tolerance=1.0)
        assert_value(math.inf, math.inf)


class TestAssertRaises:
    def test_the_class_and_its_subclasses_are_right(self) -> None:
        """A KeyError is a LookupError."""
        assert_raises(ValueError, raised(ValueError))
        assert_raises(LookupError, raised(KeyError))

    def test_no_exception_fails(self) -> None:
        """Nothing was raised."""
        assert "nothing was raised" in mismatch(assert_raises, ValueError, lambda: None).what.en

    def test_another_exception_fails(self) -> None:
        """The class that was raised is named."""
        error = mismatch(assert_raises, ValueError, raised(TypeError))

        assert error.what.en == "This input must raise ValueError, but raised TypeError."

    def test_an_exception_of_the_tests_own_is_not_the_students(self) -> None:
        """A bug in the test passes through, whatever its class."""

        def buggy() -> None:
            raise ValueError("a slip of the author's")

        with pytest.raises(ValueError, match="slip"):
            assert_raises(ValueError, buggy)

    def test_an_untouched_stub_raises_nothing_asked_for(self) -> None:
        """NotImplementedError passes through, so that the check becomes "not started"."""
        with pytest.raises(NotImplementedError):
            assert_raises(RuntimeError, raised(NotImplementedError, "TODO"))
        assert_raises(NotImplementedError, raised(NotImplementedError))


class TestAssertUnchanged:
    def test_a_copy_is_unchanged(self) -> None:
        """Same values, same shape."""
        assert_unchanged(torch.ones(2), torch.ones(2))

    @pytest.mark.parametrize("now", [torch.zeros(2), torch.ones(1, 2), None])
    def test_anything_else_is_a_change(self, now: Any) -> None:
        """Other values, another shape, no tensor any more."""
        mismatch(assert_unchanged, now, torch.ones(2))


def test_fail_says_both_sentences() -> None:
    """A check of its own kind fails with a sentence in each language."""
    with pytest.raises(Mismatch) as caught:
        fail(zh="不对", en="wrong")

    assert (caught.value.what.zh, caught.value.what.en) == ("不对", "wrong")
    assert caught.value.outcome is Outcome.FAILED
