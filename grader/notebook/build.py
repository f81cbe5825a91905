"""``grade notebook``: each exercise as a notebook, made from the files of its folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.commands.common import Settings, course_root, show_json
from grader.course import Course, Exercise, load_course, only_exercises, resolve_targets
from grader.errors import UsageError, needing
from grader.report import Screen
from grader.text import Language, say

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["Notebooks", "build_notebook", "write_notebooks"]

FOLDER = Path("notebooks")
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
CODE_FENCE = re.compile(r"^(```|~~~)", re.MULTILINE)


class Notebooks(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade notebook --json`` prints: paths of what was written and of what was kept."""

    schema: str = "grade-notebook/1"
    written: list[str]
    kept: list[str]


def write_notebooks(words: list[str], output: Path | None, settings: Settings) -> int:
    """Write a notebook for each exercise that ``words`` name; one that is there is kept."""
    root = course_root(settings, words)
    targets = only_exercises(resolve_targets(words or [str(root / "exercises")], root, Path.cwd()))
    course = load_course(root, only=[target.exercise for target in targets])
    folder = root / FOLDER if output is None else output
    found = Notebooks(written=[], kept=[])
    for exercise in course.exercises:
        path = folder / f"{exercise.id}.ipynb"
        written = _write(path, build_notebook(course, exercise, settings.language, folder))
        (found.written if written else found.kept).append(str(path))
    if settings.as_json:
        return show_json(found)
    _show(found, Screen(settings.language))
    return 0


def build_notebook(
    course: Course, exercise: Exercise, language: Language, folder: Path
) -> NotebookNode:
    """Return an exercise as a notebook: set-up, README, stub under ``%%grade``, hints.

    The same files give the same notebook.

    Args:
        course: for its folder, which the notebook has to find.
        exercise: to put into it.
        language: of README and messages.
        folder: where the notebook will lie.

    Raises:
        UsageError: nbformat is not installed.
    """
    v4 = _nbformat().v4
    number = exercise.number
    readme = exercise.folder / ("README.md" if language == "zh" else "README.en.md")
    hints = say(
        "## Hints\n\nThere are {count}. The next cell shows the first; each later one opens once "
        "you have graded another answer.",
        count=len(exercise.file.hints),
    )  # fmt: skip
    cells = [
        v4.new_code_cell(_setup(course.root, folder, language), id="setup"),
        *(
            v4.new_markdown_cell(text, id=f"task-{index}")
            for index, text in enumerate(sections(readme.read_text(encoding="utf-8")), start=1)
        ),
        v4.new_code_cell(
            f"%%grade {number}\n{exercise.stub.read_text(encoding='utf-8').rstrip()}",
            id="answer", metadata={"grade": {"exercise": exercise.id}},
        ),
        v4.new_markdown_cell(hints.pick(language), id="hints"),
        v4.new_code_cell(f"%grade_hint {number}", id="hint"),
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return v4.new_notebook(cells=cells, metadata=metadata)


def sections(text: str) -> list[str]:
    """Return a Markdown text in parts that begin at its second-level headings.

    A text with fenced code stays whole: a comment in code looks like a heading.
    """
    parts = [text] if CODE_FENCE.search(text) else SECTION.split(text)
    return [part.strip() for part in parts if part.strip()]


def _setup(root: Path, folder: Path, language: Language) -> str:
    """Return the first cell; it names the course where the notebook lies outside of it."""
    words = f"--lang {language}"
    if not folder.resolve().is_relative_to(root.resolve()):
        try:
            path = os.path.relpath(root.resolve(), folder.resolve())
        except ValueError:  # another drive
            path = str(root.resolve())
        words += f' --course "{Path(path).as_posix()}"'
    return f"%load_ext grader.notebook\n%grade_setup {words}"


def _nbformat() -> Any:
    with needing("nbformat", "notebook"):
        import nbformat
    return nbformat


def _write(path: Path, notebook: NotebookNode) -> bool:
    """Write a notebook unless there is one already: it may hold somebody's work."""
    text = _nbformat().writes(notebook)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text if text.endswith("\n") else text + "\n")
    except FileExistsError:
        if path.is_file():
            return False
        raise UsageError(say("{file} is there already.", file=path)) from None
    except OSError as error:
        raise UsageError(
            say("{file} cannot be written: {error}.", file=path, error=error.strerror),
            say("Name another place: --output FOLDER"),
        ) from None
    return True


def _show(found: Notebooks, screen: Screen) -> None:
    language = screen.language
    for path in found.written:
        screen.line(say("Written: {path}", path=path).pick(language))
    for path in found.kept:
        kept = say("Kept as it is, since it may hold your work: {path}", path=path)
        screen.line(kept.pick(language), "yellow")
    how = say("Open them in JupyterLab or VS Code, or any program that runs notebooks.")
    screen.line(how.pick(language))
