"""What a person should look at, and what became of a hand-in in words; from results alone.

A file of which nothing could be read costs its owner everything and looks, in a table of marks,
like a bad answer. So it is told wherever marks are: after a batch, on the class's page, in the
gradebook, to the student.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from grader.classroom.marks import ClassMarks
from grader.classroom.model import Collected, Student, Trouble
from grader.classroom.room import Room
from grader.results import CheckResult, ExerciseResult, Mark, Outcome, QuizResult
from grader.text import Text, say

__all__ = [
    "happened", "in_words", "listed", "troubles", "troubles_of_last", "unread",
]  # fmt: skip

Result = ExerciseResult | QuizResult
Found = TypeVar("Found", ExerciseResult, QuizResult)
PLAIN = {Outcome.FAILED}  # the outcome's own word says it all
MESSAGES_MOST = 3  # of a syntax error: where, the line, which key to type instead
# With one of these in every check, nothing of a file was judged.
UNJUDGED = {
    Outcome.MISSING, Outcome.SYNTAX_ERROR, Outcome.ENCODING_ERROR, Outcome.IMPORT_ERROR,
    Outcome.RUNTIME_ERROR, Outcome.TIMEOUT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT,
    Outcome.CRASHED, Outcome.REJECTED,
}  # fmt: skip


def unread(result: ExerciseResult | QuizResult) -> Text | None:
    """Return why nothing of a hand-in could be judged; None where anything could."""
    if isinstance(result, QuizResult):
        return result.unread
    outcomes = {check.outcome for check in result.checks} - {Outcome.SKIPPED}
    if len(outcomes) != 1 or not outcomes <= UNJUDGED:
        return None
    outcome = outcomes.pop()
    return say("no check could judge anything: {what}", what=_told(result.checks, outcome))


def happened(result: ExerciseResult) -> list[Text]:
    """Return what became of the checks that did not pass, one sentence for each outcome.

    Only what a visible check or the file itself shows is quoted; of hidden checks the title.
    """
    if unread(result) is not None:
        return [say("Nothing could be judged: {what}", what=_told(result.checks, _first(result)))]
    named = result.diagnosis is not None and result.diagnosis.mistakes
    said: list[Text] = []
    for outcome in dict.fromkeys(check.outcome for check in result.checks):
        if outcome in _sentences() and not (named and outcome is Outcome.FAILED):
            own = [check for check in result.checks if check.outcome is outcome]
            said.append(say("{checks}: {what}", checks=listed(c.title for c in own),
                            what=_told(own, outcome)))  # fmt: skip
    return said


def in_words(result: Found) -> Found:
    """Return a result whose hidden checks, which say nothing themselves, say what their end means.

    Where no check could judge anything, that is said first.
    """
    if isinstance(result, QuizResult):
        return result
    sentences = _sentences()
    checks = [
        msgspec.structs.replace(check, messages=[sentences[check.outcome]])
        if check.hidden and not check.messages and check.outcome in sentences.keys() - PLAIN
        else check
        for check in result.checks
    ]
    whole: list[Text] = (
        [say("No check could judge anything of this file.")] if unread(result) else []
    )
    return msgspec.structs.replace(result, checks=checks, notices=[*result.notices, *whole])


def listed(texts: Iterable[Text]) -> Text:
    """Return texts in one line, parted as each language parts them."""
    texts = list(texts)
    return Text("、".join(t.zh for t in texts), ", ".join(t.en for t in texts))


def troubles(marks: ClassMarks, room: Room, collected: Collected) -> list[Trouble]:
    """Return what to look at in the attempts that count, what is not graded, and odd seeds."""
    found: list[Trouble] = []
    for student in marks.students:
        counted = {item.item for item in student.items if item.attempt is not None}
        results = student.results
        for id_ in counted & results.keys():
            found += _of(student.student, id_, results[id_])
        found += [
            Trouble(student=student.student, item=item.item, what=say("not graded yet"))
            for item in student.items
            if item.ungraded
        ]
    return _ordered([*found, *_seeds(room, collected)])


def troubles_of_last(room: Room, collected: Collected) -> list[Trouble]:
    """Return what to look at in everybody's last attempt at each exercise and quiz."""
    found: list[Trouble] = []
    for student in collected.students:
        last = {item: file for attempt in student.attempts for item, file in attempt.files.items()}
        for id_, file in last.items():
            result = room.result(id_, file)
            found += _of(student.id, id_, result) if result is not None else []
    return _ordered(found)


def _ordered(found: list[Trouble]) -> list[Trouble]:
    return sorted(found, key=lambda one: (one.student, one.item))


def _of(student: str, id_: str, result: Result) -> Iterator[Trouble]:
    why = unread(result)
    if why is not None:
        yield Trouble(student=student, item=id_, what=why)
    elif isinstance(result, QuizResult):
        lost = [item for item in result.items if item.mark is Mark.UNREADABLE]
        if lost:
            numbers = ", ".join(str(item.number) for item in lost)
            what = say("these answers cannot be read: {numbers}", numbers=numbers)
            yield Trouble(student=student, item=id_, what=what)


def _seeds(room: Room, collected: Collected) -> Iterator[Trouble]:
    """Yield who changed the seed of a quiz with variants, and who shares one.

    The answer file names its seed, and the seed picks the variants. Both things have innocent
    causes and cost nothing; two equal seeds of eight random digits mean that a file was passed on.
    """
    for quiz in room.quizzes:
        if not any(item.variants for item in quiz.file.items):
            continue
        holders: dict[str, list[str]] = {}
        for student in collected.students:
            seeds = _seeds_of(student, quiz.id, room)
            for seed in seeds:
                holders.setdefault(seed, []).append(student.id)
            if len(seeds) > 1:
                what = say("the seed that picks the variants differs between attempts: {seeds}",
                           seeds=", ".join(seeds))  # fmt: skip
                yield Trouble(student=student.id, item=quiz.id, what=what)
        for sharing in holders.values():
            for one in sharing if len(sharing) > 1 else []:
                others = ", ".join(other for other in sharing if other != one)
                what = say("the answer file has the same seed as that of {others}", others=others)
                yield Trouble(student=one, item=quiz.id, what=what)


def _seeds_of(student: Student, quiz: str, room: Room) -> list[str]:
    """Return the seeds of a student's attempts at a quiz, each once; without those left empty."""
    results = (room.result(quiz, a.files[quiz]) for a in student.attempts if quiz in a.files)
    seeds = (found.seed for found in results if isinstance(found, QuizResult))
    return list(dict.fromkeys(seed for seed in seeds if seed))


# --- words ---------------------------------------------------------------------------------------


def _first(result: ExerciseResult) -> Outcome:
    return next(c.outcome for c in result.checks if c.outcome is not Outcome.SKIPPED)


def _told(checks: Iterable[CheckResult], outcome: Outcome) -> Text:
    """Return what an outcome means, and where it came from as far as that may be told."""
    sentence = _sentences()[outcome]
    own = (check.messages for check in checks if check.outcome is outcome and check.messages)
    messages = next(own, [])[: MESSAGES_MOST if outcome is Outcome.SYNTAX_ERROR else 1]
    for message in messages:
        sentence = Text(f"{sentence.zh}\n{message.zh}", f"{sentence.en}\n{message.en}")
    return sentence


def _sentences() -> dict[Outcome, Text]:
    return {
        Outcome.FAILED: say("The result is not the one that was asked for."),
        Outcome.MISSING: say("A name that the task asks for does not exist in the file."),
        Outcome.WRONG_SIGNATURE: say("It cannot be called as the task says."),
        Outcome.SYNTAX_ERROR: say("The file is no valid Python."),
        Outcome.ENCODING_ERROR: say("The file is no text that can be read."),
        Outcome.IMPORT_ERROR: say("An import in the file failed."),
        Outcome.RUNTIME_ERROR: say("The code raised an exception."),
        Outcome.TIMEOUT: say("The code did not end within its time."),
        Outcome.MEMORY_LIMIT: say("The code asked for more memory than it may have."),
        Outcome.OUTPUT_LIMIT: say("The code printed more than it may."),
        Outcome.CRASHED: say("The process that ran the code came to an end too early."),
        Outcome.BAD_VALUE: say("What came back is no value of the kind that was asked for."),
        Outcome.REJECTED: say("The file was not accepted."),
        Outcome.GRADER_ERROR: say("The grader itself failed here; that lowers no mark."),
    }
