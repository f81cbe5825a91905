"""What a check says of itself: ``@pytest.mark.check`` read and compared with the course."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from grader.course import Course, Exercise
from grader.errors import CourseError
from grader.text import Text, say

__all__ = ["CheckSpec", "read_check"]

PREFIX = "test_"  # of a check's function; its id is what follows


class CheckSpec(msgspec.Struct, frozen=True):
    """One check as its marker describes it.

    Attributes:
        id: the name of its function without ``test_``.
        hidden: whether it stands in the solution's folder.
        core: whether no cheap baseline may pass it.
        needs: ids of checks that have to pass before.
        bonus: whether it counts only for what it earns.
    """

    id: str
    title: Text
    points: int
    objectives: list[str]
    hidden: bool
    core: bool
    needs: list[str]
    bonus: bool = False


class _Marker(msgspec.Struct, forbid_unknown_fields=True):
    """The keywords of ``@pytest.mark.check``."""

    title: Text
    points: int
    objectives: list[str]
    core: bool = False
    needs: list[str] = []
    bonus: bool = False


def read_check(item: pytest.Item, course: Course, exercise: Exercise) -> CheckSpec:
    """Return what a collected test's marker says.

    Args:
        item: the test.
        course: for the objectives it may name.
        exercise: whose test it is.

    Raises:
        CourseError: it has no marker, or a wrong one; says the line.
    """
    path, line = Path(item.path), (item.reportinfo()[1] or 0) + 1
    mark = item.get_closest_marker("check")
    if mark is None:
        raise CourseError(path, line, say("{name} has no @pytest.mark.check.", name=item.name))
    try:
        marker = msgspec.convert(mark.kwargs, _Marker)
    except msgspec.ValidationError as error:
        raise CourseError(
            path, line,
            say("The check mark of {name} is wrong: {error}", name=item.name, error=str(error)),
        ) from None  # fmt: skip
    known = [objective.id for objective in course.file.objectives]
    for objective in marker.objectives:
        if objective not in known:
            raise CourseError(
                path, line,
                say("{name} names the unknown objective {id}.", name=item.name, id=repr(objective)),
                say("Known here: {known}.", known=", ".join(known)),
            )  # fmt: skip
    return CheckSpec(
        id=item.name.removeprefix(PREFIX), title=marker.title, points=marker.points,
        objectives=marker.objectives, hidden=path.parent == exercise.solution, core=marker.core,
        bonus=marker.bonus, needs=[name.removeprefix(PREFIX) for name in marker.needs],
    )  # fmt: skip
