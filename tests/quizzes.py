"""Make quizzes for tests: the tiny course's, or one from a text."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

from grader.course import Course, load_course
from grader.quiz import Quiz, load_quiz
from tests.conftest import COURSES

__all__ = ["HEAD", "course_with", "item", "tiny_course"]

HEAD = """\
title: {zh: 测, en: A quiz}
summary: {zh: 测, en: A quiz.}
minutes: 1
objectives: [numbers]
lesson: ["1"]
items:
"""


def tiny_course(folder: Path) -> Path:
    """Copy the tiny course of quizzes into ``folder``; return its root."""
    root = folder / "course"
    shutil.copytree(COURSES / "quiz", root)
    return root


def course_with(folder: Path, items: str, keys: str = "", name: str = "02_made") -> Course:
    """Return the tiny course with one more quiz that holds these items (YAML, not indented)."""
    root = folder / "course"
    if not root.exists():
        tiny_course(folder)
    text = HEAD + textwrap.indent(textwrap.dedent(items), "  ")
    (root / f"quizzes/{name}.yaml").write_text(text, encoding="utf-8")
    if keys:
        (root / f"solutions/quizzes/{name}.py").write_text(textwrap.dedent(keys), encoding="utf-8")
    return load_course(root, only=[])


def item(folder: Path, items: str, keys: str = "") -> Quiz:
    """Return the quiz that holds these items."""
    return load_quiz(course_with(folder, items, keys), "02_made")
