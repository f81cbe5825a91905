"""The frames: what goes in comes out, and nothing else is taken for a frame."""

from __future__ import annotations

import msgspec
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load, save

from grader import wire

INT64 = st.integers(-(2**63), 2**63 - 1)
PLAIN = st.builds(
    wire.Plain,
    st.none() | st.booleans() | INT64 | st.floats(allow_nan=False) | st.text(max_size=20),
)
LEAVES = (
    PLAIN
    | st.builds(wire.Dtype, st.just("float32"))
    | st.builds(wire.Device, st.just("cpu"))
    | st.builds(wire.Handle, INT64, st.text(max_size=10))
    | st.builds(wire.BadValue, st.text(max_size=10), st.just("type"), INT64)
    | st.builds(wire.Tensor, INT64, st.lists(INT64, max_size=4), st.just("int8"), st.booleans())
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(
            wire.SequenceOf, st.sampled_from(["list", "tuple", "size"]), st.lists(inner, max_size=4)
        )
        | st.builds(wire.Mapping, st.lists(st.tuples(inner, inner), max_size=3))
    ),
    max_leaves=12,
)
CROSSING_DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
]  # fmt: skip
UNIONS = [wire.Reply, wire.Ask, wire.Value, wire.AskedOf, wire.Ready | wire.Ended]


def split(frame: bytes) -> tuple[bytes, bytes]:
    """Cut a frame into header and body by its own two lengths."""
    header, body = wire.PREFIX.unpack_from(frame)
    start = wire.PREFIX.size
    assert len(frame) == start + header + body
    return frame[start : start + header], frame[start + header :]


class TestFrames:
    @given(VALUES, st.binary(max_size=50))
    def test_a_value_comes_out_as_it_went_in(self, value: wire.Value, body: bytes) -> None:
        """Encoding and decoding a reply changes neither value nor body."""
        header, found_body = split(wire.encode(wire.Returned(7, value), body))

        assert wire.decode(header, wire.Reply) == wire.Returned(7, value)
        assert found_body == body

    @given(VALUES)
    def test_a_request_comes_out_as_it_went_in(self, value: wire.Value) -> None:
        """The same for a call with positional and named arguments."""
        call = wire.Call(1, wire.Name("f"), ["g"], [value], {"x": value}, ["x"], False, 3)

        header, _ = split(wire.encode(call))

        assert wire.decode(header, wire.Ask) == call

    def test_true_does_not_become_one(self) -> None:
        """Booleans, integers and floats keep their class."""
        kept = [True, 1, 1.0, "1", None]

        found = [
            wire.decode(split(wire.encode(wire.Plain(value)))[0], wire.Value).value
            for value in kept
        ]

        assert [type(value) for value in found] == [bool, int, float, str, type(None)]

    def test_nan_and_infinities_cross(self) -> None:
        """Floats that are no numbers cross as what they are."""
        header, _ = split(wire.encode(wire.Plain(float("nan"))))
        endless, _ = split(wire.encode(wire.Plain(float("-inf"))))

        assert wire.decode(header, wire.Value).value != wire.decode(header, wire.Value).value
        assert wire.decode(endless, wire.Value).value == -float("inf")

    @given(st.binary(max_size=200), st.sampled_from(UNIONS))
    @settings(max_examples=300)
    def test_random_bytes_are_no_frame(self, data: bytes, expected: object) -> None:
        """The decoder raises BadFrameError or returns a struct, whatever the bytes."""
        try:
            found = wire.decode(data, expected)
        except wire.BadFrameError:
            return

        assert isinstance(found, msgspec.Struct)

    @given(VALUES, st.integers(0, 400), st.integers(0, 255))
    def test_a_changed_byte_is_no_crash(self, value: wire.Value, place: int, byte: int) -> None:
        """A frame with one byte changed decodes or raises BadFrameError."""
        header = bytearray(split(wire.encode(wire.Returned(1, value)))[0])
        header[place % len(header)] = byte

        try:
            found = wire.decode(bytes(header), wire.Reply)
        except wire.BadFrameError:
            return

        assert isinstance(found, msgspec.Struct)

    def test_a_struct_of_another_union_is_refused(self) -> None:
        """A request is no reply."""
        header, _ = split(wire.encode(wire.Read(1, wire.Name("f"), [])))

        with pytest.raises(wire.BadFrameError):
            wire.decode(header, wire.Reply)

    def test_deep_nesting_is_refused(self) -> None:
        """A header nested a hundred thousand deep ends in BadFrameError, not in a crash."""
        one_element_lists = b"\x91" * 100_000 + b"\xc0"

        with pytest.raises(wire.BadFrameError):
            wire.decode(one_element_lists, wire.Reply)

    def test_the_prefix_is_what_the_module_says(self) -> None:
        """Twelve bytes: 32 bits for the header, 64 for the body, little endian."""
        frame = wire.encode(wire.Plain(None), b"abc")

        assert frame[4:12] == (3).to_bytes(8, "little")
        assert int.from_bytes(frame[:4], "little") == len(frame) - 12 - 3


class TestTensors:
    @pytest.mark.parametrize("dtype", CROSSING_DTYPES, ids=str)
    @pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3)], ids=str)
    def test_dtype_and_shape_are_kept(self, dtype: torch.dtype, shape: tuple[int, ...]) -> None:
        """Every dtype that may cross keeps its dtype, shape and values."""
        tensor = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)

        (found,) = wire.unpack_tensors(wire.pack_tensors([tensor]))

        assert found.dtype == dtype
        assert found.shape == tensor.shape
        assert torch.equal(found, tensor)

    @given(st.lists(st.lists(st.floats(width=32), max_size=5), max_size=12))
    @settings(max_examples=50)
    def test_order_and_bits_are_kept(self, rows: list[list[float]]) -> None:
        """Any number of tensors comes back in order and bit by bit, nan included."""
        tensors = [torch.tensor(row, dtype=torch.float32) for row in rows]

        found = wire.unpack_tensors(wire.pack_tensors(tensors))

        assert len(found) == len(tensors)
        for left, right in zip(found, tensors, strict=True):
            assert torch.equal(left.view(torch.int32), right.view(torch.int32))

    @pytest.mark.parametrize("name", sorted(wire.TENSOR_DTYPES))
    def test_safetensors_reads_what_is_packed(self, name: str) -> None:
        """The library finds each dtype that may cross under its own name, bit by bit."""
        tensor = torch.tensor([0, 1, 1, 0, 1]).to(getattr(torch, name))
        wide = torch.zeros(2, 0, 3, dtype=torch.float64)

        found = load(wire.pack_tensors([tensor, wide, tensor[:1]]))

        assert {key: (value.dtype, value.shape) for key, value in found.items()} == {
            "0": (tensor.dtype, (5,)), "1": (torch.float64, (2, 0, 3)), "2": (tensor.dtype, (1,)),
        }  # fmt: skip
        assert torch.equal(found["0"].view(torch.uint8), tensor.view(torch.uint8))

    def test_what_the_library_packs_is_read(self) -> None:
        """A block that safetensors wrote comes back, whatever its order inside."""
        tensors = [torch.ones(3, dtype=torch.int8), torch.zeros(2, dtype=torch.float64)]

        found = wire.unpack_tensors(save({str(n): tensor for n, tensor in enumerate(tensors)}))

        assert all(map(torch.equal, found, tensors))

    def test_a_dtype_without_a_name_is_not_packed(self) -> None:
        """Rather an error here than wrong numbers there."""
        with pytest.raises(KeyError, match="complex128"):
            wire.pack_tensors([torch.ones(1, dtype=torch.complex128)])

    @pytest.mark.parametrize(
        "tensor",
        [
            torch.empty(3, device="meta"),
            torch.empty(2**39, device="meta"),
            torch._efficientzerotensor(3),
            torch.ones(3, 4).T,
            torch.ones(1).expand(9),
            torch.eye(3).to_sparse(),
            torch.complex(torch.ones(2), torch.ones(2)).conj(),
            torch.complex(torch.ones(1), torch.ones(1)).conj().imag,
        ],
        ids=["meta", "huge-meta", "zero", "transposed", "expanded", "sparse", "conj", "negative"],
    )
    def test_what_lies_nowhere_or_otherwise_is_not_packed(self, tensor: torch.Tensor) -> None:
        """Reading other memory than its own would end the process, or tell what lies there."""
        with pytest.raises(ValueError, match="tensor"):
            wire.pack_tensors([tensor])

    def test_no_tensors_are_no_bytes(self) -> None:
        """An empty body stands for no tensors."""
        assert wire.pack_tensors([]) == b""
        assert wire.unpack_tensors(b"") == []

    @given(st.binary(min_size=1, max_size=200))
    @settings(max_examples=300)
    def test_random_bytes_are_no_tensors(self, data: bytes) -> None:
        """Random bytes end in BadFrameError."""
        with pytest.raises(wire.BadFrameError):
            wire.unpack_tensors(data)

    @given(
        st.sampled_from(["F32", "BF16", "I64", "BOOL", "F8_E4M3", "F4", "C64", "U16", "X", ""]),
        st.lists(st.integers(-1, 2**64), max_size=3),
        st.lists(st.integers(-1, 2**64), min_size=2, max_size=2),
        st.sampled_from(["0", "1", "x", "__metadata__"]),
    )
    @settings(max_examples=300)
    def test_a_lying_header_is_no_crash(
        self, dtype: str, shape: list[int], offsets: list[int], name: str
    ) -> None:
        """A well-formed header with wrong facts is refused or harmless."""
        entry = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        header = msgspec.json.encode({name: entry})
        body = len(header).to_bytes(8, "little") + header + bytes(16)

        try:
            found = wire.unpack_tensors(body)
        except wire.BadFrameError:
            return

        assert sum(tensor.numel() * tensor.element_size() for tensor in found) <= 16

    def test_names_that_are_no_numbers_are_refused(self) -> None:
        """A block whose tensors are not called 0, 1, ... is none of ours."""
        from safetensors.torch import save

        with pytest.raises(wire.BadFrameError):
            wire.unpack_tensors(save({"a": torch.ones(1)}))
