"""Read and validate a course: ``course.yaml``, exercises, and what a command line names."""

from grader.course.load import find_root, load_course
from grader.course.model import Course, Exercise, MistakeHead
from grader.course.targets import Target, complete_target, resolve_targets

__all__ = [
    "Course",
    "Exercise",
    "MistakeHead",
    "Target",
    "complete_target",
    "find_root",
    "load_course",
    "resolve_targets",
]
