"""A course of one notebook for ``nbgrader autograde``, with one submission."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

__all__ = ["NbgraderCourse"]

ASSIGNMENT, STUDENT = "forward", "student"
SCHEMA = 3  # of nbgrader's metadata
POINTS = 1.0


class NbgraderCourse:
    """Autogrades its one submission again and again, in this process.

    Args:
        api: nbgrader's own, of a course in which the assignment was released and handed in.
    """

    def __init__(self, api: Any) -> None:
        self._api = api

    @classmethod
    def make(
        cls, folder: Path, files: dict[str, str], answer: str, checks: list[str]
    ) -> NbgraderCourse | None:
        """Write the course, release the notebook and hand it in; None without nbgrader.

        Args:
            folder: of the course; made here.
            files: to lie beside the notebook, by name.
            answer: the source that is handed in.
            checks: the source of each test cell.
        """
        try:
            from nbgrader.apps import NbGraderAPI
            from traitlets.config import Config
        except ImportError:
            return None
        # It calls a program that lies beside the interpreter.
        programs = str(Path(sys.executable).parent)
        os.environ["PATH"] = os.pathsep.join([programs, os.environ["PATH"]])
        source = folder / "source" / ASSIGNMENT
        source.mkdir(parents=True)
        for name, text in files.items():
            (source / name).write_text(text, encoding="utf-8")
        _write_notebook(source / f"{ASSIGNMENT}.ipynb", answer, checks)
        config = Config()
        config.CourseDirectory.root = str(folder)
        api = NbGraderAPI(config=config)
        _done(api.generate_assignment(ASSIGNMENT))
        released, handed_in = folder / "release" / ASSIGNMENT, folder / "submitted" / STUDENT
        shutil.copytree(released, handed_in / ASSIGNMENT)
        course = cls(api)
        course.autograde()
        found = api.get_submission(ASSIGNMENT, STUDENT)
        if found["score"] != len(checks) * POINTS:
            raise RuntimeError(f"nbgrader gave {found['score']} points for a right answer")
        return course

    def autograde(self) -> None:
        """Grade the submission, whether or not it was graded before."""
        _done(self._api.autograde(ASSIGNMENT, STUDENT))


def _done(found: dict[str, Any]) -> None:
    if not found["success"]:
        raise RuntimeError("\n".join(filter(None, [found.get("log"), found.get("error")])))


def _write_notebook(path: Path, answer: str, checks: list[str]) -> None:
    import nbformat

    # Not marked as a solution, so that it is handed in as it is released.
    cells = [_cell("answer", answer, grade=False)]
    cells += [
        _cell(f"check-{number}", f"import torch\n{check}", grade=True)
        for number, check in enumerate(checks)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "", "language": "python"}
    nbformat.write(notebook, str(path))


def _cell(name: str, source: str, *, grade: bool) -> Any:
    import nbformat

    facts = {
        "grade": grade, "grade_id": name, "locked": True, "solution": False, "task": False,
        "schema_version": SCHEMA, **({"points": POINTS} if grade else {}),
    }  # fmt: skip
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": facts})
