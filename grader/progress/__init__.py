"""What a student has done: recorded in the course's ``.grade`` folder, read back as history.

The record is the student's own. No mark is ever made from it.
"""

from grader.progress.backups import Replaced, put_back, put_stub
from grader.progress.dashboard import (
    Dashboard,
    Item,
    NextStep,
    exercise_items,
    make_dashboard,
    next_step,
)
from grader.progress.events import Attempt, Kind, Score, attempt_of, now, quiz_attempt_of
from grader.progress.hints import Hint, hint_pointer, next_hint
from grader.progress.history import History, ItemHistory, State
from grader.progress.store import Store

__all__ = [
    "Attempt",
    "Dashboard",
    "Hint",
    "History",
    "Item",
    "ItemHistory",
    "Kind",
    "NextStep",
    "Replaced",
    "Score",
    "State",
    "Store",
    "attempt_of",
    "exercise_items",
    "hint_pointer",
    "make_dashboard",
    "next_hint",
    "next_step",
    "now",
    "put_back",
    "put_stub",
    "quiz_attempt_of",
]
