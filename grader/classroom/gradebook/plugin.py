"""What nbgrader loads from here by the configuration that stands in a class's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.preprocessors import Preprocessor
from nbgrader.api import Assignment, Gradebook, Student, SubmittedAssignment
from nbgrader.plugins.export import CsvExportPlugin
from traitlets import Bool

from grader.classroom.gradebook.notebooks import TEACHER_ONLY
from grader.classroom.table import csv_table

__all__ = ["SafeCsvExport", "WithoutRubrics"]

COLUMNS = [
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score",
]  # fmt: skip


class SafeCsvExport(CsvExportPlugin):  # type: ignore[misc]
    """``nbgrader export`` with every name in its own column and no cell a formula."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the marks of all, or of the assignments and students named on the command line."""
        wanted = {str(name) for name in self.assignment}
        students = {str(name) for name in self.student}
        rows: list[list[object]] = []
        for assignment in gradebook.assignments:
            if wanted and assignment.name not in wanted:
                continue
            submissions = {row.student_id: row for row in assignment.submissions}
            rows += [
                _row(assignment, student, submissions.get(student.id))
                for student in gradebook.students
                if not students or student.id in students
            ]
        target = Path(self.to or "grades.csv")
        self.log.info("Exporting grades to %s", target)
        target.write_bytes(csv_table(COLUMNS, rows, mark=False))


class WithoutRubrics(Preprocessor):
    """Leaves out of nbgrader's own feedback what is not for students."""

    enabled = Bool(True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook without cells that are for teachers only."""
        nb.cells = [c for c in nb.cells if TEACHER_ONLY not in c.metadata.get("tags", [])]
        return nb, resources


def _row(
    assignment: Assignment, student: Student, submission: SubmittedAssignment | None
) -> list[object]:
    raw = submission.score if submission is not None else 0.0
    penalty = submission.late_submission_penalty if submission is not None else 0.0
    return [
        assignment.name, assignment.duedate, submission.timestamp if submission is not None else "",
        student.id, student.last_name, student.first_name, student.email, raw, penalty,
        max(0.0, raw - penalty), assignment.max_score,
    ]  # fmt: skip
