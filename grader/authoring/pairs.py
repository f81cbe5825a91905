"""Two mistakes at once: are both named?

Two wrong versions are put together token by token, as a version control system merges two changes
of one original. Pairs that change the same tokens are left out, and so are pairs of which one hides
the other: what cannot be seen from outside cannot be named.
"""

from __future__ import annotations

import ast
import difflib
import io
import itertools
import tokenize
from collections.abc import Callable

import msgspec

from grader.checking.bank import Bank
from grader.checking.diagnosis import deviations, explain
from grader.grading import ExerciseGrader

__all__ = ["Pair", "PairReport", "merge", "run_pairs"]

BROKEN = {"NameError", "UnboundLocalError"}  # the merge took a name apart; nobody wrote that

Change = tuple[int, int, list[str]]


class Pair(msgspec.Struct, frozen=True):
    """Two mistakes in one file and what they were named as."""

    mistakes: tuple[str, str]
    named: list[str]

    @property
    def right(self) -> bool:
        """Whether both were named and nothing else."""
        return sorted(self.named) == sorted(self.mistakes)


class PairReport(msgspec.Struct, frozen=True):
    """How the pairs of one exercise were named.

    ``clashing`` pairs change the same tokens; in ``hidden`` ones a mistake leaves no trace.
    """

    right: int
    wrong: list[Pair]
    clashing: int
    hidden: int

    @property
    def share(self) -> float:
        """Pairs of which both mistakes were named, over all that can be seen."""
        counted = self.right + len(self.wrong)
        return self.right / counted if counted else 1.0


def merge(original: str, left: str, right: str) -> str | None:
    """Return ``original`` with the changes of both versions; None where they clash or are alike."""
    base = _tokens(original)
    ours, theirs = _changes(base, _tokens(left)), _changes(base, _tokens(right))
    both = [change for change in ours if change in theirs]
    ours = [change for change in ours if change not in both]
    theirs = [change for change in theirs if change not in both]
    if not ours or not theirs:
        return None
    changes = sorted([*both, *ours, *theirs], key=lambda change: (change[0], change[1]))
    for (start, end, _), (next_start, next_end, _) in itertools.pairwise(changes):
        if next_start < end or (start == end == next_start == next_end):
            return None
    merged: list[str] = []
    position = 0
    for start, end, tokens in changes:
        merged += base[position:start] + tokens
        position = end
    words = [*merged, *base[position:]]
    text = "".join(word if word.startswith("\n") else f"{word} " for word in words) + "\n"
    return text if _parses(text) else None


def _tokens(source: str) -> list[str]:
    """Return the tokens without docstrings and comments; a new line comes with its indent."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    lines = [line for line in ast.unparse(tree).splitlines() if line.strip()]
    found: list[str] = []
    for line in lines:
        code = line.lstrip()
        found.append("\n" + " " * (len(line) - len(code)))
        found += _words(code)
    return found


def _words(code: str) -> list[str]:
    """Return the tokens of one line; a string, however built, is one token."""
    found: list[str] = []
    depth = start = 0
    reader = io.StringIO(code).readline
    try:
        for token in tokenize.generate_tokens(reader):
            name = tokenize.tok_name[token.type]
            if name == "FSTRING_START":
                start = token.start[1] if depth == 0 else start
                depth += 1
            elif name == "FSTRING_END":
                depth -= 1
                if depth == 0:
                    found.append(code[start : token.end[1]])
            elif depth == 0 and token.string.strip():
                found.append(token.string)
    except tokenize.TokenError:  # a line that ends in an open string
        return [code]
    return found


def _changes(base: list[str], changed: list[str]) -> list[Change]:
    matcher = difflib.SequenceMatcher(a=base, b=changed, autojunk=False)
    return [
        (start, end, changed[other_start:other_end])
        for tag, start, end, other_start, other_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def run_pairs(grader: ExerciseGrader, tick: Callable[[str], None]) -> PairReport:
    """Put every two mistakes of an exercise's bank together and name what comes out."""
    bank = grader.bank
    if bank is None:
        return PairReport(0, [], 0, 0)
    right = clashing = hidden = 0
    wrong: list[Pair] = []
    pairs = list(itertools.combinations(bank.mistakes, 2))
    for number, (one, other) in enumerate(pairs, start=1):
        tick(f"{number}/{len(pairs)}")
        sources = bank.mistakes[one].source, bank.mistakes[other].source
        text = merge(bank.reference_source, *sources)
        if text is None:
            clashing += 1
            continue
        named = _name(bank, text, (one, other))
        if named is None:
            hidden += 1
        elif (pair := Pair((one, other), named)).right:
            right += 1
        else:
            wrong.append(pair)
    return PairReport(right, wrong, clashing, hidden)


def _name(bank: Bank, text: str, pair: tuple[str, str]) -> list[str] | None:
    """Return what ``text`` is named as; None where one mistake leaves no trace or names broke."""
    seen = bank.observations(text)
    known = bank.all()
    if any(str(shown) in BROKEN for shown in seen.values()):
        return None
    for id_ in pair:
        if not deviations(seen, known[id_]):
            return None
    found = explain(seen, bank.reference(), known)
    return [*found.shown_by, *(["?"] if found.unexplained else [])]
