"""A class as it might really hand in, made from a seed, with the truth about everybody's marks.

``python -m tests.simulated 200 FOLDER`` writes the archives of a learning platform, the class's
rules and ``truth.json``. Answers come from the golden cases of the tiny course, whose outcomes were
written by hand; what a check is worth stands below, from its test file; lateness is reckoned here
in whole hours and nothing of it is taken from the code under test.
"""

from __future__ import annotations

import datetime
import io
import json
import random
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import yaml

ANSWERS = Path(__file__).parent / "courses" / "mini" / "answers"
FILES = {"01_double": "double.py", "02_indices": "indices.py", "03_limited": "limited.py"}
POINTS = {
    "01_double": {"shape": 1, "values": 2, "wide": 1, "greet": 1, "keyword": 1},
    "02_indices": {"length": 1, "order": 1, "one": 1},
    "03_limited": {"work": 1, "other": 1},
}
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


class Case(NamedTuple):
    """A golden case: the file's bytes and what it earns."""

    exercise: str
    name: str
    data: bytes
    earned: float


class Sent(NamedTuple):
    """One exercise in one attempt of one student."""

    case: Case
    hours_late: int  # negative: that much too early


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


def mark(sent: list[Sent], extension_hours: int) -> float:
    """Return the mark for one exercise: the last attempt that still counts, less its lateness."""
    for one in reversed(sent):
        late = one.hours_late - extension_hours
        if late > 7 * 24:
            continue
        days = -(-late // 24) if late > 0 else 0
        return round(one.case.earned * (1 - min(0.5, 0.1 * days)), 2)
    return 0.0


def make_class(students: int, folder: Path, seed: int = 20261130) -> dict[str, dict[str, float]]:
    """Write a class into ``folder``; return student's name -> exercise -> mark.

    ``week1.zip`` and ``week2.zip`` hold a tree as nbgrader collects it, with the time of every
    hand-in; ``class.yaml`` are the rules, ``truth.json`` what is returned.
    """
    dice = random.Random(seed)  # noqa: S311 - no secret
    pool = {exercise: cases(exercise) for exercise in FILES}
    weeks: list[list[tuple[str, bytes]]] = [[], []]
    truth: dict[str, dict[str, float]] = {}
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
            for exercise in dice.sample(sorted(FILES), dice.choice([1, 2, 3, 3, 3])):
                case = _pick(dice, pool[exercise])
                sent[exercise].append(Sent(case, hours))
                for path, data in _packed(dice, case, number, week):
                    weeks[week].append((f"{top}/{path}", data))
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


def _packed(dice: random.Random, case: Case, student: int, week: int) -> list[tuple[str, bytes]]:
    """Return path and bytes of a file as a student sends it."""
    data, file = case.data, FILES[case.exercise]
    stem = file.removesuffix(".py")
    plain = not case.name.startswith(("encoding", "syntax", "passed_gbk", "passed_utf16"))
    if plain:
        data = data + f"\n# {student} {week}\n".encode()  # nobody's file is another's
        if dice.random() < 0.1:
            data = "# 作业，我自己写的\n".encode("gbk") + data
    form = dice.choice(["flat", "flat", "nested", "copy", "renamed", "zipped"])
    if form == "nested":
        return [(f"作业 提交/{case.exercise}/{file}", data)]
    if form == "copy":
        return [(f"{stem} (1).py", data)]
    if form == "renamed":
        return [(f"{stem}-副本.py", data)]
    if form == "zipped":
        inner = _archive([(f"{case.exercise}/{file}", data), ("__MACOSX/._x", b"junk")])
        return [(f"{case.exercise}.zip", inner)]
    return [(file, data)]


def _archive(entries: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in entries:
            archive.writestr(zipfile.ZipInfo(path, ZIPPED), data)
    return out.getvalue()


if __name__ == "__main__":
    make_class(int(sys.argv[1]), Path(sys.argv[2]))
