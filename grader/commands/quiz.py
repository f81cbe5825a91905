"""``grade quizzes/NN``: answers read from the sheet, or asked for in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from grader.commands.common import Settings
from grader.course import Course, QuizTarget
from grader.errors import UsageError
from grader.quiz import Answers, Quiz, answers_path, load_quizzes, read_answers, write_answers
from grader.report import Screen
from grader.text import Language, say

__all__ = ["Left", "answered", "sheet_of"]

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
DUMB = {"", "dumb", "unknown"}  # values of TERM


class Left(Exception):
    """The student has left the dialogue before it was complete; everything is saved.

    Attributes:
        exit_code: of the command.
    """

    def __init__(self, exit_code: int) -> None:
        super().__init__()
        self.exit_code = exit_code


def answered(
    course: Course, targets: Sequence[QuizTarget], settings: Settings, *, alone: bool, again: bool
) -> list[tuple[Quiz, Answers]]:
    """Read the answers to quizzes; what one named alone lacks is asked for in a terminal.

    Args:
        course: the course.
        targets: the quizzes.
        settings: language, and whether JSON is wanted, which asks nothing.
        alone: whether nothing else is graded.
        again: ask what is answered already, too.

    Raises:
        Left: the student left the dialogue.
        UsageError: ``again`` where nothing can be asked.
    """
    asks = alone and bool(targets) and not settings.as_json and _in_terminal()
    if again and not asks:
        raise UsageError(
            say("--again asks one quiz in a terminal."),
            say("Name one quiz only, or change your answers in its file in `answers`."),
        )
    found: list[tuple[Quiz, Answers]] = []
    for target in targets:
        write = alone and not settings.as_json
        quiz, answers = sheet_of(course, target, settings.language, write=write)
        own = target.answers == answers_path(course.root, quiz.id)
        if asks and own:  # a file from elsewhere is somebody's finished work
            answers = _asked(course, quiz, answers, settings, again=again)
        found.append((quiz, answers))
    return found


def sheet_of(
    course: Course, target: QuizTarget, language: Language, *, write: bool
) -> tuple[Quiz, Answers]:
    """Return a quiz and the answers to it.

    Args:
        course: the course.
        target: the quiz and its answer file.
        language: of what is asked, in a new file.
        write: whether to write the file, for a person to fill in, where there is none yet.
    """
    (quiz,) = load_quizzes(course, [target.quiz])
    answers = read_answers(target.answers, quiz)
    if write and not answers.seed:
        answers = write_answers(target.answers, quiz, answers, language)
    return quiz, answers


def _asked(
    course: Course, quiz: Quiz, answers: Answers, settings: Settings, *, again: bool
) -> Answers:
    from grader.asking import Dialogue, make_asker, needs_answers

    practice = course.file.policy.mode == "practice"
    rates = practice and not quiz.file.sealed
    if not again and not needs_answers(quiz, answers, rates=rates):
        return answers
    screen = Screen(settings.language)
    dialogue = Dialogue(
        quiz, answers, answers_path(course.root, quiz.id), screen,
        make_asker(screen, dumb=os.name != "nt" and os.environ.get("TERM", "").lower() in DUMB),
        practice=practice, again=again,
    )  # fmt: skip
    ended = dialogue.run()
    if ended == "interrupt":
        raise Left(INTERRUPTED)
    if ended == "gone":
        _write_nowhere()
    if ended in {"quit", "gone"}:
        raise Left(1)
    screen.line()
    return dialogue.answers


def _write_nowhere() -> None:
    """Let what is still buffered for a terminal that was closed go nowhere instead of failing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _in_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
