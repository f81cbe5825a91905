"""What an exercise's stub tells about the task."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.checking.stub import StubFacts, stub_facts
from grader.course import load_course
from grader.outline import outline

STUB = '''\
SIZE = 3
OTHER = 1


def f(x, /, y=2, *rest, mode="a", **more):
    """Do it."""
    raise NotImplementedError("TODO")


class Layer:
    def __init__(self, dim: int, scale: float = 1.0) -> None:
        raise NotImplementedError("TODO")

    def forward(self, x):
        raise NotImplementedError("TODO")


def given():
    return 1
'''
REFERENCE = STUB.replace('raise NotImplementedError("TODO")', "return 1").replace(
    "SIZE = 3", "SIZE = 4"
)


@pytest.fixture
def facts(mini: Path, tmp_path: Path) -> StubFacts:
    """Facts of a stub and a reference put into a copy of the tiny course."""
    for part in ("exercises", "solutions"):
        shutil.copytree(mini / part, tmp_path / part)
    (tmp_path / "exercises/01_double/.stub.py").write_text(STUB)
    (tmp_path / "solutions/01_double/double.py").write_text(REFERENCE)
    return stub_facts(load_course(tmp_path).exercises[0])


class TestStubFacts:
    def test_what_differs_from_the_reference_is_to_do(self, facts: StubFacts) -> None:
        """Names that are the same in the reference are given, not asked for."""
        assert facts.to_do == {"SIZE", "f", "Layer"}

    def test_signatures_are_shown_without_self(self, facts: StubFacts) -> None:
        """Functions, a class by its ``__init__``, methods by class and name."""
        assert facts.signatures == {
            "f": "(x, /, y=2, *rest, mode='a', **more)",
            "Layer": "(dim: int, scale: float=1.0)",
            "Layer.forward": "(x)",
            "given": "()",
        }

    def test_positional_parameters_are_known_by_name(self, facts: StubFacts) -> None:
        """Used to call a submission that only changed their order."""
        assert facts.parameters("f") == ["x", "y"]
        assert facts.parameters("Layer") == ["dim", "scale"]
        assert facts.parameters("Layer.forward") == ["x"]
        assert facts.parameters("nothing") == []

    def test_the_stub_itself_is_untouched(self, facts: StubFacts) -> None:
        """Also with a remark added."""
        assert facts.untouched({"f"}, outline("# mine\n" + STUB))
        assert facts.untouched({"f", "Layer", "given"}, outline(STUB))

    def test_one_change_among_the_touched_is_enough(self, facts: StubFacts) -> None:
        """A check that uses two names counts as tried when one of them was written."""
        found = outline(STUB.replace("SIZE = 3", "SIZE = 5"))

        assert not facts.untouched({"f", "SIZE"}, found)
        assert facts.untouched({"f"}, found)

    def test_a_check_of_what_was_given_is_never_untouched(self, facts: StubFacts) -> None:
        """Nothing among what it uses is to do."""
        assert not facts.untouched({"given"}, outline(STUB))
        assert not facts.untouched(set(), outline(STUB))

    def test_without_a_reference_everything_is_to_do(self, mini: Path, tmp_path: Path) -> None:
        """On a student's machine there is none."""
        shutil.copytree(mini / "exercises", tmp_path / "exercises")

        facts = stub_facts(load_course(tmp_path).exercises[0])

        assert facts.to_do == {"double", "greet"}
