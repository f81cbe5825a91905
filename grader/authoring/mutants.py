"""Mutants: the reference with one operator, number or condition changed; checks must notice.

The operators are cosmic-ray's. A mutant that no check notices has *survived*: a check is missing,
or the change makes no difference, which ``solutions/NN_name/equivalent.yaml`` then says and why.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from grader.authoring.lint import EQUIVALENT_FILE
from grader.checking.checkspec import CheckSpec
from grader.checking.suite import Job, run_suite
from grader.course.yaml_source import load_struct
from grader.errors import needing
from grader.grading import ExerciseGrader
from grader.outline import outline
from grader.results import Limits, Outcome

__all__ = [
    "Equivalent",
    "Listed",
    "Mutant",
    "MutantReport",
    "excuse",
    "make_mutants",
    "run_mutants",
]

CPU_S, WALL_S = 2, 4  # a mutant that loops is noticed as well; it need not take its full time


class Mutant(msgspec.Struct, frozen=True):
    """One changed reference.

    Attributes:
        operator: cosmic-ray's name of the change.
        line: 1-based line in the reference.
        before, after: that line without indentation.
        source: the whole changed text.
        within: the function or class the line stands in, as in ``Encoding.forward``; "" for none.
    """

    operator: str
    line: int
    before: str
    after: str
    source: str
    within: str = ""


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change that makes no difference, and why.

    Attributes:
        before, after: the line; where it stands does not matter as long as it stands once.
        why: the reason.
        within: the functions meant, where the same line stands in several.
    """

    before: str
    after: str
    why: str
    within: list[str] = []


class EquivalentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``equivalent.yaml`` of an exercise."""

    equivalent: list[Equivalent]


class Listed(msgspec.Struct, frozen=True):
    """A mutant in a report."""

    operator: str
    line: int
    before: str
    after: str
    why: str = ""


class Unclear(msgspec.Struct, frozen=True):
    """An entry of equivalent.yaml that fits several surviving mutants, and where they are."""

    entry: Equivalent
    places: list[str]


class MutantReport(msgspec.Struct, frozen=True):
    """How many mutants of an exercise were noticed."""

    killed: int
    survived: list[Listed]
    equivalent: list[Listed]
    unused: list[Equivalent]  # entries of equivalent.yaml that no surviving mutant needs
    unclear: list[Unclear] = []

    @property
    def share(self) -> float:
        """Killed over all that are not equivalent."""
        counted = self.killed + len(self.survived)
        return self.killed / counted if counted else 1.0


def make_mutants(reference: str, to_do: frozenset[str]) -> list[Mutant]:
    """Return every mutant of ``reference`` that changes the code of a name in ``to_do``.

    Changes of annotations, docstrings and given code are left out, and so are repetitions.

    Raises:
        UsageError: cosmic-ray is not installed.
    """
    with needing("cosmic-ray", "dev"):
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator, operator_names
    original = _code_of(reference, to_do)
    found: dict[str, Mutant] = {}
    for name in sorted(operator_names()):
        try:
            operator = get_operator(name)()
        except TypeError:  # operators that want arguments of their own
            continue
        occurrence = 0
        while (text := mutate_code(reference, operator, occurrence)) is not None:
            occurrence += 1
            changed = _code_of(text, to_do)
            if changed != original and changed not in found:
                found[changed] = _mutant(name, reference, text)
    return list(found.values())


def _code_of(source: str, to_do: frozenset[str]) -> str:
    """Return what matters of ``source``: the code of ``to_do`` without annotations, docstrings."""
    try:
        tree = _NoAnnotations().visit(ast.parse(source))
    except SyntaxError:
        return source
    found = outline(ast.unparse(ast.fix_missing_locations(tree)))
    return repr(sorted((name, mark) for name, mark in found.items() if name in to_do))


class _NoAnnotations(ast.NodeTransformer):
    """Drops annotations, which do nothing at run time."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Drop a parameter's annotation."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drop a return annotation."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Turn an annotated assignment into a plain one."""
        if node.value is None:
            return node
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)


def _mutant(operator: str, reference: str, text: str) -> Mutant:
    before, after = reference.splitlines(), text.splitlines()
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    _, start, end, other_start, other_end = next(
        step for step in matcher.get_opcodes() if step[0] != "equal"
    )
    old = " ".join(line.strip() for line in before[start:end])
    new = " ".join(line.strip() for line in after[other_start:other_end])
    within = _within(ast.parse(reference), start + 1)
    return Mutant(operator.removeprefix("core/"), start + 1, old, new, text, within)


def _within(tree: ast.Module, line: int) -> str:
    """Return the qualified name of the innermost definition around a line."""
    names: list[str] = []
    inner: list[ast.stmt] = tree.body
    while inner:
        around = next(
            (node for node in inner if node.lineno <= line <= (node.end_lineno or 0)), None
        )
        inner = []
        if isinstance(around, ast.FunctionDef | ast.ClassDef):
            names.append(around.name)
            inner = around.body
    return ".".join(names)


def run_mutants(grader: ExerciseGrader, tick: Callable[[str], None]) -> MutantReport:
    """Run the checks on every mutant of an exercise's reference."""
    exercise = grader.exercise
    reference = exercise.reference.read_text(encoding="utf-8")
    helpers = set(outline(reference)) - set(grader.stub.fingerprints)
    mutants = make_mutants(reference, grader.stub.to_do | helpers)
    known = _equivalents(exercise.solution / EQUIVALENT_FILE)
    limits: Limits = msgspec.structs.replace(
        exercise.file.limits, check_cpu_s=CPU_S, check_wall_s=WALL_S
    )
    survived: list[Mutant] = []

    def jobs(_: list[CheckSpec]) -> Iterator[Job]:
        for number, mutant in enumerate(mutants, start=1):
            tick(f"{number}/{len(mutants)}")
            with grader.open_run(mutant.source, limits) as run:
                job = Job(run, stop_early=True)
                yield job
            if all(seen.outcome is Outcome.PASSED for seen in job.seen):
                survived.append(mutant)

    run_suite(grader.course, exercise, grader.stub, jobs)
    excused, unused, unclear = excuse(survived, known)
    return MutantReport(
        killed=len(mutants) - len(survived),
        survived=[_listed(m) for m in survived if m.source not in excused],
        equivalent=[_listed(m, excused[m.source]) for m in survived if m.source in excused],
        unused=unused,
        unclear=unclear,
    )


def excuse(
    survived: list[Mutant], known: list[Equivalent]
) -> tuple[dict[str, str], list[Equivalent], list[Unclear]]:
    """Find the surviving mutant that each entry of equivalent.yaml means; it must be one.

    Returns:
        Source of an excused mutant -> why; entries that fit none; entries that fit several.
    """
    excused: dict[str, str] = {}
    unused: list[Equivalent] = []
    unclear: list[Unclear] = []
    for entry in known:
        alike = [mutant for mutant in survived if _change(mutant) == _change(entry)]
        meant = [[m for m in alike if m.within == name] for name in entry.within] or [alike]
        for found in meant:
            if len(found) == 1:
                excused[found[0].source] = entry.why
            elif found:
                places = [f"{m.within or '-'} ({m.line})" for m in found]
                unclear.append(Unclear(entry, places))
            else:
                unused.append(entry)
    return excused, unused, unclear


def _change(item: Mutant | Equivalent) -> tuple[str, str]:
    """Return a change without its blanks, which the operators set as they like."""
    return "".join(item.before.split()), "".join(item.after.split())


def _equivalents(path: Path) -> list[Equivalent]:
    return load_struct(path, EquivalentFile)[0].equivalent if path.is_file() else []


def _listed(mutant: Mutant, why: str = "") -> Listed:
    return Listed(mutant.operator, mutant.line, mutant.before, mutant.after, why)
