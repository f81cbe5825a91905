"""A course to release in tests: tiny exercises and a tiny quiz together."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

import yaml

from grader.course.yaml_source import LOADER
from tests.conftest import COURSES

__all__ = ["course_to_release", "read_yaml", "repacked", "unzipped"]

JOINED = ("objectives", "lesson", "misconceptions", "self_test")

VISIBLE = """
import pytest
from grader.checking import assert_value


@pytest.mark.check(title={"zh": "两对", "en": "two pairs"}, points=1, objectives=["order"])
def test_two(student):
    assert_value(student.indices(2), [0, 0, 1, 1])
"""


def read_yaml(data: bytes) -> Any:
    """Return what a file of the course says."""
    return yaml.load(data, LOADER)  # noqa: S506 - a safe one


def course_to_release(root: Path) -> Path:
    """Make the course in ``root``: the exercises of one tiny course, the quiz of another."""
    for part in ("exercises", "solutions"):
        shutil.copytree(COURSES / "mini" / part, root / part)
    shutil.copytree(COURSES / "quiz/quizzes", root / "quizzes")
    shutil.copytree(COURSES / "quiz/solutions/quizzes", root / "solutions/quizzes")
    place = root / "exercises/course.yaml"
    course = read_yaml(place.read_bytes())
    other = read_yaml((COURSES / "quiz/exercises/course.yaml").read_bytes())
    for field in JOINED:
        if isinstance(other[field], list):
            course[field] = [*course.get(field, []), *other[field]]
        else:
            course[field] = {**other[field], **course.get(field, {})}
    visible = root / "exercises/02_indices/test_visible.py"
    visible.write_text(VISIBLE, encoding="utf-8")
    place.write_text(yaml.safe_dump(course, allow_unicode=True), encoding="utf-8")
    return root


def unzipped(data: bytes) -> dict[str, bytes]:
    """Return what a zip holds."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(files: dict[str, bytes]) -> bytes:
    """Return a zip as other programs write it: compressed, in any order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in reversed(files.items()):
            archive.writestr(name, data)
    return out.getvalue()
