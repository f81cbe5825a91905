"""Files of a class, and how they are named to a person."""

from __future__ import annotations

import os
import shlex

import pytest

from grader.classroom.files import as_word


@pytest.mark.skipif(os.name == "nt", reason="asks how a POSIX shell reads words")
@pytest.mark.parametrize("path", ["class", "一 班", "2026/一班", "it's", "a$b", "-x y", ""])
def test_a_path_in_a_command_that_is_suggested_is_one_word(path: str) -> None:
    """Whoever copies the command gets that folder, blanks and all; plain Chinese stays plain."""
    assert shlex.split(as_word(path)) == [path]
    assert as_word("2026/一班") == "2026/一班"
