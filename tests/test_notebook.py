"""Notebooks as they are used: made, executed in a real kernel, graded in their cells."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.notebook.client import DeskClient
from grader.notebook.desk import Graded, Order, Refused
from grader.progress import Store
from grader.results import Outcome
from grader.text import Text
from tests.commandline import Grade, environment, gone, write
from tests.conftest import not_covered
from tests.test_cli import RIGHT

WRONG = RIGHT.replace("2 * x", "3 * x")
SLOW = "import time\n\n\ndef double(x):\n    time.sleep(60)\n"
SETUP = "%load_ext grader.notebook\n%grade_setup --lang en"
PROCESSES = "from grader.notebook.magics import _client\nprint(_client.process.pid)"


class Kernel:
    """Executes cells one after another in a kernel of its own."""

    def __init__(self, folder: Path, timeout: int = 120) -> None:
        import nbclient
        import nbformat

        self.v4 = nbformat.v4
        self.client = nbclient.NotebookClient(
            nbformat.v4.new_notebook(), timeout=timeout, kernel_name="python3", allow_errors=True,
            interrupt_on_timeout=True, resources={"metadata": {"path": str(folder)}},
        )  # fmt: skip

    def run(self, *sources: str) -> list[str]:
        """Execute cells; return what each shows, as text."""
        cells = [self.v4.new_code_cell(source) for source in sources]
        self.client.nb.cells = cells
        self.client.execute()
        return [shown(cell) for cell in cells]


def shown(cell: Any) -> str:
    """Return everything a cell put out, as text."""
    parts = []
    for output in cell.outputs:
        data = output.get("data", {})
        parts.append(output.get("text", "") or data.get("text/plain", "") or output.get("evalue"))
    return "\n".join(filter(None, parts))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are started from here and speak what the environment asks for."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """Say what is missing instead of passing."""
    for name in ("nbformat", "nbclient", "ipykernel"):
        try:
            __import__(name)
        except ImportError:
            not_covered(f"{name} is not installed")


@pytest.fixture
def desk() -> Iterator[DeskClient]:
    """A desk without a kernel."""
    client = DeskClient()
    yield client
    client.close()


def below(pid: int) -> list[int]:
    """Return the processes below ``pid`` and itself."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [pid]
    for above in found:
        found += [child for child, parent in parents.items() if parent == above]
    return found


def order(course: Path, source: str | None, *words: str) -> Order:
    """Return an order to grade a cell."""
    return Order(root=str(course), cwd=str(course), words=list(words) or ["01"], source=source)


class TestExecuted:
    def test_an_executed_notebook_shows_both_verdicts(self, grade: Grade, course: Path) -> None:
        """The right answer passes, the wrong one fails, in the notebook `grade notebook` made."""
        import nbformat
        from nbclient import NotebookClient

        assert grade("notebook", "01").code == 0
        path = course / "notebooks/01_double.ipynb"
        notebook = nbformat.read(path, 4)
        answer = next(cell for cell in notebook.cells if cell.id == "answer")
        stub = answer.source
        right, wrong = (nbformat.v4.new_code_cell(f"%%grade 01\n{text}") for text in (RIGHT, WRONG))
        notebook.cells += [right, wrong]

        NotebookClient(
            notebook, kernel_name="python3", timeout=120,
            resources={"metadata": {"path": str(path.parent)}},
        ).execute()  # fmt: skip

        assert stub.startswith("%%grade 01\n")
        assert "[not started]" in shown(answer)
        assert "All checks passed." in shown(right)
        assert "[failed]" in shown(wrong)
        assert "[passed]" in right.outputs[0].data["text/html"]
        assert "[failed]" in wrong.outputs[0].data["text/html"]
        hint = next(cell for cell in notebook.cells if cell.id == "hint")
        assert "hint 1 of 3" in shown(hint)

    def test_any_front_end_can_show_it(self, course: Path) -> None:
        """VS Code and others draw these two standard types alone, and run no script in them."""
        kernel = Kernel(course)
        kernel.run(SETUP, f"%%grade 01\n{WRONG}", "%grade", "%grade_hint 01")

        for cell in kernel.client.nb.cells[1:]:
            (output,) = cell.outputs  # "Grading ..." was replaced
            assert output.output_type == "display_data"
            assert set(output.data) == {"text/html", "text/plain"}
            assert re.findall(r"<(?:script|style|link|iframe|img)|\son\w+=|src=|class=",
                              output.data["text/html"]) == []  # fmt: skip

    def test_the_worker_is_kept_warm_and_ends_with_the_kernel(self, course: Path) -> None:
        """Two cells, one desk, one worker; nothing is left when the kernel has ended."""
        report = (
            "import subprocess\nprint(subprocess.run(['ps', '-o', 'pid=', '--ppid', "
            "str(_client.process.pid)], capture_output=True, text=True).stdout)"
        )
        cells = [f"%%grade 01\n{RIGHT}", PROCESSES, report]

        _, _, desk, worker, _, desk_after, worker_after = Kernel(course).run(SETUP, *cells, *cells)

        assert worker.strip()
        assert (desk, worker) == (desk_after, worker_after)
        assert gone([int(desk), *map(int, worker.split())])

    def test_what_happens_in_other_cells_changes_no_verdict(self, course: Path) -> None:
        """Torch patched, another default dtype, a broken random: the desk is another process."""
        write(course / "random.py", "raise SystemExit\n")
        spoil = (
            "import torch\ntorch.set_default_dtype(torch.float64)\n"
            "torch.testing.assert_close = torch.allclose = lambda *a, **k: True\n"
            "import builtins\nbuiltins.abs = lambda x: 0"
        )

        _, _, right, wrong = Kernel(course).run(
            SETUP, spoil, f"%%grade 01\n{RIGHT}", f"%%grade 01\n{WRONG}"
        )

        assert "All checks passed." in right
        assert "[failed]" in wrong

    def test_an_interrupt_ends_the_check_and_the_next_cell_works(self, course: Path) -> None:
        """The stop button, in the middle of an endless answer."""
        _, _, first, stopped, again = Kernel(course, timeout=6).run(
            SETUP, PROCESSES.replace("print", "_client._running(); print"), PROCESSES,
            f"%%grade 01\n{SLOW}", "print('on')",
        )  # fmt: skip

        assert stopped.endswith("UsageError: Interrupted; nothing was lost.\n")
        assert "on" in again
        assert gone(below(int(first)))

    def test_dashboard_hints_and_slips(self, course: Path) -> None:
        """`%grade` and `%grade_hint` print; a slip is a sentence and no traceback."""
        _, overview, hint, closed, unknown, nothing, slip = Kernel(course).run(
            SETUP, "%grade", "%grade_hint 01", "%grade_hint 01 --number 3",
            "%%grade 99\nx = 1", "%%grade\nx = 1", "%grade_setup --lang fr",
        )  # fmt: skip

        assert "A tiny course" in overview
        assert "\x1b" not in overview
        assert "hint 1 of 3" in hint
        assert "not open yet" in closed
        assert "Nothing to grade is called 99." in unknown
        assert "Write `%%grade 03`." in nothing
        assert "--lang" in slip
        for text in (closed, unknown, nothing, slip):
            assert text.startswith("UsageError: ")

    def test_magics_in_an_answer_are_named(self, course: Path) -> None:
        """Those on top are left out, the others fail with a name; lines are the cell's."""
        _, found = Kernel(course).run(
            SETUP, f"%%grade 01\n%matplotlib inline\n{RIGHT}\n!pip install torch\n"
        )

        assert "Line 2 of the cell was left out: `%matplotlib inline`" in " ".join(found.split())
        assert "Line 10 of the cell is a magic or shell line" in " ".join(found.split())
        assert "[syntax error]" in found

    def test_an_answer_is_saved_for_handing_in(self, grade: Grade, course: Path) -> None:
        """With `--save` it stands in the exercise's file, and what stood there is kept."""
        path = write(course / "exercises/01_double/double.py", "# an hour's work\n")

        _, graded, saved, again = Kernel(course).run(
            SETUP, f"%%grade 01\n{WRONG}", f"%%grade 01 --save\n{RIGHT}",
            f"%%grade --save 01\n{RIGHT}",
        )  # fmt: skip

        assert "Saved" not in graded
        assert "All checks passed." in saved
        assert "Saved as exercises/01_double/double.py." in saved
        assert "Saved as" in again
        assert path.read_text(encoding="utf-8") == RIGHT
        (backup,) = (course / ".grade/backups/01_double").iterdir()
        assert backup.read_text(encoding="utf-8") == "# an hour's work\n"
        assert f".grade/backups/01_double/{backup.name}" in saved
        assert "Not graded since" not in grade("submit").out

    def test_outside_of_the_course_it_is_named(self, course: Path, tmp_path: Path) -> None:
        """By the way out, or by the set-up."""
        _, lost, _, found = Kernel(tmp_path).run(
            SETUP, "%grade", f'%grade_setup --course "{course}"', "%grade"
        )

        assert "%grade_setup --course FOLDER" in lost
        assert "A tiny course" in found

    def test_a_plain_terminal_gets_text(self, course: Path) -> None:
        """IPython without a kernel prints the report and leaves nothing running."""
        program = write(
            course / "session.ipy",
            f"%load_ext grader.notebook\nget_ipython().run_cell_magic('grade', '01', {RIGHT!r})\n"
            f"{PROCESSES}\n",
        )

        done = subprocess.run(
            [sys.executable, "-m", "IPython", "--colors=NoColor", str(program)], cwd=course,
            env=environment(IPYTHONDIR=str(course / "ipython")), capture_output=True, text=True,
            timeout=120, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

        assert "All checks passed." in done.stdout, done.stderr
        assert "<div" not in done.stdout
        assert gone([int(done.stdout.split()[-1])])


class TestDesk:
    def test_a_cell_is_graded_and_recorded(self, desk: DeskClient, course: Path) -> None:
        """As a file would be; notices on the cell are in the report."""
        notice = Text("格", "On the cell")
        answer = desk.ask(
            Order(root=str(course), cwd=str(course), words=["01"], source=RIGHT, notices=[notice])
        )

        assert isinstance(answer, Graded)
        (result,) = answer.report.exercises
        assert result.passed
        assert result.notices == [notice]
        assert Store(course).history().of("exercise", "01_double").state == "done"

    def test_files_are_graded_too(self, desk: DeskClient, course: Path) -> None:
        """`%grade exercises` is the command."""
        answer = desk.ask(order(course, None, "01", "02"))

        assert isinstance(answer, Graded)
        assert [result.exercise for result in answer.report.exercises] == [
            "01_double", "02_indices",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("source", "outcome"),
        [
            ("x = '\0'\n", Outcome.ENCODING_ERROR),
            ("x = 1\n" * 2**18, Outcome.REJECTED),
            ("x = '\ud800'\n", Outcome.MISSING),
            ("", Outcome.MISSING),
        ],
        ids=["NUL", "too large", "half a character", "empty"],
    )
    def test_odd_sources_get_an_outcome(
        self, desk: DeskClient, course: Path, source: str, outcome: Outcome
    ) -> None:
        """Under the same rules as a file."""
        if "\ud800" in source:  # what JSON cannot carry never leaves the kernel
            source = source.encode("utf-8", "replace").decode()
        answer = desk.ask(order(course, source))

        assert isinstance(answer, Graded)
        assert outcome in {check.outcome for check in answer.report.exercises[0].checks}

    def test_a_slip_is_an_answer(self, desk: DeskClient, course: Path) -> None:
        """Two exercises for one cell, none, a quiz, a sandbox that is not here."""
        refused = [
            desk.ask(order(course, RIGHT, "01", "02")),
            desk.ask(order(course, RIGHT, "77")),
            desk.ask(
                Order(
                    root=str(course), cwd=str(course), words=["01"], source=RIGHT, sandbox="glass"
                )
            ),
        ]

        assert all(isinstance(answer, Refused) for answer in refused)
        assert isinstance(desk.ask(order(course, RIGHT)), Graded)

    def test_a_dead_desk_is_replaced(self, desk: DeskClient, course: Path) -> None:
        """Killed between two cells: the next one gets a new desk."""
        desk.ask(order(course, RIGHT))
        first = desk.process
        assert first is not None
        first.kill()
        first.wait()

        assert isinstance(desk.ask(order(course, RIGHT)), Graded)
        assert desk.process is not first

    def test_it_ends_when_its_input_does(self, desk: DeskClient, course: Path) -> None:
        """A kernel that is killed closes the pipe; desk, worker and folders go."""
        desk.ask(order(course, RIGHT))
        process = desk.process
        assert process is not None
        assert process.stdin is not None
        everyone = below(process.pid)
        process.stdin.close()

        assert process.wait(20) == 0
        assert len(everyone) >= 2
        assert gone(everyone)


class TestMade:
    def test_the_same_files_give_the_same_notebook(self, grade: Grade, course: Path) -> None:
        """Byte for byte; nothing in it is executed."""
        grade("notebook", "01", "--output", "a")
        grade("notebook", "exercises/01", "--output", "b")

        first = (course / "a/01_double.ipynb").read_bytes()
        assert first == (course / "b/01_double.ipynb").read_bytes()
        assert [c["outputs"] for c in json.loads(first)["cells"] if "outputs" in c] == [[], [], []]

    def test_it_holds_readme_stub_and_hints(self, grade: Grade, course: Path) -> None:
        """In the language asked for, valid, with the exercise named in the answer's cell."""
        import nbformat

        for language, readme in (("zh", "README.md"), ("en", "README.en.md")):
            grade("notebook", "01", "--lang", language, "--output", language)
            notebook = nbformat.read(course / language / "01_double.ipynb", 4)
            nbformat.validate(notebook)
            cells = {cell.id: cell for cell in notebook.cells}
            stub = (course / "exercises/01_double/.stub.py").read_text(encoding="utf-8")
            text = (course / "exercises/01_double" / readme).read_text(encoding="utf-8")

            assert cells["setup"].source.endswith(f"--lang {language}")
            assert cells["task-1"].source in text
            assert cells["answer"].source == f"%%grade 01\n{stub.rstrip()}"
            assert cells["answer"].metadata["grade"] == {"exercise": "01_double"}
            assert cells["hint"].source == "%grade_hint 01"

    def test_all_exercises_without_a_target(self, grade: Grade, course: Path) -> None:
        """In the course's own folder, which git ignores."""
        told = json.loads(grade("notebook", "--json").out)

        names = sorted(path.name for path in (course / "notebooks").iterdir())
        assert names == [
            f"{name}.ipynb" for name in ("01_double", "02_indices", "03_limited", "04_faulty")
        ]
        assert [Path(path).name for path in told["written"]] == names
        assert told["schema"] == "grade-notebook/1"

    def test_one_that_is_there_is_kept(self, grade: Grade, course: Path) -> None:
        """It may hold an hour's work."""
        path = write(course / "notebooks/01_double.ipynb", "mine")

        done = grade("notebook", "01")

        assert done.code == 0
        assert "Kept as it is" in done.out
        assert path.read_text() == "mine"

    def test_elsewhere_it_names_the_course(self, grade: Grade, tmp_path: Path) -> None:
        """From a folder outside, the set-up cell finds the way back."""
        folder = tmp_path / "我的 笔记"
        assert grade("notebook", "01", "--output", str(folder)).code == 0

        import nbformat

        setup = nbformat.read(folder / "01_double.ipynb", 4).cells[0].source
        _, overview = Kernel(folder).run(setup, "%grade")

        assert "A tiny course" in overview

    def test_a_quiz_is_no_notebook(self, grade: Grade, tmp_path: Path) -> None:
        """One message; so is a place that cannot be written."""
        blocked = write(tmp_path / "file", "x")

        assert "cannot be written" in grade(
            "notebook", "01", "--output", str(blocked / "x")
        ).failed_with(2)

    def test_without_nbformat_it_says_what_to_install(self, grade: Grade, tmp_path: Path) -> None:
        """The extra is named."""
        write(tmp_path / "hidden/nbformat.py", "raise ImportError\n")
        path = os.pathsep.join([str(tmp_path / "hidden"), os.environ.get("PYTHONPATH", "")])

        assert "grader[notebook]" in grade("notebook", "01", PYTHONPATH=path).failed_with(2)

    def test_it_says_how_to_open_them(self, grade: Grade, course: Path) -> None:
        """One by its path, several by their folder."""
        one, several = grade("notebook", "01").out, grade("notebook", "exercises").out

        folder = course / "notebooks"
        assert one.endswith(f'in JupyterLab:\njupyter lab "{folder / "01_double.ipynb"}"\n')
        assert several.endswith(f'jupyter lab "{folder}"\n')

    def test_the_extra_brings_that_program_and_its_kernel(self) -> None:
        """A fresh environment can open what was made; another one's kernel lacks the grader."""
        path = Path(__file__).parents[1] / "pyproject.toml"
        (line,) = re.findall(r"^notebook = .*$", path.read_text(encoding="utf-8"), re.MULTILINE)

        assert {"ipykernel", "jupyterlab"} <= set(re.findall(r'"([a-z]+)', line))
        assert Path(sys.executable).with_name("jupyter-lab").exists()
