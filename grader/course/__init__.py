"""Read and validate a course: ``course.yaml``, exercises, and what a command line names."""

from grader.course.load import find_root, load_course, quiz_names
from grader.course.model import Course, Exercise, MistakeHead
from grader.course.targets import (
    QuizTarget,
    Target,
    complete_target,
    only_exercises,
    resolve_targets,
)

__all__ = [
    "Course",
    "Exercise",
    "MistakeHead",
    "QuizTarget",
    "Target",
    "complete_target",
    "find_root",
    "load_course",
    "only_exercises",
    "quiz_names",
    "resolve_targets",
]
