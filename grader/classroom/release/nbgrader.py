"""Source notebooks for nbgrader: an assignment and a notebook for each exercise.

    source/03_implement_forward/03_implement_forward.ipynb

``nbgrader generate_assignment`` takes out what stands between its marks: the reference, and the
call for the hidden checks. The hidden checks themselves are in no notebook at all; the cell asks
the course on the machine that grades.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.checking.stub import stub_facts
from grader.checking.suite import collect_checks
from grader.classroom.release.bundles import slug
from grader.classroom.release.packing import Files
from grader.course import Course, Exercise
from grader.errors import UsageError, needing, writing
from grader.text import Language, say

__all__ = ["source_notebooks", "write_sources"]

SCHEMA = 3  # of nbgrader's metadata
CALL = "from grader.classroom.cells import earned_points\nearned_points({exercise!r}, {part!r})"
CONFIG = "nbgrader_config.py"
COMPANIONS = ("given.py",)
TIMEOUT_S = 300  # of one cell; it starts a sandbox and runs all checks
SETTINGS = """\
# Written by `grade release --nbgrader`. Run nbgrader in this folder.
c = get_config()
c.CourseDirectory.course_id = {slug!r}
# The stub stands above the solution, so nothing that raises may take the solution's place.
c.ClearSolutions.code_stub = {{"python": {placeholder!r}}}
# One test cell starts a sandbox and runs all checks of an exercise.
c.Execute.timeout = {timeout}
"""


def source_notebooks(course: Course, language: Language) -> Files:
    """Return ``source/`` and the settings of an nbgrader course.

    Args:
        course: with its solutions.
        language: of the texts in the notebooks.

    Raises:
        UsageError: nbformat is not installed, or an exercise has no solution here.
    """
    v4 = _nbformat()
    files: Files = {}
    for exercise in course.exercises:
        if not exercise.has_solution:
            raise UsageError(
                say("Nothing to release: {exercises} has no solution here.", exercises=exercise.id),
                say("Release from the copy of the course that holds solutions/."),
            )
        folder = f"source/{exercise.id}"
        notebook = _notebook(v4, course, exercise, language)
        files[f"{folder}/{exercise.id}.ipynb"] = notebook.encode()
        for name in COMPANIONS:
            path = exercise.folder / name
            if path.is_file():
                files[f"{folder}/{name}"] = path.read_bytes()
    placeholder = say("# Write your answer into the stub above.").pick(language)
    files[CONFIG] = SETTINGS.format(
        slug=slug(course), placeholder=placeholder, timeout=TIMEOUT_S
    ).encode()
    return files


def write_sources(folder: Path, files: Files) -> list[Path]:
    """Write the notebooks into ``folder``; settings that are there are kept.

    Returns:
        The files written.

    Raises:
        UsageError: the folder cannot be written.
    """
    written = []
    with writing(folder, say("Name another folder: --nbgrader FOLDER")):
        for name, data in files.items():
            path = folder / name
            if name == CONFIG and path.exists():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written.append(path)
    return written


def _notebook(v4: Any, course: Course, exercise: Exercise, language: Language) -> str:
    """Return one exercise's source notebook as JSON."""
    readme = exercise.folder / ("README.md" if language == "zh" else "README.en.md")
    stub = exercise.stub.read_text(encoding="utf-8").rstrip()
    reference = exercise.reference.read_text(encoding="utf-8").rstrip()
    visible, hidden = _points(course, exercise)
    cells = [
        v4.new_markdown_cell(readme.read_text(encoding="utf-8").strip(), id="task"),
        v4.new_code_cell(
            f"{stub}\n\n\n### BEGIN SOLUTION\n{_later(reference)}\n### END SOLUTION",
            id="answer", metadata=_role("answer", solution=True),
        ),
    ]  # fmt: skip
    call = CALL.format(exercise=exercise.id, part="visible")
    if visible:
        cells.append(_test(v4, "visible", call, visible))
    told = say("# The hidden checks run when your instructor grades.").pick(language)
    call = CALL.format(exercise=exercise.id, part="hidden")
    call = f"{told}\n### BEGIN HIDDEN TESTS\n{call}\n### END HIDDEN TESTS"
    cells.append(_test(v4, "hidden", call, hidden))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    import nbformat

    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    text: str = nbformat.writes(v4.new_notebook(cells=cells, metadata=metadata))
    return text.rstrip("\n") + "\n"


def _later(reference: str) -> str:
    """Return a reference as it can stand in the middle of a cell."""
    lines = reference.split("\n")
    return "\n".join(line for line in lines if not line.startswith("from __future__ "))


def _test(v4: Any, name: str, source: str, points: int) -> Any:
    return v4.new_code_cell(source, id=name, metadata=_role(name, points=points))


def _role(name: str, *, solution: bool = False, points: int | None = None) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell: an answer, or a test worth ``points``."""
    role: dict[str, Any] = {
        "grade": points is not None, "grade_id": name, "locked": not solution,
        "schema_version": SCHEMA, "solution": solution, "task": False,
    }  # fmt: skip
    return {"nbgrader": role if points is None else {**role, "points": points}}


def _points(course: Course, exercise: Exercise) -> tuple[int, int]:
    """Return what visible and hidden checks of an exercise are worth, bonus left out."""
    found = collect_checks(course, exercise, stub_facts(exercise))
    counted = [spec for spec in found if not spec.bonus]
    return (
        sum(spec.points for spec in counted if not spec.hidden),
        sum(spec.points for spec in counted if spec.hidden),
    )


def _nbformat() -> Any:
    with needing("nbformat", "notebook"):
        import nbformat
    return nbformat.v4
