"""A student's answers: a YAML file that a person can also fill in by hand.

It holds answers only, by item id; what is asked stands in comments above each, so that the file
can be read without the quiz. It is written as a whole and put in place at once.
"""

from __future__ import annotations

import datetime
import difflib
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml
from rich.cells import cell_len

from grader.atomic import replace_file
from grader.course.yaml_source import Lines, parse_struct
from grader.errors import CourseError, UsageError, reason, writing
from grader.intake.decode import decode_source
from grader.plaintext import plain_rows
from grader.quiz.byhand import as_yaml
from grader.quiz.model import Code, Item, Match, Multiple, Order, Quiz, Single
from grader.quiz.variants import draw, filled, new_seed, shuffled
from grader.text import Language, Text, say

__all__ = [
    "ANSWER_FOLDER", "Answers", "answers_path", "parse_answers", "read_answers", "write_answers",
]  # fmt: skip

ANSWER_FOLDER = Path("answers")
LARGEST_FILE = 512 * 1024  # bytes
DEEPEST = 4  # lists in lists; an answer is a list of shapes at most
LONGEST_NUMBER = 1000  # bits of a whole number
PAIR = 2
COMMENT_CELLS = 92  # columns of what is asked


class AnswerFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``answers/<quiz>.yaml``.

    Attributes:
        quiz: the quiz that is answered.
        seed: from which the student's parameters and the order of options are drawn.
        answers: item id -> answer.
        ratings: id of a free text -> the rubric lines, from 1, that the student finds met.
        unfinished: items that the dialogue was left in the middle of; it asks them again.
    """

    quiz: str = ""
    seed: str = ""
    answers: dict[str, Any] = {}
    ratings: dict[str, list[int]] = {}
    unfinished: list[str] = []


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What was read: answers, the student's seed, and where each stands.

    ``ratings`` count rubric lines from 0 here. ``unread`` says why nothing of a file counts, where
    whoever reads it goes on without it.
    """

    path: Path | None = None
    seed: str = ""
    answers: dict[str, Any] = {}
    ratings: dict[str, list[int]] = {}
    unfinished: list[str] = []
    sha256: str = ""
    lines: Lines = {}
    notices: list[Text] = []
    unread: Text | None = None

    def place(self, item: str) -> str:
        """Return ``file:line`` of the answer to ``item``."""
        line = self.lines.get(("answers", item))
        return f"{self.path}:{line}" if self.path is not None and line is not None else ""


def answers_path(root: Path, quiz: str) -> Path:
    """Return where the answers to ``quiz`` are kept."""
    return root / ANSWER_FOLDER / f"{quiz}.yaml"


def read_answers(path: Path, quiz: Quiz) -> Answers:
    """Read an answer file; one that is not there holds no answers and no seed.

    Raises:
        CourseError: it is no YAML, or not of this form; says the line.
        UsageError: it cannot be read at all, is too large, or belongs to another quiz.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Answers()
    except OSError as error:
        raise UsageError(
            say("{file} cannot be read: {error}.", file=path, error=reason(error))
        ) from None
    return parse_answers(data, path, quiz)


def parse_answers(data: bytes, path: Path, quiz: Quiz) -> Answers:
    """Return the answers that a file's bytes hold; ``path`` is what errors call the file.

    Raises:
        CourseError: it is no YAML, or not of this form; says the line.
        UsageError: it is too large, no text, or belongs to another quiz.
    """
    if len(data) > LARGEST_FILE:
        raise UsageError(
            say("{file} is larger than {limit} KiB.", file=path, limit=LARGEST_FILE // 1024)
        )
    decoded = decode_source(data, path.name)
    if decoded.refusal is not None:
        raise UsageError(decoded.refusal[1])
    sha256 = hashlib.sha256(data).hexdigest()
    if not decoded.text.strip():
        return Answers(path=path, sha256=sha256, notices=decoded.notices)
    text = as_yaml(decoded.text, quiz, AnswerFile.__struct_fields__)
    file, lines = parse_struct(text, path, AnswerFile)
    if file.quiz not in {"", quiz.id}:
        raise UsageError(
            say("{file} answers the quiz {other}, not {quiz}.", file=path, other=file.quiz,
                quiz=quiz.id)
        )  # fmt: skip
    for id_, answer in file.answers.items():
        if not _is_plain(answer):
            raise CourseError(
                path, lines.get(("answers", id_)), say("Item {id}: this is no answer.", id=id_)
            )
    return Answers(
        path=path,
        seed=file.seed,
        answers=file.answers,
        ratings={id_: [line - 1 for line in lines_met] for id_, lines_met in file.ratings.items()},
        unfinished=file.unfinished,
        sha256=sha256,
        lines=lines,
        notices=[*decoded.notices, *_unknown(file, quiz, path, lines)],
    )


def _is_plain(value: object, depth: int = 0) -> bool:
    """Return whether ``value`` can be shown and written again."""
    if isinstance(value, list | dict):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return depth < DEEPEST and all(_is_plain(part, depth + 1) for part in parts)
    if isinstance(value, int):
        return value.bit_length() <= LONGEST_NUMBER
    return value is None or isinstance(value, str | float | datetime.date)


def _unknown(file: AnswerFile, quiz: Quiz, path: Path, lines: Lines) -> Iterator[Text]:
    known = [item.id for item in quiz.file.items]
    for id_ in file.answers:
        if id_ not in known:
            near = difflib.get_close_matches(id_, known, n=1)
            place = f"{path}:{lines.get(('answers', id_), 1)}"
            yield (
                say("{place}: there is no item {id}. Did you mean {near}?", place=place, id=id_,
                    near=near[0])
                if near
                else say("{place}: there is no item {id} in this quiz.", place=place, id=id_)
            )  # fmt: skip


def write_answers(path: Path, quiz: Quiz, answers: Answers, language: Language) -> Answers:
    """Write ``answers`` to ``path`` with what is asked in comments; return them with a seed.

    Raises:
        UsageError: it cannot be written.
    """
    if not answers.seed:
        answers = msgspec.structs.replace(answers, seed=new_seed())
    text = "\n".join(_text(quiz, answers, language)) + "\n"
    with writing(path, say("Copy the course's folder to where you may write, and go on there.")):
        replace_file(path, text, durable=True, folders=True)
    return msgspec.structs.replace(
        answers, path=path, sha256=hashlib.sha256(text.encode()).hexdigest()
    )


def _text(quiz: Quiz, answers: Answers, language: Language) -> Iterator[str]:
    yield f"# {quiz.file.title.pick(language)}"
    yield "# " + say(
        "Write each answer behind its name, then: grade quizzes/{number}", number=quiz.number
    ).pick(language)
    yield from _yaml({"quiz": quiz.id, "seed": answers.seed})
    yield "answers:"
    known = [item.id for item in quiz.file.items]
    for number, item in enumerate(quiz.file.items, start=1):
        yield ""
        for line in _comment(number, item, answers.seed, language):
            yield f"  # {line}".rstrip()
        yield from _yaml({item.id: answers.answers.get(item.id)}, indent="  ")
    rest = {id_: given for id_, given in answers.answers.items() if id_ not in known}
    if rest:  # not ours to throw away
        yield from ["", *_yaml(rest, indent="  ")]
    if answers.ratings:
        yield ""
        yield "# " + say("Rubric lines that your free texts meet, by your own rating:").pick(
            language
        )
        met = {id_: [line + 1 for line in lines] for id_, lines in answers.ratings.items()}
        yield from _yaml({"ratings": met})
    if answers.unfinished:
        yield ""
        yield from _yaml({"unfinished": answers.unfinished})


def _yaml(data: dict[str, Any], indent: str = "") -> Iterator[str]:
    text = yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10_000)
    for line in text.splitlines():
        # Nothing behind the colon is how a person leaves a gap; YAML reads it as null.
        yield indent + re.sub(r"^([a-z0-9-]+): null$", r"\1:", line)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, so that a person can go on with them."""


def _text_as_it_is(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_as_it_is)


def _comment(number: int, item: Item, seed: str, language: Language) -> Iterator[str]:
    item = filled(item, draw(item, seed))
    yield from _readable(item.prompt.pick(language), f"{number}. ")
    for line in (item.code or "").splitlines():
        yield f"    {line}"
    yield how_to(item).pick(language)
    parts = [*getattr(item, "options", []), *getattr(item, "steps", [])]
    parts += getattr(item, "choices", [])
    texts = {part.id: part.text for part in parts}
    for id_ in shuffled(texts, seed, item.id):
        yield from _readable(texts[id_].pick(language), f"  {id_}: ")
    for left in getattr(item, "left", []):
        yield from _readable(left.text.pick(language), f"  {left.id} = ?  ")
    for index, label in enumerate(getattr(item, "labels", []), start=1):
        yield from _readable(label.pick(language), f"  ({index}) ")


def _readable(text: str, lead: str) -> Iterator[str]:
    """Return Markdown with formulas as lines that need no renderer, the first behind ``lead``."""
    for row in plain_rows(text, COMMENT_CELLS - cell_len(lead)):
        yield f"{lead}{row}"
        lead = " " * cell_len(lead)


def how_to(item: Item) -> Text:
    """Say in one line how an answer to ``item`` is written."""
    if isinstance(item, Single) or (isinstance(item, Code) and item.options):
        return say("One name:")
    if isinstance(item, Multiple):
        return say("All that are right, as [name, name]:")
    if isinstance(item, Order):
        return say("All names in order, as [name, name]:")
    if isinstance(item, Match):
        return say("A partner for each, as {{left: name, left: name}}:")
    several = len(getattr(item, "labels", getattr(item, "blanks", [])))
    if several == PAIR:
        return say("Two answers, as [first, second]:")
    if several > PAIR:
        return say("{count} answers, as [first, second, ...]:", count=several)
    return {
        "numeric": say("A number, such as 0.25, 1e-3, 1/256 or 2*pi:"),
        "shape": say("A shape, such as [2, 5, 8] or [B, L, D]:"),
        "cloze": say("What stands in the gap:"),
        "code": say("What is printed, line by line:"),
        "text": say("Your own sentences:"),
    }[item.type]
