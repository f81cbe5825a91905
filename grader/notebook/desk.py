"""The trusted side of a notebook, in a process of its own: ``python -m grader.notebook.desk``.

It reads one order a line from standard input and writes one answer a line to standard output. The
kernel runs whatever a student types, and torch patched or set to float64 there must not reach the
hidden tests. It keeps the worker warm and ends with it when the input ends.
"""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from grader.course import Target, load_course, only_exercises, resolve_targets
from grader.errors import GradeError, GraderFault
from grader.intake import Submission, take_in
from grader.intake.decode import decode_source
from grader.intake.submission import SOURCE_BYTES_MOST
from grader.progress import Store
from grader.results import Outcome, Report
from grader.sandbox import SandboxBroken, Zygote, choose
from grader.scoring import make_report
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.course import Course, Exercise
    from grader.results import ExerciseResult

__all__ = ["Answer", "Desk", "Graded", "Order", "Refused", "serve"]


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Grade what ``words`` name, or ``source`` as the answer to the one exercise they name.

    Attributes:
        root: the course's folder.
        cwd: where relative paths begin.
        source: of a cell; None to grade files.
        notices: on the cell, for the report.
    """

    root: str
    cwd: str
    words: list[str]
    source: str | None = None
    notices: list[Text] = []
    sandbox: str | None = None


class Graded(msgspec.Struct, frozen=True, tag=True):
    """What was found, and what to say of the record."""

    report: Report
    notices: list[Text] = []


class Refused(msgspec.Struct, frozen=True, tag=True):
    """An error of ours or of the order: what, and what to do next."""

    what: Text
    next_step: Text | None = None


Answer = Graded | Refused


class Desk:
    """Fills orders with one warm worker, which is started with the first."""

    def __init__(self) -> None:
        self.zygote: Zygote | None = None
        self._why = Text("", "")
        self._sandbox: str | None = None

    def fill(self, order: Order) -> Answer:
        """Return the answer to one order; never raises but for what ends the process."""
        try:
            return self._grade(order)
        except GradeError as error:
            return Refused(error.what, error.next_step)
        except SandboxBroken as error:
            self.close()  # the next order gets a new one
            return Refused(say("The sandbox failed: {error}", error=str(error)))
        except Exception as error:  # noqa: BLE001 - shown in the notebook, and whole on stderr
            traceback.print_exc()
            fault = GraderFault(
                say("The grader itself failed: {error}", error=type(error).__name__),
            )
            return Refused(fault.what)

    def close(self) -> None:
        """End the worker with everything in it."""
        if self.zygote is not None:
            self.zygote.kill()
            self.zygote = None

    def _warm(self, sandbox: str | None) -> Zygote:
        if self.zygote is None or sandbox != self._sandbox:
            self.close()
            tier, self._why = choose(sandbox)
            self._sandbox = sandbox
            self.zygote = Zygote(tier)
            self.zygote.start()
        return self.zygote

    def _grade(self, order: Order) -> Graded:
        root = Path(order.root)
        targets = only_exercises(resolve_targets(order.words, root, Path(order.cwd)))
        course = load_course(root, only=[target.exercise for target in targets])
        if order.source is not None and len(targets) != 1:
            raise GradeError(say("A cell answers one exercise: `%%grade 03`."))
        zygote = self._warm(order.sandbox)
        store = Store(root)
        results = [self._grade_one(course, target, order, zygote, store) for target in targets]
        return Graded(make_report(course, results), store.new_notices())

    def _grade_one(
        self, course: Course, target: Target, order: Order, zygote: Zygote, store: Store
    ) -> ExerciseResult:
        from grader.commands.grading import record
        from grader.grading import ExerciseGrader, sandbox_facts

        exercise = course.exercise(target.exercise)
        submission = (
            take_in(exercise, target.source) if order.source is None else _of_cell(exercise, order)
        )
        results: list[ExerciseResult] = []
        grader = ExerciseGrader(course, exercise, zygote, sandbox_facts(zygote, self._why))
        grader.grade([submission], results.append)
        record(store, course, target, results[0])
        return results[0]


def _of_cell(exercise: Exercise, order: Order) -> Submission:
    """Return a cell's source as a submission, under the same rules as a file."""
    data = (order.source or "").encode("utf-8", "replace")
    file = f"{exercise.module}.py"
    decoded = decode_source(data, file)
    refusal = decoded.refusal
    if len(data) > SOURCE_BYTES_MOST:
        refusal = (
            Outcome.REJECTED,
            say("{file} is larger than {most} KiB; hand in source code only.",
                file=file, most=SOURCE_BYTES_MOST // 1024),
        )  # fmt: skip
    return Submission(
        source="" if refusal else decoded.text,
        # Without the line that stands for `%%grade`: as the file has it that `--save` writes.
        sha256=hashlib.sha256(data.removeprefix(b"\n")).hexdigest(),
        notices=[*order.notices, *decoded.notices],
        refusal=refusal,
    )


def serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Fill orders until the input ends."""
    desk = Desk()
    try:
        for line in orders:
            order = msgspec.json.decode(line, type=Order)
            answers.write(msgspec.json.encode(desk.fill(order)) + b"\n")
            answers.flush()
    except (BrokenPipeError, KeyboardInterrupt):  # the kernel has gone, or wants us to stop
        pass
    finally:
        desk.close()


def main() -> None:
    """Serve the kernel; what anything here prints goes to standard error instead of the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)
    sys.stderr.flush()
    os._exit(0)  # with torch imported, taking the interpreter down takes a third of a second


if __name__ == "__main__":
    main()
