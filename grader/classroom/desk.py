"""A desk where work is graded one piece after another in a warm worker; trusted side.

Hidden tests are collected once for all work of one exercise, and the sandbox stays warm over all
of it. A desk runs in this process, in a process of its own (``python -m grader.classroom.desk``,
which reads work from its input and answers on its output, a JSON line each), or inside a cluster's
worker. Student code runs in none of them, only in the sandbox that a desk starts.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from grader.classroom.handed import handed_answers
from grader.classroom.room import class_course
from grader.classroom.units import Done, Unit
from grader.course import quiz_names
from grader.discretion import Discretion
from grader.grading import ExerciseGrader, sandbox_facts
from grader.intake import Submission, take_in
from grader.quiz import KeyRing, load_quizzes, mark_quiz
from grader.results import ExerciseResult
from grader.sandbox import SandboxBroken, Zygote, choose

__all__ = ["Desk", "Done"]


class Desk:
    """Grades work.

    Args:
        root: the course's folder, with its solutions.
        sandbox: the tier's name; the strongest that works if None.
    """

    def __init__(self, root: Path, sandbox: str | None) -> None:
        self.course = class_course(root)
        self.quizzes = {q.id: q for q in load_quizzes(self.course, quiz_names(root))}
        self.ring = KeyRing(root)
        self._discretion = Discretion(root)
        self._tier, self._why = choose(sandbox)
        self._zygote: Zygote | None = None

    def work(self, following: Callable[[], Unit | None], on_done: Callable[[Done], None]) -> None:
        """Grade what ``following`` returns until that is None; hand each result to ``on_done``.

        ``following`` is asked for the next piece only after the one before was handed over.
        """
        unit = following()
        while unit is not None:
            if unit.kind == "quiz":
                on_done(self._quiz(unit))
                unit = following()
            else:
                unit = self._exercise(unit, following, on_done)

    def close(self) -> None:
        """End the sandbox with everything in it."""
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote = None

    def _quiz(self, unit: Unit) -> Done:
        quiz = self.quizzes[unit.item]
        path = Path(unit.path)
        answers = handed_answers(path.read_bytes(), path.name, quiz)
        result = mark_quiz(quiz, answers, self.ring, practice=False)
        hide = self._discretion.text
        items = [
            msgspec.structs.replace(item, messages=list(map(hide, item.messages)))
            for item in result.items
        ]
        return Done(unit=unit, quiz=msgspec.structs.replace(result, items=items))

    def _exercise(
        self, first: Unit, following: Callable[[], Unit | None], on_done: Callable[[Done], None]
    ) -> Unit | None:
        """Grade work as long as it is for the exercise of ``first``; return the next other one."""
        exercise = self.course.exercise(first.item)
        if self._zygote is None:
            self._zygote = Zygote(self._tier)
        grader = ExerciseGrader(
            self.course, exercise, self._zygote, sandbox_facts(self._zygote, self._why)
        )
        unit: Unit | None = first

        def submissions() -> Iterator[Submission]:
            nonlocal unit
            while unit is not None and unit.item == first.item:
                yield take_in(exercise, Path(unit.path))
                unit = following()

        def hand_over(result: ExerciseResult) -> None:
            assert unit is not None  # noqa: S101 - it is the one just graded
            on_done(Done(unit=unit, exercise=result))

        try:
            grader.grade(submissions(), hand_over)
        except SandboxBroken as error:
            self.close()
            assert unit is not None  # noqa: S101
            on_done(Done(unit=unit, fault=str(error)))
            return following()
        return unit


def serve(arguments: list[str], source: IO[bytes], sink: IO[bytes]) -> None:
    """Grade the work on ``source``, one JSON line each, and answer on ``sink``."""
    root, sandbox = Path(arguments[0]), arguments[1] or None
    desk = Desk(root, sandbox)

    def following() -> Unit | None:
        line = source.readline()
        return msgspec.json.decode(line, type=Unit) if line.strip() else None

    def on_done(done: Done) -> None:
        sink.write(msgspec.json.encode(done) + b"\n")
        sink.flush()

    try:
        desk.work(following, on_done)
    finally:
        desk.close()


if __name__ == "__main__":
    # A shell that starts a cluster's worker in the background has it ignore this, and us with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Answers go where only we write: anything printed by accident would break a line of JSON.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.argv[1:], sys.stdin.buffer, answers)
