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


def show_quiz(result: QuizResult, course: Course, screen: Screen) -> None:
    """Print one quiz's result, item by item."""
    number = result.quiz.partition("_")[0]
    heading = say(
        "Quiz {number} {title}: {earned} of {possible} points",
        number=number, title=result.title, earned=f"{result.earned:g}",
        possible=f"{result.possible:g}",
    )  # fmt: skip
    if result.sealed:
        heading = say("Quiz {number} {title}", number=number, title=result.title)
    screen.line(heading.pick(screen.language), "bold")
    for notice in result.notices:
        screen.line(say("Note: {notice}", notice=notice).pick(screen.language), "yellow", 2)
    for item in result.items:
        _show_item(item, course, screen)
    if result.sealed:
        _show_sealed(result, screen)
    screen.line()


def _show_item(item: ItemResult, course: Course, screen: Screen) -> None:
    sign = sign_of_mark(item.mark)
    style = COLOURS_OF_MARKS.get(item.mark, COLOURS.get(sign, ""))
    line = say(
        "{number}. [{mark}] {prompt} ({earned}/{points})",
        number=item.number, mark=item.mark.label, prompt=_first_line(item.prompt),
        earned=f"{item.earned:g}", points=item.points,
    )  # fmt: skip
    screen.line(f"{screen.sign(sign)} {line.pick(screen.language)}", style, 2)
    if item.mark is Mark.UNANSWERED:
        return
    if item.place:
        screen.line(item.place, "dim", 6)
    if item.given is not None:
        _say(say("Your answer: {answer}", answer=item.given), screen)
    for message in item.messages:
        _say(message, screen)
    for id_ in item.misconceptions:
        named = course.file.misconceptions.get(id_)
        if named is not None:
            _say(say("A sign of misconception {id}: {what}", id=id_, what=named), screen)
    if item.suggested is not None:
        _say(
            say("Suggested by its words, which is no mark: {points} of {all} points.",
                points=f"{item.suggested:g}", all=item.points),
            screen,
        )  # fmt: skip


def _show_sealed(result: QuizResult, screen: Screen) -> None:
    answered = sum(item.mark is Mark.PENDING for item in result.items)
    text = say(
        "Saved: {answered} of {all} items answered. Your instructor marks this quiz.",
        answered=answered, all=len(result.items),
    )  # fmt: skip
    screen.line(text.pick(screen.language), "bold", 2)


def _say(text: Text, screen: Screen) -> None:
    screen.line(text.pick(screen.language), indent=6)


def _first_line(text: Text) -> Text:
    return Text(text.zh.strip().split("\n")[0], text.en.strip().split("\n")[0])
