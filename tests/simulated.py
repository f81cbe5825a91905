"""A class as it might really hand in, made from a seed, with the truth about everybody's marks.

``python -m tests.simulated 200 FOLDER`` writes the course, the archives of a learning platform, the
class's rules and ``truth.json``. Answers come from the golden cases of the tiny course and, for one
exercise of the real course, from ``tests/hostile``: their outcomes were written by hand. What a
check is worth stands below or is read from its test file as text; lateness is reckoned here in
whole hours and nothing of it is taken from the code under test.
"""

from __future__ import annotations

import datetime
import fnmatch
import io
import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from grader.sandbox import choose
from tests.commandline import PROGRAM, Done, environment

MINI = Path(__file__).parent / "courses" / "mini"
ANSWERS = MINI / "answers"
HOSTILE = Path(__file__).parent / "hostile"
ROOT = Path(__file__).parents[1]
ATTACKED = "13_implement_forward"  # the real course's 03; the tiny one has another exercise 03
REAL = "03_implement_forward"
FILES = {
    "01_double": "double.py", "02_indices": "indices.py", "03_limited": "limited.py",
    ATTACKED: "implement_forward.py",
}  # fmt: skip
POINTS = {
    "01_double": {"shape": 1, "values": 2, "wide": 1, "greet": 1, "keyword": 1},
    "02_indices": {"length": 1, "order": 1, "one": 1},
    "03_limited": {"work": 1, "other": 1},
}
# Folders of tests/hostile with one outcome for each check. Two of them cost a whole time limit.
ATTACKS = (
    "told_inputs", "exit_in_call", "read_files", "endless_loop", "frames_garbage",
    "patched_compare", "memory_bytes", "results_file", "exit_at_import", "introspection",
    "kill_all", "import_solutions", "pass_marker", "daemon", "nul", "system_exit", "tabs", "empty",
    "zeros", "honest", "keyboard_interrupt_at_import", "own_environment", "flood_at_import",
    "recursion",
)  # fmt: skip
QUICK = {"check_cpu_s": 1, "memory_mib": 512}  # limits of the attacked exercise
EARNS = {"passed": 1.0, "convention": 0.5}
# Cases that are no single file, or that a learning platform would not let through.
LEFT_OUT = {"rejected_folder", "rejected_link", "missing_file", "todo", "rejected_size"}
SURNAMES = "王李张刘陈杨赵黄周吴"
GIVEN = ["伟", "芳", "娜", "敏", "静", "磊", "洋", "勇", "艳", "杰", "小明", "O'Neil", "Anna, Li"]
DUE = datetime.datetime(2026, 11, 10, 12, 0, tzinfo=datetime.timezone.utc)
ZIPPED = (2026, 11, 9, 0, 0, 0)
RULES = """\
due: 2026-11-10T12:00:00Z
late: {per_day: 0.1, most: 0.5, closed_after_days: 7}
extensions: {EXTENDED: 2026-11-13T12:00:00Z}
"""


Truth = dict[str, dict[str, float]]  # student's name -> exercise -> mark


class Case(NamedTuple):
    """A golden case: the file's bytes and what it earns."""

    exercise: str
    name: str
    data: bytes
    earned: float


class Sent(NamedTuple):
    """One exercise in one attempt of one student."""

    case: Case
    data: bytes  # as the class receives it
    hours_late: int  # negative: that much too early


def command(folder: Path, *words: str | Path) -> Done:
    """Run the command on the course that lies beside ``folder``."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words), "--course", str(folder.parent / "course"),
         *unsandboxed(words)],
        cwd=folder.parent, env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr, "utf-8")


def unsandboxed(words: tuple[str | Path, ...]) -> list[str]:
    """Return the option that a machine without walls needs."""
    walls = choose(None)[0].isolates
    return [] if walls or words[0] != "batch" else ["--allow-unsandboxed"]


def cases(exercise: str) -> list[Case]:
    """Return the golden cases of an exercise that can be handed in as one file."""
    found: list[Case] = []
    for folder in sorted((ANSWERS / exercise).iterdir()):
        file = folder / FILES[exercise]
        if folder.name in LEFT_OUT or not file.is_file():
            continue
        outcomes = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))["checks"]
        earned = sum(POINTS[exercise][id_] * EARNS.get(word, 0.0) for id_, word in outcomes.items())
        found.append(Case(exercise, folder.name, file.read_bytes(), earned))
    return found


def attacks(*, walls: bool) -> list[Case]:
    """Return the hostile answers to the real exercise, with the points they deserve.

    Args:
        walls: whether the sandbox here isolates; without that some attacks may succeed.
    """
    found = []
    for name in ATTACKS:
        expected = yaml.safe_load((HOSTILE / name / "expected.yaml").read_text(encoding="utf-8"))
        assert expected["exercise"] == REAL
        outcome = expected["outcome"]
        outcomes = outcome if isinstance(outcome, dict) else {"*": outcome}
        earned = float(
            sum(n for check, n in check_points().items() if _outcome(check, outcomes) == "passed")
        )
        assert expected.get("least_points", 0) <= earned <= expected["most_points"], name
        if walls or expected["tier"] == "process":
            data = (HOSTILE / name / FILES[ATTACKED]).read_bytes()
            found.append(Case(ATTACKED, f"hostile_{name}", data, earned))
    return found


def check_points() -> dict[str, int]:
    """Return what each check of the attacked exercise is worth, from its test files as text."""
    text = "".join(
        (ROOT / part / REAL / name).read_text(encoding="utf-8")
        for part, name in (("exercises", "test_visible.py"), ("solutions", "test_hidden.py"))
    )
    # The points stand in the decorator above the function.
    return {
        name: int(points)
        for points, name in re.findall(r"points=(\d+),.*?^def test_(\w+)", text, re.DOTALL | re.M)
    }


def _outcome(check: str, outcomes: dict[str, str]) -> str:
    """Return what becomes of a check: the longest pattern that fits its name tells."""
    fitting = [pattern for pattern in outcomes if fnmatch.fnmatch(check, pattern)]
    return outcomes[max(fitting, key=len)]


def make_course(root: Path) -> Path:
    """Write the course: the tiny one without what fails by itself, and one real exercise."""
    for part in ("exercises", "solutions"):
        shutil.copytree(MINI / part, root / part, ignore=shutil.ignore_patterns("04_faulty"))
        shutil.copytree(ROOT / part / REAL, root / part / ATTACKED)
    tiny, real = (_yaml(top / "exercises" / "course.yaml") for top in (MINI, ROOT))
    tiny["objectives"] += real["objectives"]
    tiny["lesson"] = real["lesson"]
    exercise = _yaml(root / "exercises" / ATTACKED / "exercise.yaml")
    exercise |= {"limits": exercise.get("limits", {}) | QUICK, "needs": []}
    for path, content in (("course.yaml", tiny), (f"{ATTACKED}/exercise.yaml", exercise)):
        text = yaml.safe_dump(content, allow_unicode=True)
        (root / "exercises" / path).write_text(text, encoding="utf-8")
    return root


def graded_class(top: Path, students: int) -> tuple[Path, Truth]:
    """Make a class, collect and grade it; return its folder and everybody's true marks."""
    folder, right = collected_class(top, students, attacked=True)
    graded = command(folder, "batch", folder, "--jobs", "2", "--json")
    assert graded.code == 0, graded.err
    return folder, right


def collected_class(top: Path, students: int, *, attacked: bool) -> tuple[Path, Truth]:
    """Make a course and a class in ``top`` and collect it; return its folder and the true marks.

    Args:
        top: the folder for both.
        students: how many there are.
        attacked: whether the last of them hand in attacks.
    """
    make_course(top / "course")
    right = make_class(students, top / "sent", walls=choose(None)[0].isolates, attacked=attacked)
    folder = top / "class"
    folder.mkdir()
    shutil.copy(top / "sent" / "class.yaml", folder)
    sources = [top / "sent" / name for name in ("week1.zip", "week2.zip")]
    done = command(folder, "collect", *sources, "--into", folder)
    assert done.code in (0, 1), done.err  # 1: of some file nothing can be read
    return folder, right


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def mark(sent: list[Sent], extension_hours: int) -> float:
    """Return the mark for one exercise: the last attempt that still counts, less its lateness.

    What is handed in once more, unchanged, is as late as it was at first.
    """
    for one in reversed(sent):
        first = next(other for other in sent if other.data == one.data)
        late = first.hours_late - extension_hours
        if late > 7 * 24:
            continue
        days = -(-late // 24) if late > 0 else 0
        return round(one.case.earned * (1 - min(0.5, 0.1 * days)), 2)
    return 0.0


def make_class(
    students: int,
    folder: Path,
    seed: int = 20261130,
    *,
    walls: bool = True,
    attacked: bool = True,
) -> Truth:
    """Write a class into ``folder``; return student's name -> exercise -> mark.

    The last students hand in an attack each, beside whatever else they hand in.

    ``week1.zip`` and ``week2.zip`` hold a tree as nbgrader collects it, with the time of every
    hand-in; ``class.yaml`` are the rules, ``truth.json`` what is returned.
    """
    dice = random.Random(seed)  # noqa: S311 - no secret
    pool = {exercise: cases(exercise) for exercise in FILES if exercise != ATTACKED}
    hostile = attacks(walls=walls) if attacked else []
    weeks: list[list[tuple[str, bytes]]] = [[], []]
    truth: Truth = {}
    extended: list[str] = []
    for number in range(students):
        name = f"{dice.choice(SURNAMES)}{dice.choice(GIVEN)} {number:03}"
        sent: dict[str, list[Sent]] = {exercise: [] for exercise in FILES}
        extension = 72 if dice.random() < 0.1 else 0
        if extension:
            extended.append(name)
        for week in (0, 1):
            if week == 1 and dice.random() > 0.25:
                continue
            hours = dice.randint(-96, -1) if week == 0 else dice.choice([-1, 5, 30, 80, 200])
            at = DUE + datetime.timedelta(hours=hours)
            top = f"submitted/{name}/chapter"
            stamp = at.strftime("%Y-%m-%d %H:%M:%S.%f UTC")
            weeks[week].append((f"{top}/timestamp.txt", stamp.encode()))
            chosen = [
                _pick(dice, pool[exercise])
                for exercise in dice.sample(sorted(pool), dice.choice([1, 2, 3, 3, 3]))
            ]
            turn = students - 1 - number
            chosen += [hostile[turn]] if week == 0 and turn < len(hostile) else []
            for case in chosen:
                data = _own(dice, case, number, week)
                sent[case.exercise].append(Sent(case, data, hours))
                path, packed = _packed(dice, case.exercise, data)
                weeks[week].append((f"{top}/{path}", packed))
        truth[name] = {exercise: mark(tries, extension) for exercise, tries in sent.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for number, entries in enumerate(weeks, start=1):
        (folder / f"week{number}.zip").write_bytes(_archive(entries))
    rules = yaml.safe_load(RULES.replace("EXTENDED", "x"))
    rules["extensions"] = dict.fromkeys(extended, rules["extensions"]["x"])
    (folder / "class.yaml").write_text(yaml.safe_dump(rules), encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), "utf-8")
    return truth


def _pick(dice: random.Random, pool: list[Case]) -> Case:
    """Return the right answer half of the time, else any other; a loop or a bomb now and then."""
    right = next(case for case in pool if case.name == "passed")
    if dice.random() < 0.5:
        return right
    case = dice.choice(pool)
    slow = case.name.startswith(("timeout", "memory", "output"))
    return right if slow and dice.random() < 0.7 else case


def _own(dice: random.Random, case: Case, student: int, week: int) -> bytes:
    """Return a case's file as one student's own, where its bytes may change."""
    if case.name.startswith(("encoding", "syntax", "passed_gbk", "passed_utf16", "hostile")):
        return case.data
    data = case.data + f"\n# {student} {week}\n".encode()
    return "# 作业，我自己写的\n".encode("gbk") + data if dice.random() < 0.1 else data


def _packed(dice: random.Random, exercise: str, data: bytes) -> tuple[str, bytes]:
    """Return path and bytes of a file as a student sends it."""
    file = FILES[exercise]
    stem = file.removesuffix(".py")
    form = dice.choice(["flat", "flat", "nested", "copy", "renamed", "zipped"])
    if form == "zipped":
        inner = [(f"{exercise}/{file}", data), ("__MACOSX/._x", b"junk")]
        return f"{exercise}.zip", _archive(inner)
    path = {
        "flat": file, "nested": f"作业 提交/{exercise}/{file}", "copy": f"{stem} (1).py",
        "renamed": f"{stem}-副本.py",
    }[form]  # fmt: skip
    return path, data


def _archive(entries: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in entries:
            archive.writestr(zipfile.ZipInfo(path, ZIPPED), data)
    return out.getvalue()


if __name__ == "__main__":
    make_course(Path(sys.argv[2]) / "course")
    make_class(int(sys.argv[1]), Path(sys.argv[2]))
