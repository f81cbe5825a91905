"""A marked quiz as read in a terminal: what was chosen, and why it is right or wrong."""

from __future__ import annotations

from grader.course import Course
from grader.report.screen import Screen
from grader.report.words import sign_of_mark
from grader.results import ItemResult, Mark, QuizResult
from grader.text import Text, say

__all__ = ["show_quiz"]

COLOURS = {"passed": "green", "failed": "red", "todo": "cyan"}
COLOURS_OF_MARKS = {
    Mark.PARTLY: "yellow",
    Mark.UNREADABLE: "yellow",
    Mark.PENDING: "",
    Mark.GRADER_ERROR: "bold magenta",
}
TYPED = {"numeric", "shape", "cloze", "code", "text"}  # shown as typed; the others hold Markdown
NOT_YET = {Mark.PARTLY, Mark.WRONG}


def show_quiz(
    result: QuizResult,
    course: Course,
    screen: Screen,
    *,
    explain: bool = False,
    open_items: bool = True,
) -> None:
    """Print one quiz's result, item by item, and how to answer again.

    Args:
        result: the marked quiz.
        course: for the names of misconceptions and sections.
        screen: where to print.
        explain: also tell the right answers and explain every option, as far as the result does:
            outside practice it holds none of that.
        open_items: also show what was not answered, instead of counting it.
    """
    _Shown(result, course, screen, explain=explain, open_items=open_items).show()


class _Shown:
    """Prints one quiz's result."""

    def __init__(
        self, result: QuizResult, course: Course, screen: Screen, *, explain: bool, open_items: bool
    ) -> None:
        self.result, self.course, self.screen, self.explain = result, course, screen, explain
        self.open_items = open_items

    def say(self, text: Text, style: str = "", indent: int = 6) -> None:
        """Print a sentence that may hold Markdown and formulas."""
        self.screen.prose(text.pick(self.screen.language), style, indent)

    def show(self) -> None:
        self.screen.line(self._heading().pick(self.screen.language), "bold")
        for notice in self.result.notices:
            self.screen.line(
                say("Note: {notice}", notice=notice).pick(self.screen.language), "yellow", 2
            )
        left = [item for item in self.result.items if item.mark is Mark.UNANSWERED]
        for item in self.result.items:
            if self.open_items or item not in left:
                self._show_item(item)
        if left and not self.open_items:
            text = say("Not answered yet: {count} items.", count=len(left))
            self.screen.line(text.pick(self.screen.language), "cyan", 2)
        if self.result.sealed:
            self._show_sealed()
        elif self.result.items:
            self._show_next()
        self.screen.line()

    def _heading(self) -> Text:
        number, title = self._number, self.result.title
        if self.result.sealed:
            return say("Quiz {number} {title}", number=number, title=title)
        return say(
            "Quiz {number} {title}: {earned} of {possible} points",
            number=number, title=title, earned=f"{self.result.earned:g}",
            possible=f"{self.result.possible:g}",
        )  # fmt: skip

    @property
    def _number(self) -> str:
        return self.result.quiz.partition("_")[0]

    def _show_item(self, item: ItemResult) -> None:
        sign = sign_of_mark(item.mark)
        style = COLOURS_OF_MARKS.get(item.mark, COLOURS.get(sign, ""))
        line = say(
            "{number}. [{mark}] ({earned}/{points})",
            number=item.number, mark=item.mark.label, earned=f"{item.earned:g}",
            points=item.points,
        )  # fmt: skip
        self.screen.line(f"{self.screen.sign(sign)} {line.pick(self.screen.language)}", style, 2)
        self.say(item.prompt, "dim" if item.mark is Mark.UNANSWERED else "")
        if item.mark is Mark.UNANSWERED:
            return
        for row in item.code.splitlines():
            self.screen.line(row, "cyan", 10)
        if item.place:
            self.screen.line(item.place, "dim", 6)
        if item.given is not None:
            given = say("Your answer: {answer}", answer=item.given)
            if item.type in TYPED:
                self.screen.line(given.pick(self.screen.language), "bold", 6)
            else:
                self.say(given, "bold")
        for message in item.messages:
            self.say(message)
        self._show_misconceptions(item)
        if item.suggested is not None:
            self.say(
                say("Suggested by its words, which is no mark: {points} of {all} points.",
                    points=f"{item.suggested:g}", all=item.points)
            )  # fmt: skip
        if item.mark in NOT_YET:
            self._show_lesson(item)
        if self.explain:
            self._show_explained(item)

    def _show_misconceptions(self, item: ItemResult) -> None:
        for id_ in item.misconceptions:
            named = self.course.file.misconceptions.get(id_)
            if named is not None:
                self.say(say("A sign of misconception {id}: {what}", id=id_, what=named), "yellow")

    def _show_lesson(self, item: ItemResult) -> None:
        for id_ in item.lesson:
            title = self.course.file.lesson.get(id_)
            if title is not None:
                self.say(
                    say("The lesson treats this in section {id}: {title}", id=id_, title=title)
                )

    def _show_explained(self, item: ItemResult) -> None:
        if item.expected is not None:
            right = (
                say("A good answer: {answer}", answer=item.expected)
                if item.type == "text"
                else say("Right is: {answer}", answer=item.expected)
            )
            self.say(right, "green")
        for text in item.explained:
            if text not in item.messages:
                self.say(text, indent=8)

    def _show_sealed(self) -> None:
        answered = sum(item.mark is Mark.PENDING for item in self.result.items)
        text = say(
            "Saved: {answered} of {all} items answered. Your instructor marks this quiz.",
            answered=answered, all=len(self.result.items),
        )  # fmt: skip
        self.screen.line(text.pick(self.screen.language), "bold", 2)

    def _show_next(self) -> None:
        """Say how to go on: with what is open, or once more."""
        command = f"grade quizzes/{self._number}"
        idle = [i for i in self.result.items if i.mark in {Mark.UNANSWERED, Mark.UNREADABLE}]
        told = any(item.explained for item in self.result.items)
        if idle:
            text = say("Answer the open items: {command}", command=command)
        elif not self.result.passed:
            text = say("Answer again: {command} --again", command=command)
        else:
            text = say("All of it is right.")
        self.screen.line(text.pick(self.screen.language), indent=2)
        if self.explain and not told:
            text = say("Right answers are told in practice, about what was answered.")
            self.screen.line(text.pick(self.screen.language), "dim", 2)
        if told and not self.explain:
            text = say("Right answers and all explanations: {command} --explain", command=command)
            self.screen.line(text.pick(self.screen.language), "dim", 2)
