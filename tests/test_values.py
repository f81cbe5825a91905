"""Values on the trusted side: what comes back is what it says, or it is refused."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import wire
from grader.checking.values import Unusable, from_wire, same, to_wire
from grader.worker.values import Crossing
from tests.test_wire import VALUES

PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text()
NESTED = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


def no_remote(handle: Any) -> None:
    """Know no object that lives elsewhere."""
    del handle


def there_and_back(found: Any) -> Any:
    """Send something through a frame."""
    tensors: list[torch.Tensor] = []
    value = to_wire(found, tensors, no_remote)
    header = wire.encode(wire.Returned(1, value))[wire.PREFIX.size :]
    reply = wire.decode(header, wire.Reply)
    return from_wire(reply.value, wire.unpack_tensors(wire.pack_tensors(tensors)), no_remote)


class TestCrossing:
    @given(NESTED)
    def test_plain_data_comes_back_as_itself(self, found: Any) -> None:
        """Lists, tuples, dicts and plain values keep class and content."""
        assert same(there_and_back(found), found)
        assert repr(there_and_back(found)) == repr(found)

    @pytest.mark.parametrize(
        "found",
        [torch.float16, torch.device("cpu"), torch.Size([2, 0, 3]), torch.Size([])],
        ids=str,
    )
    def test_torch_facts_come_back_as_themselves(self, found: Any) -> None:
        """Dtypes, devices and sizes keep their class."""
        back = there_and_back(found)

        assert back == found
        assert type(back) is type(found)

    def test_a_tensor_is_copied(self) -> None:
        """Views, expanded and transposed tensors cross by value; the original stays untouched."""
        base = torch.arange(6.0).reshape(2, 3)

        back = there_and_back([base.T, base[:, :1].expand(2, 4)])

        assert torch.equal(back[0], base.T)
        assert torch.equal(back[1], torch.tensor([[0.0] * 4, [3.0] * 4]))
        back[0].zero_()
        assert base.sum() == 15

    @pytest.mark.parametrize("dtype", [torch.complex128, torch.float8_e4m3fnuz], ids=str)
    def test_a_dtype_that_cannot_cross_is_named(self, dtype: torch.dtype) -> None:
        """A test that passes one is told; one that a student returns is a bad value."""
        tensor = torch.zeros(2, dtype=dtype)

        with pytest.raises(TypeError, match=f"tensor of {str(dtype).removeprefix('torch.')} "):
            to_wire([tensor], [], no_remote)
        value, _ = Crossing(100).leave(tensor, keep=False)
        assert isinstance(value, wire.BadValue)
        assert value.reason == "layout"

    @pytest.mark.parametrize(
        "tensor",
        [torch.empty(2, device="meta"), torch.eye(2).to_sparse()],
        ids=["meta", "sparse"],
    )
    def test_a_tensor_without_dense_numbers_is_not_handed_over(self, tensor: torch.Tensor) -> None:
        """Not even one that the student's code returned: a meta tensor comes by its shape."""
        with pytest.raises(TypeError, match="tensor on "):
            to_wire([tensor], [], no_remote)

    def test_signs_are_resolved_on_the_way_in(self) -> None:
        """What torch puts off for a conjugate is done before its memory is read."""
        number = torch.tensor([complex(1, 2)])
        tensors: list[torch.Tensor] = []

        to_wire([number.conj(), number.conj().imag], tensors, no_remote)

        back = wire.unpack_tensors(wire.pack_tensors(tensors))
        assert [found.tolist() for found in back] == [[complex(1, -2)], [-2.0]]

    def test_an_object_cannot_be_handed_over(self) -> None:
        """A test that passes an arbitrary object is wrong and learns so."""
        with pytest.raises(TypeError):
            to_wire(object(), [], no_remote)

    def test_a_meta_tensor_has_shape_and_dtype_only(self) -> None:
        """What the worker says about a tensor without data becomes one."""
        found = from_wire(wire.Tensor(-1, [2, 3], "float16"), [], no_remote)

        assert found.device.type == "meta"
        assert found.shape == (2, 3)
        assert found.dtype == torch.float16


class TestForgedValues:
    @pytest.mark.parametrize(
        "value",
        [
            wire.Tensor(0, [1], "float32"),
            wire.Tensor(-2, [1], "float32"),
            wire.Tensor(-1, [-1], "float32"),
            wire.Tensor(-1, [2**50], "float32"),
            wire.Tensor(-1, [2**39] * 9, "float32"),
            wire.Tensor(-1, [1], "nn"),
            wire.Dtype("nn"),
            wire.Dtype("__dict__"),
            wire.Device("no such device"),
            wire.Device(""),
            wire.SequenceOf("size", [wire.Plain("x")]),
            wire.SequenceOf("size", [wire.Plain(True)]),
            wire.SequenceOf("size", [wire.Plain(-1)]),
            wire.Mapping([(wire.SequenceOf("list", []), wire.Plain(1))]),
        ],
        ids=repr,
    )
    def test_what_is_not_what_it_says_is_refused(self, value: wire.Value) -> None:
        """Indices out of range, sizes out of range, names of other things: BadFrameError."""
        with pytest.raises(wire.BadFrameError):
            from_wire(value, [], no_remote)

    @given(VALUES)
    @settings(max_examples=300)
    def test_any_frame_is_a_value_or_refused(self, value: wire.Value) -> None:
        """Whatever well-formed frame arrives, nothing but BadFrameError is raised."""
        try:
            from_wire(value, [torch.zeros(1)], lambda handle: handle.number)
        except wire.BadFrameError:
            return

    def test_a_tensor_has_one_name(self) -> None:
        """What costs nothing to send often would cost its size each time it is handed back."""
        one = wire.Tensor(0, [1], "float32")

        with pytest.raises(wire.BadFrameError, match="twice"):
            from_wire(wire.SequenceOf("list", [one, one]), [torch.zeros(1)], no_remote)

    def test_an_unusable_value_equals_nothing(self) -> None:
        """What could not cross compares as unequal to everything but itself, and runs nothing."""
        bad = from_wire(wire.BadValue("Mine", "subclass"), [], no_remote)

        assert isinstance(bad, Unusable)
        assert bad not in (0, None, "Mine")
        assert "subclass of Tensor (Mine)" in bad.reason.en

    @pytest.mark.parametrize("reason", ["subclass", "too_large", "layout", "too_deep", "made up"])
    def test_every_reason_has_words(self, reason: str) -> None:
        """Also a reason this version does not know."""
        assert Unusable(wire.BadValue("T", reason, 5)).reason.en


class TestSame:
    @pytest.mark.parametrize(
        ("left", "right"),
        [(1, 1.0), (1, True), ([1], (1,)), (None, 0), ("1", 1), (1.0, 1.01), ([1], [1, 2]),
         ({"a": 1}, {"b": 1}), ({"a": 1}, {"a": 2}), (0.0, math.nan), (math.inf, 1.0),
         (math.inf, -math.inf),
         (torch.ones(2), torch.ones(2, 1)), (torch.ones(2), torch.ones(2, dtype=torch.float64)),
         (torch.ones(2), torch.tensor([1.0, 1.01])), (torch.ones(1), torch.ones(1, device="meta")),
         (torch.zeros(1), torch.tensor([math.nan]))],
    )  # fmt: skip
    def test_different(self, left: Any, right: Any) -> None:
        """Class, shape, dtype, device, length and keys count; a per cent is too much."""
        assert not same(left, right)
        assert not same(right, left)

    @pytest.mark.parametrize(
        ("left", "right"),
        [(1.0, 1.0001), (0.0, 1e-5), (math.nan, math.nan), (math.inf, math.inf),
         ([1.0, "a"], [1.0001, "a"]), ({"a": (1,)}, {"a": (1,)}),
         (torch.tensor([1.0, math.nan]), torch.tensor([1.0001, math.nan])),
         (torch.ones(1, device="meta"), torch.zeros(1, device="meta")),
         (torch.tensor([1 + 2j]), torch.tensor([1.0001 + 2j])), (torch.ones(0), torch.ones(0)),
         (torch.tensor([True]), torch.tensor([True]))],
    )  # fmt: skip
    def test_alike(self, left: Any, right: Any) -> None:
        """A tenth of a thousandth is rounding; nan is nan; a meta tensor has no values."""
        assert same(left, right)

    def test_a_class_of_the_students_is_never_asked(self) -> None:
        """Comparing runs no code of the values compared beyond plain data and tensors."""

        class Everything:
            def __eq__(self, other: object) -> NoReturn:
                raise AssertionError

            def __hash__(self) -> int:
                return 0

        assert not same(Everything(), 1)
        assert not same(1, Everything())
