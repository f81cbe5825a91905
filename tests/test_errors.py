"""What the system refuses, in the person's language."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from grader.errors import REASONS, reason
from tests.commandline import run_grade


@pytest.mark.parametrize("number", sorted(REASONS))
def test_known_reasons_are_chinese_in_chinese(number: int) -> None:
    """English stays as the system words it, so that it can be searched for."""
    found = reason(OSError(number, os.strerror(number)))

    assert found.en == os.strerror(number)
    assert found.zh.isascii() is False


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EPIPE, "Broken pipe"), OSError("no number"), OSError(errno.ESTALE, "Stale")],
)
def test_unknown_ones_stay_as_they_are(error: OSError) -> None:
    """Better than nothing."""
    found = reason(error)

    assert found.zh == found.en == (error.strerror or "no number")


def test_a_command_says_it_in_one_language(course: Path) -> None:
    """No English inside a Chinese sentence, and no Chinese inside an English one."""
    place = str(course / "exercises/01_double/double.py/x.zip")
    chinese = run_grade(course, "submit", "--output", place, LANG="zh_CN.UTF-8", COLUMNS="300").err
    english = run_grade(course, "submit", "--output", place, COLUMNS="300").err

    assert "Not a directory" not in chinese
    assert "路径中间有一段不是文件夹" in chinese
    assert "Not a directory" in english
