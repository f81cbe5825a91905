"""A quiz while ``grade watch`` watches its answer file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.commands.common import show_notices
from grader.commands.grading import record_quiz
from grader.commands.hint import help_with
from grader.commands.quiz import sheet_of
from grader.commands.watched import Watched
from grader.course import QuizTarget
from grader.errors import GradeError
from grader.quiz import mark_quizzes
from grader.report import print_json, show_report
from grader.results import Mark, QuizResult
from grader.scoring import make_report
from grader.text import Text, say
from grader.watch import signature

if TYPE_CHECKING:
    from grader.commands.session import Session

__all__ = ["WatchedQuiz"]


class WatchedQuiz(Watched):
    """A quiz while it is watched; its answers may also come from a dialogue in another terminal."""

    def __init__(self, session: Session, target: QuizTarget) -> None:
        super().__init__(session, target, target.answers)
        self.quiz_target = target

    def run(self) -> None:
        """Mark the answers now and after every save; write the sheet first if there is none."""
        first = True
        for _ in self.times():
            self._graded = signature(self.path)
            if self._graded is None and not first:  # an editor's business, not ours to make again
                self.show_absent()
                continue
            first = False
            try:
                result = self._marked()
            except GradeError as error:
                self.show_error(error)
            else:
                self._show(result)

    def _marked(self) -> QuizResult:
        session = self.session
        sheet = sheet_of(session.course, self.quiz_target, session.settings.language, write=True)
        self._graded = signature(self.path)  # a new sheet was written just now
        (result,) = mark_quizzes(session.course, [sheet], session.key_ring)
        return result

    def _show(self, result: QuizResult) -> None:
        session = self.session
        record_quiz(session.store, session.course, result)
        report = make_report(session.course, [], [result])
        if session.settings.as_json:
            print_json(msgspec.json.encode(report).decode())
        else:
            self.clear()
            if all(item.mark is Mark.UNANSWERED for item in result.items):
                self._show_begin(result)
            else:
                show_report(report, session.course, self.screen, open_items=False)
            if result.passed:
                self.show_done(say("Quiz {number} is done.", number=self._number))
            self.show_keys()
        show_notices(session.store, session.settings)

    def _show_begin(self, result: QuizResult) -> None:
        """Say where answers go, instead of listing every item as not answered."""
        title = say("Quiz {number} {title}", number=self._number, title=result.title)
        self.say(title, "bold")
        self.say(say("Write your answers into this file; each save is marked:"))
        self.screen.code(str(self.path))
        self.say(
            say("Or answer one item after another in another terminal: {command}",
                command=f"grade quizzes/{self._number}")
        )  # fmt: skip

    @property
    def _number(self) -> str:
        return self.quiz_target.quiz.partition("_")[0]

    def _keys_line(self) -> Text:
        return say(
            "Watching {file}. Keys: n next, h what helps, l overview, Enter mark again, q quit",
            file=self.path.name,
        )

    def _help(self) -> None:
        self.say(help_with(self.session.course, self.quiz_target.quiz))
