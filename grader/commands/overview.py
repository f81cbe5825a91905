"""``grade`` without words: where am I."""

from __future__ import annotations

import msgspec

from grader.commands.common import Settings, course_root
from grader.course import load_course
from grader.report import Screen, print_json
from grader.text import say

__all__ = ["list_exercises"]


def list_exercises(settings: Settings) -> int:
    """Print the exercises and how to start."""
    course = load_course(course_root(settings, []))
    if settings.as_json:
        listed = [
            {"id": found.id, "title": found.file.title, "minutes": found.file.minutes}
            for found in course.exercises
        ]
        listing = msgspec.json.encode({"schema": "grade-list/1", "exercises": listed})
        print_json(msgspec.json.format(listing, indent=2).decode())
        return 0
    screen = Screen(settings.language)
    screen.line(course.file.title.pick(settings.language), "bold")
    for exercise in course.exercises:
        title = exercise.file.title.pick(settings.language)
        minutes = say("{minutes} min", minutes=exercise.file.minutes).pick(settings.language)
        screen.line(f"{exercise.number}  {title} ({minutes})", indent=2)
    if course.exercises:
        example = f"grade exercises/{course.exercises[0].number}"
        screen.line(say("Grade one with: {command}", command=example).pick(settings.language))
    return 0
