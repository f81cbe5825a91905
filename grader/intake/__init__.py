"""Turn what a student hands in into a :class:`Submission`."""

from grader.intake.submission import Submission, submission_from_source, take_in

__all__ = ["Submission", "submission_from_source", "take_in"]
