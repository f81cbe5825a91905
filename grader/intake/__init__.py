"""Turn what a student hands in into a :class:`Submission`, one by one or as a bundle."""

from grader.intake.archive import Archive, RefusedError, read_archive
from grader.intake.bundle import Bundle, Manifest, read_bundle, write_bundle
from grader.intake.submission import Submission, few, submission_from_source, take_in

__all__ = [
    "Archive",
    "Bundle",
    "Manifest",
    "RefusedError",
    "Submission",
    "few",
    "read_archive",
    "read_bundle",
    "submission_from_source",
    "take_in",
    "write_bundle",
]
