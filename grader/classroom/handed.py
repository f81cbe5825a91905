"""What was handed in, looked at without running it: whether anything of it can be read at all."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

from grader.errors import CourseError, GradeError
from grader.intake.decode import decode_source
from grader.intake.defined import BROKEN, PARSED_MOST
from grader.outline import outline
from grader.quiz import Answers, Quiz, parse_answers
from grader.text import Text, say

__all__ = ["handed_answers", "source_trouble"]


def handed_answers(data: bytes, name: str, quiz: Quiz) -> Answers:
    """Read answers; where a file cannot be read there are none, and ``unread`` says why.

    That is no fault of ours. Where the file lies on this machine is nobody's business.

    Args:
        data: the file's bytes.
        name: the file's name without folders.
        quiz: what it answers.
    """
    try:
        found = parse_answers(data, Path(name), quiz)
    except GradeError as error:
        place = error.place if isinstance(error, CourseError) else name
        why = say("{place} cannot be read: {what}", place=place, what=error.what)
    else:
        if found.answers or data.strip():
            return found
        why = say("{file} is empty.", file=name)
    sha256 = hashlib.sha256(data).hexdigest()
    told = say("{why} So none of your answers was marked; talk to your teacher.", why=why)
    return Answers(path=Path(name), sha256=sha256, notices=[told], unread=why)


def source_trouble(data: bytes, name: str, wanted: set[str]) -> Text | None:
    """Return why no check can judge a Python file; None where one may be able to.

    Args:
        data: the file's bytes.
        name: what to call it.
        wanted: the names that the exercise asks for.
    """
    decoded = decode_source(data, name)
    if decoded.refusal is not None:
        return say("{place} cannot be read: {what}", place=name, what=decoded.refusal[1])
    if not decoded.text.strip():
        return say("{file} is empty.", file=name)
    if len(decoded.text) > PARSED_MOST:
        return None
    try:
        ast.parse(decoded.text)
        names = outline(decoded.text)
    except SyntaxError as error:
        return say("{place} is no valid Python: {what}", place=f"{name}:{error.lineno or 1}",
                   what=error.msg)  # fmt: skip
    except BROKEN:
        return say("{place} is no valid Python: {what}", place=name, what=say("nested too deeply"))
    if not wanted & names.keys():
        return say("{file} defines nothing that the task asks for.", file=name)
    return None
