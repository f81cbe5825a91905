"""Answers in notebooks: by name, the last written cell, nothing of the outputs."""

from __future__ import annotations

import json

import pytest

from grader.intake.notebook import NOTEBOOK_BYTES_MOST, NotebookError, answer_in, read_notebook
from grader.outline import outline
from grader.results import Outcome
from tests.handins import notebook

TODO = "    raise NotImplementedError\n"
STUB = f"def double(x):\n{TODO}\n\ndef greet(name):\n{TODO}"
NAMES = outline(STUB)


def answer(*cells: str, names: dict[str, str] = NAMES):
    """Return the answer in these cells; ``%%grade 01`` asks for it."""
    return answer_in(read_notebook(notebook(*cells), "a.ipynb"), names, lambda word: word == "01")


def run(source: str) -> dict[str, object]:
    """Run a source and return what it defines."""
    found: dict[str, object] = {}
    exec(source, found)  # noqa: S102 - the tests' own cells
    return found


def test_only_the_cells_that_define_the_names_are_taken():
    """A training loop or a plot elsewhere in the notebook is not run by the grader."""
    found = answer("print('hello')", "def double(x):\n    return 2 * x", "raise SystemExit")

    assert found is not None
    assert found.cells == [2]
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]


def test_a_notebook_of_something_else_has_no_answer():
    """None of the names, no answer."""
    assert answer("x = 1", "def other():\n    pass") is None


def test_imports_and_helpers_of_other_cells_come_along():
    """What the answer uses, what that uses, and no more; in the order of the notebook."""
    found = answer(
        "import math, json\nfrom os import path as p", "SCALE = 2\nUNUSED = print('never')",
        "def helper(x):\n    return SCALE * x", "def double(x):\n    return math.floor(helper(x))",
    )  # fmt: skip

    assert found is not None
    assert run(found.source)["double"](3.5) == 7  # type: ignore[operator]
    assert "print" not in found.source
    assert "from os" not in found.source


def test_a_functions_own_variables_are_none_of_the_notebooks():
    """A cell that tries the answer out often calls its input ``x``, as the function does."""
    found = answer(
        "def double(x):\n    y = [i for i in (x, x)]\n    return sum(y)",
        "x = double(4)\ni = double(x)", "y = SystemExit(double(x))",
    )  # fmt: skip

    assert found is not None
    assert "SystemExit" not in found.source
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]
    assert "x" not in run(found.source)


def test_what_is_built_on_the_answer_stands_behind_it():
    """One answer may use what another cell made with an earlier one; 2 * 3 greets as 6."""
    found = answer(
        "def double(x):\n    return SCALE * x", "TABLE = double(3)\nROWS = [TABLE]",
        "def greet(name, rows=ROWS):\n    return name, rows[0]", "SCALE = 2",
    )  # fmt: skip

    assert found is not None
    assert found.cells == [1, 3]
    assert run(found.source)["greet"]("ada") == ("ada", 6)  # type: ignore[operator]


def test_names_in_classes_and_inner_functions_are_found():
    """A constant that only a method of a class inside uses comes along; a shadowed one does not."""
    found = answer(
        "WIDTH = 2\nDEPTH = double(9)\nSPARE = double(8)",
        "class double:\n    size = WIDTH\n\n    def __new__(cls, x, SPARE=0):\n"
        "        def inner():\n            return FACTOR * x + SPARE\n        return inner()",
        "FACTOR = 2",
    )  # fmt: skip

    assert found is not None
    assert "DEPTH" not in found.source
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]


def test_every_import_of_a_package_comes_along():
    """One of several imports is not enough, and a star may bring anything."""
    found = answer(
        "import xml", "import xml.dom.minidom", "from math import *",
        "def double(x):\n    return (xml.dom.minidom and floor(x)) * 2",
    )  # fmt: skip

    assert found is not None
    assert run(found.source)["double"](4.9) == 8  # type: ignore[operator]


def test_of_several_cells_the_last_that_is_written_counts():
    """Copied, split and pasted cells repeat names; an untouched copy of the stub is no answer."""
    found = answer("def double(x):\n    return 1", "def double(x):\n    return 2 * x", STUB)

    assert found is not None
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]
    assert found.notices[0].en == "double stands in cells 1, 2, 3; cell 2 is taken."


def test_a_cell_never_brings_an_older_version_of_another_name():
    """Two cells hold both names, each only one of them written."""
    found = answer(
        "def double(x):\n    return 2 * x\n\ndef greet(name):\n    raise NotImplementedError",
        "def double(x):\n    raise NotImplementedError\n\ndef greet(name):\n    return name",
    )

    assert found is not None
    defined = run(found.source)
    assert defined["double"](4) == 8  # type: ignore[operator]
    assert defined["greet"]("ada") == "ada"  # type: ignore[operator]


def test_a_cell_under_the_magic_is_the_answer():
    """The last of them wins over every cell without it, and keeps its own imports."""
    found = answer(
        "def double(x):\n    return 0",
        "%%grade 01\nimport math\ndef double(x):\n    return 2 * math.floor(x)",
        "%%grade 02\ndef double(x):\n    return 5", "def double(x):\n    return 1",
    )  # fmt: skip

    assert found is not None
    assert found.cells == [2]
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]


def test_lines_for_ipython_are_left_out():
    """Magics, shell lines and questions are no Python."""
    found = answer(
        "%matplotlib inline\n!pip install torch\ndouble?\ndef double(x):\n    return 2 * x"
    )

    assert found is not None
    assert run(found.source)["double"](4) == 8  # type: ignore[operator]


def test_an_operator_is_no_magic():
    """A line that goes on with ``% 3`` is Python."""
    found = answer("def double(x):\n    return (x\n    % 3)")

    assert found is not None
    assert run(found.source)["double"](7) == 1  # type: ignore[operator]


def test_a_cell_with_a_syntax_error_is_still_the_answer():
    """Its owner is told of the error instead of having handed in nothing."""
    found = answer("def double(x:\n    return 2 * x")

    assert found is not None
    assert "def double(x:" in found.source


def test_future_imports_stand_first():
    """Elsewhere they are a syntax error."""
    found = answer(
        "import math", "from __future__ import annotations\ndef double(x):\n    return math.pi"
    )

    assert found is not None
    assert found.source.startswith("from __future__ import annotations\n")
    assert run(found.source)["double"](1) > 3  # type: ignore[operator]


def test_outputs_are_not_read():
    """Neither kept nor taken for source, and of any form."""
    cells = read_notebook(notebook("def double(x):\n    return x", outputs=100_000), "a.ipynb")

    assert [len(cell.source) < 100 for cell in cells] == [True]


def test_a_notebook_of_the_third_format_is_read():
    """Old tools still write it."""
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}]}

    assert read_notebook(json.dumps(old).encode(), "a.ipynb")[0].source == "x = 1\ny = 2"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"null", b'{"cells": [', b'{"cells": 3}', b'{"cells": [{"source": [1]}]}',
        b'<<<<<<< HEAD\n{"cells": []}\n=======\n', b"\0" * 10, b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_notebook_is_told_to_be_one(data: bytes):
    """Salvage is for a person; the outcome has a name."""
    with pytest.raises(NotebookError) as caught:
        read_notebook(data, "a.ipynb")

    assert caught.value.outcome is Outcome.ENCODING_ERROR
    assert "a.ipynb" in caught.value.what.en


def test_a_notebook_full_of_pictures_is_refused_by_its_size():
    """The student is told what to do."""
    with pytest.raises(NotebookError, match="clear its outputs"):
        read_notebook(b" " * (NOTEBOOK_BYTES_MOST + 1), "a.ipynb")
