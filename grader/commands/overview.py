"""``grade`` without words: where am I, and what comes next."""

from __future__ import annotations

from grader.commands.common import Settings, course_root, show_json, show_notices
from grader.course import Course, load_course, quiz_names
from grader.errors import GradeError
from grader.progress import Dashboard, Item, Store, exercise_items, make_dashboard
from grader.quiz import Quiz, answers_path, load_quizzes, read_answers
from grader.report import Screen, show_dashboard

__all__ = ["dashboard_of", "quiz_items", "show_overview"]


def show_overview(settings: Settings) -> int:
    """Print objectives, exercises, quizzes and the next step."""
    course = load_course(course_root(settings, []))
    store = Store(course.root)
    dashboard = dashboard_of(course, store)
    if settings.as_json:
        show_json(dashboard)
    else:
        show_dashboard(dashboard, Screen(settings.language))
    show_notices(store, settings)
    return 0


def dashboard_of(course: Course, store: Store) -> Dashboard:
    """Return where the student stands in ``course``."""
    items = [*exercise_items(course), *quiz_items(course)]
    return make_dashboard(course, items, store.history())


def quiz_items(course: Course) -> list[Item]:
    """Return the course's quizzes as items."""
    items: list[Item] = []
    for quiz in load_quizzes(course, quiz_names(course.root)):
        begun, answered = _answered(course, quiz)
        own = [id_ for item in quiz.file.items for id_ in item.objectives]
        items.append(
            Item(
                kind="quiz", id=quiz.id, title=quiz.file.title, minutes=quiz.file.minutes,
                objectives=sorted({*quiz.file.objectives, *own}),
                begun=begun, answered=answered,
            )
        )  # fmt: skip
    return items


def _answered(course: Course, quiz: Quiz) -> tuple[bool, bool]:
    """Return whether a quiz that an instructor marks was begun, and whether nothing is left."""
    if not quiz.file.sealed:
        return False, False
    from grader.asking import needs_answers

    try:
        answers = read_answers(answers_path(course.root, quiz.id), quiz)
    except GradeError:  # `grade` on the quiz says what is wrong with the file
        return False, False
    left = needs_answers(quiz, answers, rates=False)
    return len(left) < len(quiz.file.items), not left
