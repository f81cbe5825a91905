"""The ``student`` fixture: a proxy that behaves like the submission and runs nothing of it here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from grader.checking import Remote, Student
from grader.checking.explain import StudentOutcomeError
from grader.checking.stub import StubFacts
from grader.checking.student import loss_of
from grader.checking.values import Unusable
from grader.results import Limits, Outcome
from grader.sandbox import SubmissionRun, Zygote

SOURCE = """
import torch
from torch import nn

LIMIT = 7
SIZES = torch.Size([2, 3])


class Layer(nn.Module):
    def __init__(self, dim, scale=2.0):
        super().__init__()
        self.dim = dim
        self.weight = nn.Parameter(torch.full((dim,), scale))
        self.register_buffer("table", torch.arange(float(dim)))
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return x * self.weight

    def halve(self, x):
        return x / 2


class Own(ValueError):
    pass


def swapped(b, a):
    return [a, b]


def echo(x):
    return x


def fail(kind):
    raise {
        "own": Own("mine"), "key": KeyError("k"), "stop": StopIteration("s"),
        "exit": SystemExit(3), "interrupt": KeyboardInterrupt(),
        "unicode": UnicodeDecodeError("u", b"x", 0, 1, "r"),
    }[kind]


def odd(kind):
    return {"object": object(), "large": 10**30, "set": {1, 2}, "complex": 1j, "lambda": lambda: 1,
            "sparse": torch.eye(2).to_sparse(), "bytes": b"x", "text": "\\ud800",
            "deep": deep(100), "numpy": torch.ones(2).numpy(), "bool": torch.tensor(True).item(),
            "generator": (i for i in range(3)), "endless": endless(), "inf": float("inf")}[kind]


def deep(n):
    return [deep(n - 1)] if n else []


def endless():
    while True:
        yield 1


def noise():
    return torch.rand(3)
"""
STUB = StubFacts(
    fingerprints={},
    to_do=frozenset(),
    signatures={"swapped": "(a, b)", "Layer": "(dim, scale=2.0)", "Layer.forward": "(x)"},
    _parameters={"swapped": ["a", "b"], "Layer": ["dim", "scale"], "Layer.forward": ["x"]},
)


@pytest.fixture(scope="module")
def run(zygote: Zygote) -> Iterator[SubmissionRun]:
    """The submission, loaded once."""
    limits = Limits(submission_s=600)
    sources = {"answer": SOURCE, "given": "ONE = 1\n\n\ndef add(a, b):\n    return a + b\n"}
    with SubmissionRun(zygote, sources, "answer", limits) as found:
        yield found


@pytest.fixture
def student(run: SubmissionRun) -> Iterator[Student]:
    """A proxy for one check."""
    process = run.start_check()
    yield Student(lambda: process, STUB, seed="test")
    run.end_check(process)


def outcome(call: Any) -> StudentOutcomeError:
    """Return the outcome that a call ends the check with."""
    with pytest.raises(StudentOutcomeError) as caught:
        call()
    return caught.value


class TestValues:
    @pytest.mark.parametrize(
        "value",
        [None, True, -3, 2.5, "位置", [1, (2, None)], {"a": [1]}, {1: {2: 3}}, (), torch.float16,
         torch.device("meta"), torch.Size([1, 2]), float("inf"), 2**63 - 1],
        ids=str,
    )  # fmt: skip
    def test_plain_data_goes_there_and_back(self, student: Student, value: Any) -> None:
        """With its class, at any depth."""
        found = student.echo(value)

        assert found == value
        assert type(found) is type(value)

    @pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.bfloat16, torch.float64])
    def test_tensors_go_there_and_back(self, student: Student, dtype: torch.dtype) -> None:
        """With dtype, shape and values, inside lists too."""
        given = torch.tensor([[0, 1], [1, 0]]).to(dtype)

        plain, (nested, _) = student.echo(given), student.echo([given, 1])

        assert plain.dtype == nested.dtype == dtype
        assert torch.equal(plain, given)
        assert torch.equal(nested, given)

    def test_module_constants_are_read(self, student: Student) -> None:
        """A name that is no function has a value."""
        assert student.value(student.LIMIT) == 7
        assert student.value(student.SIZES) == torch.Size([2, 3])

    def test_the_tasks_helpers_are_reached_by_name(self, student: Student) -> None:
        """``student.given`` is given.py as the student's code sees it."""
        assert student.given.ONE == 1
        assert student.given.add(1, 2) == 3
        assert outcome(lambda: student.given.nothing).outcome is Outcome.MISSING

    @pytest.mark.parametrize("kind", ["large", "sparse", "deep", "endless"])
    def test_what_cannot_cross_is_unusable(self, student: Student, kind: str) -> None:
        """With a reason, and nothing of it here."""
        found = student.odd(kind)

        assert isinstance(found, Unusable)
        assert found.reason.en

    @pytest.mark.parametrize("kind", ["object", "set", "complex", "lambda", "bytes", "numpy"])
    def test_other_objects_stay_there(self, student: Student, kind: str) -> None:
        """They come back as handles that can be passed on."""
        found = student.odd(kind)

        assert isinstance(found, Remote)
        assert isinstance(student.echo(found), Remote)

    def test_a_generator_is_its_items(self, student: Student) -> None:
        """What yields instead of returning a list is taken for one."""
        assert student.odd("generator") == [0, 1, 2]

    def test_half_a_character_is_replaced(self, student: Student) -> None:
        """A lone surrogate is no text."""
        assert student.odd("text") == "?"


class TestObjects:
    def test_an_object_is_called_read_and_kept(self, student: Student) -> None:
        """A module stays in the worker; its attributes and results cross."""
        layer = student.Layer(3)

        assert isinstance(layer, Remote)
        assert torch.equal(layer(torch.ones(3)), torch.full((3,), 2.0))
        assert torch.equal(layer.halve(torch.ones(3)), torch.full((3,), 0.5))
        assert layer.dim == 3
        assert torch.equal(layer.table, torch.arange(3.0))
        assert layer.training is True

    def test_its_own_methods_work(self, student: Student) -> None:
        """eval(), to("meta"), state_dict(), named_parameters()."""
        layer = student.Layer(2, scale=3.0)

        layer.eval()
        names = [name for name, _ in layer.named_parameters()]
        state = layer.state_dict()

        assert layer.training is False
        assert layer.drop.training is False
        assert names == ["weight"]
        assert torch.equal(state["weight"], torch.full((2,), 3.0))
        assert layer.to("meta").table.device.type == "meta"

    def test_handles_can_be_passed_on(self, student: Student) -> None:
        """The same object comes back, not a copy of it."""
        layer = student.Layer(2)

        student.echo(layer).eval()

        assert layer.training is False

    def test_private_names_are_out_of_reach(self, student: Student) -> None:
        """The proxy's own fields are no names of the submission."""
        assert not hasattr(student, "_anything")
        assert not hasattr(student.Layer(1), "_parameters")

    def test_representations_run_nothing(self, student: Student) -> None:
        """Printing a proxy asks nobody."""
        assert repr(student.Layer) == "<student's Layer>"


class TestCalls:
    def test_other_order_of_parameters_is_called_by_name(self, student: Student) -> None:
        """The stub has (a, b), the submission (b, a): a is a."""
        assert student.swapped(1, 2) == [1, 2]
        assert student.swapped(1, b=2) == [1, 2]
        assert student.swapped(b=2, a=1) == [1, 2]

    def test_a_missing_name_ends_the_check(self, student: Student) -> None:
        """``except Exception`` does not hide it."""
        assert outcome(lambda: student.nothing(1)).outcome is Outcome.MISSING
        assert outcome(lambda: student.Layer(1).nothing).outcome is Outcome.MISSING
        assert outcome(lambda: student.value(student.nothing)).outcome is Outcome.MISSING

    def test_wrong_arguments_end_the_check(self, student: Student) -> None:
        """Both signatures are shown; nothing of the function ran."""
        error = outcome(lambda: student.Layer(1, 2.0, 3))

        assert error.outcome is Outcome.WRONG_SIGNATURE
        assert error.messages[0].en == (
            "`Layer` is called as (dim, scale=2.0), but yours takes (dim, scale=2.0)."
        )
        assert outcome(lambda: student.Layer(1)(1, 2)).outcome is Outcome.WRONG_SIGNATURE

    def test_every_call_draws_numbers_of_its_own(self, student: Student) -> None:
        """Seeded before each call, but not alike."""
        assert not torch.equal(student.noise(), student.noise())


class TestExceptions:
    @pytest.mark.parametrize(
        ("kind", "caught"), [("own", ValueError), ("key", LookupError), ("own", Exception)]
    )
    def test_a_test_can_catch_the_builtin_class(
        self, student: Student, kind: str, caught: type[Exception]
    ) -> None:
        """The nearest built-in class arrives, with the student's frames."""
        with pytest.raises(caught) as found:
            student.fail(kind)

        loss = loss_of(found.value)
        assert loss is not None
        assert loss.trace[-1].startswith("answer.py:")

    @pytest.mark.parametrize("kind", ["exit", "interrupt", "unicode", "stop"])
    def test_what_would_end_pytest_ends_the_check(self, student: Student, kind: str) -> None:
        """SystemExit and KeyboardInterrupt of the student's never reach the grader as such."""
        assert outcome(lambda: student.fail(kind)).outcome is Outcome.RUNTIME_ERROR

    def test_a_loop_of_a_test_does_not_end_early(self, student: Student) -> None:
        """StopIteration out of ``map`` would leave the other cases untried, the check passed."""
        cases = map(student.fail, ["stop", "key"])

        assert outcome(lambda: list(cases)).outcome is Outcome.RUNTIME_ERROR

    def test_the_check_goes_on_after_an_exception(self, student: Student) -> None:
        """The process lives on."""
        with pytest.raises(KeyError):
            student.fail("key")

        assert student.echo(1) == 1


class TestGradients:
    def test_a_gradient_is_taken_over_there(self, student: Student) -> None:
        """The derivative of sum(w * 2x) by x is 2w."""
        x = student.put(torch.tensor([1.0, 2.0]), requires_grad=True)
        out = student.hold(student.Layer(2), x)

        found = student.gradient(out, x, torch.tensor([1.0, 10.0]))
        plain = student.gradient(out, x)

        assert torch.equal(found, torch.tensor([2.0, 20.0]))
        assert torch.equal(plain, torch.tensor([2.0, 2.0]))
        assert torch.equal(student.value(out), torch.tensor([2.0, 4.0]))

    def test_no_graph_is_no_gradient(self, student: Student) -> None:
        """None, where the result does not depend on the input or needs no gradient."""
        x = student.put(torch.ones(2), requires_grad=True)
        other = student.put(torch.ones(2), requires_grad=True)
        still = student.put(torch.ones(2))

        assert student.gradient(student.hold(student.echo, other), x) is None
        assert student.gradient(student.hold(student.echo, still), x) is None

    def test_a_test_that_passes_a_tensor_is_wrong(self, student: Student) -> None:
        """A gradient is of something held in the worker."""
        with pytest.raises(TypeError):
            student.gradient(torch.ones(1), student.put(torch.ones(1)))  # type: ignore[arg-type]
