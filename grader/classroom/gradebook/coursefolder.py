"""The folder that formgrader expects: its configuration, and a page for everything handed in.

Formgrader lists assignments by the folders in ``source``, takes a submission for graded when the
time in ``submitted`` is the database's, and opens what lies in ``autograded``. No notebook lies in
``source`` or ``submitted``: its buttons "generate" and "autograde" then find nothing to run, and
student code is never started outside a sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from grader.classroom.files import write_bytes
from grader.classroom.gradebook.names import book_id
from grader.classroom.gradebook.sheets import Assignment, Page, Submission

__all__ = ["CONFIG", "FOLDER", "CourseFolder"]

CONFIG = "nbgrader_config.py"
FOLDER = "formgrader"
OURS = '"""Written by `grade gradebook`'
CONFIGURATION = '''{ours}; nbgrader and its formgrader read it in this folder."""

import os
from pathlib import Path

here = Path(__file__).resolve().parent
c = get_config()  # noqa: F821
c.CourseDirectory.root = str(here / "{folder}")
c.CourseDirectory.course_id = "{course}"
# A password belongs into GRADE_DB_URL or, with PostgreSQL, into ~/.pgpass.
c.CourseDirectory.db_url = os.environ.get("GRADE_DB_URL") or {url}
# Names with commas keep their columns, and no cell is a formula.
c.ExportApp.plugin_class = "grader.classroom.gradebook.plugin.SafeCsvExport"
# Feedback that nbgrader makes itself leaves rubrics out.
c.GenerateFeedback.preprocessors = [
    "grader.classroom.gradebook.plugin.WithoutRubrics",
    "nbgrader.preprocessors.GetGrades",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
'''


class CourseFolder:
    """Writes the pages of a class; what stands there already is left as it is.

    Args:
        folder: the class's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._class = folder
        self._root = folder / FOLDER

    def configure(self, course: str, url: str) -> bool:
        """Write nbgrader's configuration; return False where a person's own one stands.

        Args:
            course: the course's name in the gradebook.
            url: a Python expression for the database's address.
        """
        path = self._class / CONFIG
        if path.exists() and not path.read_bytes().startswith(OURS.encode()):
            return False
        text = CONFIGURATION.format(ours=OURS, folder=FOLDER, course=course, url=url)
        write_bytes(path, text.encode())
        return True

    def announce(self, assignments: Iterable[Assignment]) -> None:
        """Make the folders by which formgrader knows the assignments."""
        for assignment in assignments:
            (self._root / "source" / assignment.name).mkdir(parents=True, exist_ok=True)

    def write(
        self, student: str, submission: Submission, notebook: Callable[[Page], bytes]
    ) -> None:
        """Write one student's pages, and remove those of what no longer counts."""
        if not submission.tried:
            return
        name, own = submission.assignment.name, book_id(student)
        time = f"{submission.at.isoformat(' ')} UTC\n" if submission.at is not None else ""
        stamp = self._root / "submitted" / own / name / "timestamp.txt"
        if time:
            write_bytes(stamp, time.encode())
        else:
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.unlink(missing_ok=True)
        folder = self._root / "autograded" / own / name
        folder.mkdir(parents=True, exist_ok=True)
        for page in submission.pages:
            path = folder / f"{page.notebook.name}.ipynb"
            if page.submitted:
                write_bytes(path, notebook(page), mode=0o444)
            else:
                path.unlink(missing_ok=True)
