"""Which calls are taken to fit without asking ``inspect``: only such as it would call fitting."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.worker.check import _fits


def plain(a, b):
    return a, b


def with_defaults(a, b=1, *, c=2):
    return a, b, c


def keyword_needed(a, *, c):
    return a, c


def positional_only(a, /, b):
    return a, b


def collecting(*args, **kwargs):
    return args, kwargs


@functools.wraps(plain)
def wrapped(*args, **kwargs):
    return plain(*args, **kwargs)


@torch.no_grad()
def decorated(a, b=0):
    return a, b


class Layer(torch.nn.Module):
    def __init__(self, a, b=1):
        super().__init__()
        self.kept = a, b

    def forward(self, a, *, b=1):
        return a, b

    @staticmethod
    def static(a, b):
        return a, b

    @classmethod
    def made(cls, a, b):
        return cls(a, b)


class Bare:
    """Made without arguments."""


class Made:
    """What ``__new__`` takes counts."""

    def __new__(cls, a):  # noqa: ARG004 - its signature is what counts
        return super().__new__(cls)

    def __init__(self, *args):
        pass


class Meta(type):
    def __call__(cls, a, b):
        return a, b


class OfMeta(metaclass=Meta):
    def __init__(self):
        pass


class Callable2:
    def __call__(self, a, b):
        return a, b


LAYER = Layer(1)
TARGETS: list[Callable[..., Any]] = [
    plain, with_defaults, keyword_needed, positional_only, collecting, wrapped, decorated,
    Layer, LAYER, LAYER.static, Layer.made, LAYER.forward, Layer.forward, Bare, Made, OfMeta,
    Callable2(), functools.partial(plain, 1), lambda a, b=2: (a, b), len, torch.zeros,
]  # fmt: skip
NAMES = ["a", "b", "c"]


def binds(target: Callable[..., Any], args: list[int], kwargs: dict[str, int]) -> bool:
    """Ask ``inspect``, of a module for its ``forward``."""
    written = target.forward if isinstance(target, torch.nn.Module) else target
    try:
        inspect.signature(written).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


@given(
    st.sampled_from(TARGETS),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(NAMES), st.integers(), max_size=3),
    st.permutations(NAMES).flatmap(lambda names: st.integers(0, 3).map(lambda n: names[:n])),
)
def test_what_fits_binds(
    target: Callable[..., Any], args: list[int], kwargs: dict[str, int], names: list[str]
) -> None:
    """Whatever is called fitting binds, each argument to the name the stub gives it."""
    if not _fits(target, names, args, kwargs):
        return

    assert binds(target, args, kwargs)
    written = target.forward if isinstance(target, torch.nn.Module) else target
    assert [*inspect.signature(written).parameters][: len(args)] == names[: len(args)]


@pytest.mark.parametrize(
    ("target", "args", "kwargs"),
    [
        (plain, [1, 2], {}),
        (plain, [1], {"b": 2}),
        (with_defaults, [1], {}),
        (with_defaults, [1], {"c": 3}),
        (keyword_needed, [1], {"c": 3}),
        (Layer, [1], {"b": 2}),
        (LAYER, [1], {"b": 2}),
        (LAYER.forward, [1], {}),
        (LAYER.static, [1, 2], {}),
        (Layer.made, [1, 2], {}),
    ],
)
def test_what_students_write_is_known_to_fit(
    target: Callable[..., Any], args: list[int], kwargs: dict[str, int]
) -> None:
    """Functions, classes, modules and methods need no ``inspect``."""
    assert _fits(target, NAMES, args, kwargs)


@pytest.mark.parametrize(
    ("target", "args", "kwargs"),
    [
        (plain, [1], {}),
        (plain, [1, 2, 3], {}),
        (plain, [1, 2], {"b": 2}),
        (plain, [1, 2], {"c": 2}),
        (keyword_needed, [1], {}),
        (with_defaults, [], {}),
        (LAYER, [1, 2], {}),
        (Layer, [], {}),
        (wrapped, [1, 2], {}),
        (decorated, [1, 2], {}),
        (collecting, [1], {}),
        (positional_only, [1, 2], {}),
        (Made, [1], {}),
        (OfMeta, [], {}),
        (Bare, [], {"a": 1}),
        (len, [1], {}),
    ],
)
def test_what_does_not_fit_or_is_unclear_is_not(
    target: Callable[..., Any], args: list[int], kwargs: dict[str, int]
) -> None:
    """A call that fails, or a callable that is more than its code says, is left to ``inspect``."""
    assert not _fits(target, NAMES, args, kwargs)


@pytest.mark.parametrize("target", [plain, Layer, LAYER.static])
def test_more_arguments_than_parameters_do_not_fit(target: Callable[..., Any]) -> None:
    """Nor where the stub has just as few."""
    assert not _fits(target, ["a", "b"], [1, 2, 3], {})


def test_other_names_or_another_order_are_left_to_inspect() -> None:
    """A call by position whose names stand in another order is made by name instead."""
    assert not _fits(plain, ["b", "a"], [1, 2], {})
    assert not _fits(plain, ["x"], [1, 2], {})
