"""What test files, probes and pictures import, and the engine that runs them.

Authors use ``Student``, assertions, ``fail``, ``aspect``, ``picture``, ``UNSEEN``; the rest is for
the engine.
"""

from grader.checking.aspects import UNSEEN, Aspect, aspect
from grader.checking.assertions import (
    Mismatch,
    assert_raises,
    assert_tensor,
    assert_unchanged,
    assert_value,
    fail,
    tolerance,
)
from grader.checking.pictures import picture
from grader.checking.student import Remote, Student

__all__ = [
    "UNSEEN",
    "Aspect",
    "Mismatch",
    "Remote",
    "Student",
    "aspect",
    "assert_raises",
    "assert_tensor",
    "assert_unchanged",
    "assert_value",
    "fail",
    "picture",
    "tolerance",
]
