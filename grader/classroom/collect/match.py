"""Which file answers what: by where it lies, what it is called, and what it defines."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from pathlib import PurePosixPath

import msgspec
import yaml

from grader.classroom.collect.facts import ExerciseFacts, Facts, defined_in
from grader.classroom.collect.names import Stem, natural, plain, read_stem
from grader.classroom.collect.times import with_zone
from grader.classroom.collect.unpack import Loose
from grader.classroom.handed import handed_answers, source_trouble
from grader.intake.decode import decode_source
from grader.intake.notebook import Answer, NotebookError, answer_in, read_notebook
from grader.intake.submission import few
from grader.text import Text, say

__all__ = ["Candidate", "Matched", "match"]

# How a file was recognised, the surest first.
BY_NAME, BY_FOLDER, BY_PART, BY_DEFINITIONS, BY_ONLINE_TEXT = range(5)
QUIZ_FIELD = re.compile(r"^quiz[ \t]*[:：][ \t]*['\"]?([\w-]+)", re.MULTILINE)
ANSWERS_FIELD = re.compile(r"^answers[ \t]*[:：]", re.MULTILINE)
FRAME = {"quiz", "seed", "answers", "ratings", "unfinished"}  # of an answer file
NUMBER = re.compile(r"^(?:ex(?:ercise)?|练习|作业|quiz|测验)?[ _-]*0*(\d{1,3})(?![0-9])")
ITEMS_FIELD = re.compile(r"^items[ \t]*:", re.MULTILINE)  # of a quiz itself, not of its answers
SAME_TIME = datetime.timedelta(seconds=10)
ANSWER_BYTES_PARSED = 2**15  # of an answer file, to see whether anything stands in it


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may answer an exercise or quiz.

    Attributes:
        item: id of the exercise or quiz.
        file: what was handed in.
        data: what is graded; of a notebook, the source made of its cells.
        by: how it was recognised.
        untouched: whether it is the stub as it was handed out, or an answer file with no answer.
        notices: on itself.
    """

    item: str
    file: Loose
    data: bytes
    by: int
    untouched: bool
    notices: list[Text] = []


class Matched(msgspec.Struct):
    """What one hand-in answers.

    Attributes:
        answers: item -> the file that counts.
        recognised: whether anything belongs to the course, untouched files included.
        notices: what was repaired or left aside.
        refused: whether a file could not be read that a person has to look at.
    """

    answers: dict[str, Candidate] = {}
    recognised: bool = False
    notices: list[Text] = []
    refused: bool = False


def match(files: list[Loose], aside: list[str], facts: Facts) -> Matched:
    """Return which of ``files`` answers what.

    Args:
        files: everything that may hold an answer.
        aside: paths of the other files, which are listed.
        facts: what the course is made of.
    """
    found = Matched()
    candidates: list[Candidate] = []
    nothing: list[str] = list(aside)
    for file in files:
        made = _candidates(file, facts, found)
        candidates += made
        if not made:
            nothing.append(file.path)
    items = {candidate.item for candidate in candidates}
    found.recognised = bool(items)
    if not items:  # beside other work, an empty file is no answer that went astray
        empty = [file.path for file in files if not file.data.strip()]
        found.refused |= bool(empty)
        found.notices += [say("{file} is empty.", file=path) for path in empty]
        nothing = [path for path in nothing if path not in empty]
    for item in sorted(items):
        _choose(item, [c for c in candidates if c.item == item], found)
        if item in found.answers and (why := _trouble(found.answers[item], facts)) is not None:
            found.refused = True
            found.notices.append(why)
    stubs = sorted(items - found.answers.keys())
    if stubs:
        found.notices.append(say("Untouched, so left out: {items}.", items=few(stubs)))
    if nothing:
        found.notices.append(say("Left aside: {extras}.", extras=few(nothing)))
    return found


def _candidates(file: Loose, facts: Facts, found: Matched) -> list[Candidate]:
    if file.kind == "notebook":
        return _in_notebook(file, facts, found)
    if file.kind == "answers":
        return _quiz(file, facts)
    return _source(file, facts, found)


def _choose(item: str, candidates: list[Candidate], found: Matched) -> None:
    """Take the file that counts: touched, most surely recognised, newest or last."""
    touched = [candidate for candidate in candidates if not candidate.untouched]
    if not touched:
        return
    surest = min(candidate.by for candidate in touched)
    best = sorted((c for c in touched if c.by == surest), key=_order)
    taken = _newest(best) or best[-1]
    found.answers[item] = taken
    found.notices += taken.notices
    others = [c.file.path for c in touched if c is not taken and c.data != taken.data]
    if others:
        found.notices.append(
            say("{item}: {file} is taken, not {others}.",
                item=item, file=taken.file.path, others=few(others))
        )  # fmt: skip


def _trouble(taken: Candidate, facts: Facts) -> Text | None:
    """Return why nothing of the file that counts will be judged, so that a person hears of it."""
    if taken.item in facts.quizzes:
        quiz = facts.quiz(taken.item)
        return handed_answers(taken.data, taken.file.name, quiz).unread if quiz else None
    exercise = next(e for e in facts.exercises if e.id == taken.item)
    return source_trouble(taken.data, taken.file.name, set(exercise.names))


def _newest(candidates: list[Candidate]) -> Candidate | None:
    """Return the file that was changed last; None where times do not tell.

    Unpacking and downloading give all files nearly the same time, in no order that means anything.
    """
    times = [(with_zone(c.file.changed, None), c) for c in candidates if c.file.changed is not None]
    times.sort(key=lambda pair: pair[0])
    if len(times) < len(candidates) or len(times) == 1:
        return None
    return times[-1][1] if times[-1][0] - times[-2][0] >= SAME_TIME else None


def _order(candidate: Candidate) -> tuple[object, ...]:
    """Sort files from the oldest to the newest by name alone; what lies deeper counts as older."""
    parts = PurePosixPath(candidate.file.path).parts
    stems = [read_stem(part) for part in parts]
    # A copy is told from its original in folders' and archives' names, too: `ada (1).zip`.
    ages = [(natural(stem.text), stem.version) for stem in stems]
    return -len(parts), ages, natural(candidate.file.path)


# --- sources -------------------------------------------------------------------------------------


def _source(file: Loose, facts: Facts, found: Matched) -> list[Candidate]:
    exercise, by = _exercise_named(file, facts)
    if exercise is not None:
        return [_of_source(file, exercise, by)]
    by = BY_ONLINE_TEXT if file.online_text else BY_DEFINITIONS
    candidates = []
    for exercises in facts.answered_by(defined_in(file.data).names):
        if len(exercises) == 1:
            candidates.append(_of_source(file, exercises[0], by))
        else:
            found.refused = True
            found.notices.append(_undecided(file, exercises))
    return candidates


def _undecided(file: Loose, exercises: list[ExerciseFacts]) -> Text:
    return say(
        "{file} may answer {items}; its name has to tell which.",
        file=file.path, items=", ".join(exercise.id for exercise in exercises),
    )  # fmt: skip


def _of_source(file: Loose, exercise: ExerciseFacts, by: int) -> Candidate:
    wanted = f"{exercise.module}.py"
    notices = []
    if by == BY_DEFINITIONS:
        notices.append(
            say("{file} was recognised by what it defines: {item}.",
                file=file.path, item=exercise.id)
        )  # fmt: skip
    elif by == BY_ONLINE_TEXT:
        notices.append(say("{item} was typed in as online text.", item=exercise.id))
    elif file.name != wanted:
        notices.append(say("{file} was taken as {name}.", file=file.path, name=wanted))
    return Candidate(
        item=exercise.id, file=file, data=file.data, by=by,
        untouched=exercise.untouched(file.data), notices=notices,
    )  # fmt: skip


def _exercise_named(file: Loose, facts: Facts) -> tuple[ExerciseFacts | None, int]:
    """Return the exercise that a file's name or folder tells, and which of them did."""
    if file.online_text:
        return None, BY_ONLINE_TEXT
    stem = read_stem(file.name)
    for exercise in facts.exercises:
        if stem.name in (exercise.module, exercise.id):
            return exercise, BY_NAME
    names = defined_in(file.data).names.keys()
    fitting = [exercise for exercise in facts.exercises if names & exercise.names.keys()]
    inside = [exercise for exercise in fitting if exercise.id in file.path.split("/")[:-1]]
    if len(inside) == 1:
        return inside[0], BY_FOLDER
    named = [exercise for exercise in fitting if _names(stem, exercise)]
    return (named[0], BY_PART) if len(named) == 1 else (None, BY_DEFINITIONS)


def _names(stem: Stem, exercise: ExerciseFacts) -> bool:
    """Whether a file's name holds the exercise's, or begins with its number."""
    padded = f"_{stem.name}_"
    if any(f"_{word}_" in padded for word in (exercise.module, exercise.id)):
        return True
    number = NUMBER.match(plain(stem.text))
    return number is not None and int(number[1]) == exercise.number


# --- notebooks -----------------------------------------------------------------------------------


def _in_notebook(file: Loose, facts: Facts, found: Matched) -> list[Candidate]:
    """Return an answer for every exercise that cells of a notebook define names of."""
    try:
        cells = read_notebook(file.data, file.path)
    except NotebookError as error:
        found.refused = True
        found.notices.append(error.what)
        return []
    open_names = {name for cell in cells if not cell.grade for name in cell.names}
    answered = facts.answered_by(open_names)
    for exercises in answered:
        if len(exercises) > 1:
            found.refused = True
            found.notices.append(_undecided(file, exercises))
    sure = [exercises[0].id for exercises in answered if len(exercises) == 1]
    candidates = []
    for exercise in facts.exercises:
        asks = _asked(exercise)
        if exercise.id in sure or any(cell.grade and asks(cell.grade) for cell in cells):
            answer = answer_in(cells, exercise.names, asks)
            candidates += [] if answer is None else [_of_cells(file, exercise, answer)]
    return candidates


def _of_cells(file: Loose, exercise: ExerciseFacts, answer: Answer) -> Candidate:
    data = answer.source.encode()
    numbers = ", ".join(map(str, answer.cells))
    taken = (
        say("{item} comes from {file}, cells {cells}.",
            item=exercise.id, file=file.path, cells=numbers)
        if len(answer.cells) > 1
        else say("{item} comes from {file}, cell {cell}.",
                 item=exercise.id, file=file.path, cell=numbers)
    )  # fmt: skip
    named = read_stem(file.name).name in (exercise.module, exercise.id)
    return Candidate(
        item=exercise.id, file=file, data=data, by=BY_NAME if named else BY_PART,
        untouched=exercise.untouched(data), notices=[taken, *answer.notices],
    )  # fmt: skip


def _asked(exercise: ExerciseFacts) -> Callable[[str], bool]:
    """Return what tells whether ``%%grade WORD`` means ``exercise``."""

    def asks(words: str) -> bool:
        word = (words.split() or [""])[0].strip("'\"").rstrip("/").replace("\\", "/")
        word = word.rpartition("/")[2].removesuffix(".py")
        if word.isdecimal():
            return int(word[:9]) == exercise.number
        return plain(word) in (exercise.id, exercise.module)

    return asks


# --- quizzes -------------------------------------------------------------------------------------


def _quiz(file: Loose, facts: Facts) -> list[Candidate]:
    """Return the answers to the quiz that a file names, or is named after."""
    decoded = decode_source(file.data, file.name)
    text = decoded.text
    field = QUIZ_FIELD.search(text)
    if field is not None and field[1] in facts.quizzes:
        quiz, by = field[1], BY_NAME
    elif (
        ANSWERS_FIELD.search(text) is not None
        or decoded.refusal is not None
        or (_is_titled(file, facts) and ITEMS_FIELD.search(text) is None)
    ):
        quiz, by = _quiz_named(file, facts), BY_PART
    else:
        return []
    if not quiz:
        return []
    wanted = f"{quiz}.yaml"
    notices = []
    if file.name != wanted:
        notices.append(say("{file} was taken as {name}.", file=file.path, name=wanted))
    return [
        Candidate(
            item=quiz, file=file, data=file.data, by=by, untouched=_blank(text), notices=notices
        )
    ]


def _is_titled(file: Loose, facts: Facts) -> bool:
    """Whether a file bears a quiz's whole name: then it is meant as its answers, however broken."""
    return read_stem(file.name).name in facts.quizzes


def _quiz_named(file: Loose, facts: Facts) -> str:
    stem = read_stem(file.name)
    number = NUMBER.match(stem.name)
    for quiz in facts.quizzes:
        digits, _, title = quiz.partition("_")
        if stem.name in (quiz, title) or f"_{quiz}_" in f"_{stem.name}_":
            return quiz
        if number is not None and int(number[1]) == int(digits):
            return quiz
    return ""


def _blank(text: str) -> bool:
    """Whether an answer file holds no answer at all; one that cannot be read is not blank."""
    if len(text) > ANSWER_BYTES_PARSED:
        return False
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    answers = found.get("answers")
    if not isinstance(answers, dict):
        return answers is None and found.keys() <= FRAME  # what is left was meant as answers
    return all(answer is None or answer in ("", []) for answer in answers.values())
