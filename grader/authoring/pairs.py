"""Two mistakes at once: are both named?

Two wrong versions are put together token by token, as a version control system merges two changes
of one original. Not every pair is a question that has an answer:

- Pairs that *clash* are left out: they change the same tokens, or the same expression (see
  ``merge``), or what comes out of them does not run.
- Pairs of which one *hides* the other are left out: the file looks from outside as if only one of
  the two had been made. What cannot be seen cannot be named.
- Pairs of which one *undoes* the other need not be named: somewhere a mistake shows when it is made
  alone, and the file with both is right there. By what it does, the file no longer makes that
  mistake, and the diagnosis rules it out for that reason. Yet no name from outside the pair may
  appear either: that would be a wrong name, and such a pair counts as wrong.

- Pairs that *turn into* others need not be named as what they were put together from: in every
  aspect the file looks like the one with the mistakes it is named as. Those are what it does (an
  odd width that was let through ends in an error because of the other mistake, say), so no name is
  wrong. Where the file with the named mistakes looks different in any aspect, the pair is wrong.

Of all other pairs both mistakes must be named and nothing else.
"""

from __future__ import annotations

import ast
import collections
import difflib
import io
import itertools
import math
import tokenize
from collections.abc import Callable
from typing import Literal

import msgspec

from grader.checking.aspects import Observations
from grader.checking.diagnosis import deviations, explain
from grader.grading import ExerciseGrader

__all__ = ["Pair", "PairReport", "judge", "merge", "run_pairs"]

BROKEN = {"NameError", "UnboundLocalError"}  # the merge took a name apart; nobody wrote that

OPENING, CLOSING = set("([{"), set(")]}")
COUNTED_LEAST = 30  # pairs must be seen, or, in a small bank,
COUNTED_LEAST_SHARE = 0.4  # of all its pairs

Change = tuple[int, int, list[str]]
Verdict = Literal["right", "wrong", "clashing", "hidden", "undone", "turned"]
Look = Callable[[list[str]], Observations | None]


class Pair(msgspec.Struct, frozen=True):
    """Two mistakes in one file and what they were named as."""

    mistakes: tuple[str, str]
    named: list[str]


class PairReport(msgspec.Struct, frozen=True):
    """How the pairs of one exercise were named.

    ``clashing`` pairs change the same code; in ``hidden`` ones a mistake leaves no trace; in
    ``undone`` ones a mistake is partly mended by the other and no wrong name appears; ``turned``
    ones look exactly like the mistakes they are named as.
    """

    right: int
    wrong: list[Pair]
    clashing: int
    hidden: int
    undone: int = 0
    turned: int = 0

    @property
    def counted(self) -> int:
        """How many pairs can be seen and so must be named."""
        return self.right + len(self.wrong)

    @property
    def all(self) -> int:
        """How many pairs the bank has."""
        return self.counted + self.clashing + self.hidden + self.undone + self.turned

    @property
    def share(self) -> float:
        """Pairs of which both mistakes were named, over all that can be seen."""
        return self.right / self.counted if self.counted else 1.0

    @property
    def least(self) -> int:
        """How many pairs must be seen for the share to mean something."""
        return min(COUNTED_LEAST, math.ceil(self.all * COUNTED_LEAST_SHARE))


def merge(original: str, left: str, right: str) -> str | None:
    """Return ``original`` with the changes of both versions; None where they clash or are alike.

    Changes clash where they overlap, and also where both lie directly in the same pair of brackets
    of one statement, or both in none: such an expression is one decision, and with half of it taken
    from here and half from there it would be a third thing that nobody wrote (``[:, :length]``
    changed to ``[:, 1 : length + 1]`` and to ``[:, :batch]`` is not ``[:, 1 : batch + 1]``).
    """
    base = _tokens(original)
    ours, theirs = _changes(base, _tokens(left)), _changes(base, _tokens(right))
    both = [change for change in ours if change in theirs]
    ours = [change for change in ours if change not in both]
    theirs = [change for change in theirs if change not in both]
    if not ours or not theirs or _touched(base, ours) & _touched(base, theirs):
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


def _touched(base: list[str], changes: list[Change]) -> set[int]:
    """Return the expressions that changes lie in.

    An expression is known by the index of its opening bracket, or of the new line that its
    statement begins with. A whole new statement lies in none.
    """
    tokens, gaps = _expressions(base)
    found: set[int] = set()
    for start, end, words in changes:
        if start < end:
            found.update(tokens[start:end])
        elif not (words[0].startswith("\n") and (start == len(base) or gaps[start] == start)):
            found.add(gaps[start] if start < len(base) else tokens[-1])
    return found


def _expressions(base: list[str]) -> tuple[list[int], list[int]]:
    """Return the expression of every token, and that of the gap before every token."""
    tokens: list[int] = []
    gaps: list[int] = []
    opened = [0]
    for index, word in enumerate(base):
        if word.startswith("\n"):
            opened = [index]
        gaps.append(opened[-1])
        if word in CLOSING and len(opened) > 1:
            opened.pop()
        tokens.append(opened[-1])
        if word in OPENING:
            opened.append(index)
    return tokens, gaps


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
    reference, known = bank.reference(), bank.all()
    counts = collections.Counter[str]()
    wrong: list[Pair] = []

    def look(ids: list[str]) -> Observations | None:
        """Look at the file with these mistakes; None for more than two or where they clash."""
        sources = [bank.mistakes[id_].source for id_ in ids]
        if len(ids) == 1:
            return known[ids[0]]
        text = merge(bank.reference_source, *sources) if len(ids) == 2 else None  # noqa: PLR2004
        return None if text is None else bank.observations(text)

    pairs = list(itertools.combinations(bank.mistakes, 2))
    for number, pair in enumerate(pairs, start=1):
        tick(f"{number}/{len(pairs)}")
        what, named = judge(pair, look(list(pair)), reference, known, look)
        if what == "wrong":
            wrong.append(Pair(pair, named))
        else:
            counts[what] += 1
    return PairReport(
        counts["right"], wrong, counts["clashing"], counts["hidden"], counts["undone"],
        counts["turned"],
    )  # fmt: skip


def judge(
    pair: tuple[str, str],
    seen: Observations | None,
    reference: Observations,
    known: dict[str, Observations],
    look: Look = lambda _: None,
) -> tuple[Verdict, list[str]]:
    """Say what became of a pair, and what it was named as; a ``?`` stands for what nothing names.

    Args:
        pair: the two mistakes.
        seen: observations of the file with both; None if there is none.
        reference: observations of the right answer.
        known: mistake id -> observations of it alone.
        look: observes a file with these mistakes of the bank; None where there is none.
    """
    if seen is None or any(str(shown) in BROKEN for shown in seen.values()):
        return "clashing", []
    if any(not deviations(seen, known[id_]) for id_ in pair):
        return "hidden", []
    found = explain(seen, reference, known)
    named = [*found.shown_by, *(["?"] if found.unexplained else [])]
    if sorted(named) == sorted(pair):
        return "right", named
    wrong = set(deviations(seen, reference))
    undone = any(
        name in seen and name not in wrong
        for id_ in pair
        for name in deviations(known[id_], reference)
    )
    if undone and set(found.shown_by) <= set(pair):
        return "undone", named
    if not found.unexplained and _alike(seen, look(list(found.shown_by))):
        return "turned", named
    return "wrong", named


def _alike(one: Observations, other: Observations | None) -> bool:
    """Whether two files look alike in every aspect of either."""
    if other is None:
        return False
    return one.keys() == other.keys() and not deviations(one, other)
