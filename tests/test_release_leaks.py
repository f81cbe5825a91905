"""The leak scan: whatever is planted anywhere in a students' bundle is found, and nothing else."""

from __future__ import annotations

import base64
import bz2
import functools
import gzip
import io
import json
import lzma
import py_compile
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.release import reading
from grader.classroom.release.bundles import instructor_bundle, student_bundle
from grader.classroom.release.leaks import Leak, LeakScan
from grader.classroom.release.packing import packed
from tests.releasing import course_to_release, repacked, unzipped

ROOT = Path(__file__).parent.parent
LINE = "    return [i // 2 for i in range(2 * n)]"  # of the reference of 02_indices
HIDDEN = "    assert_value(student.indices(3), [0, 0, 1, 1, 2, 2])"
MISTAKE = "en: You go through all of them twice, one round after the other."
EXPLAINED = "An even number is divisible by 2."
RUBRIC = "Mentions that nothing is left over"
WHEEL = "wheels/grader-0.1.0-py3-none-any.whl"


class Released:
    """A course, the bundle its students get, and the scan that knows it."""

    def __init__(self, folder: Path) -> None:
        self.root = course_to_release(folder / "course")
        self.files = student_bundle(self.root, "class", solutions=False).files
        self.scan = LeakScan(self.root)

    def search(self, files: dict[str, bytes]) -> list[Leak]:
        """Return the leaks in the bundle with ``files`` put into it."""
        return self.scan.search("s.zip", packed({**self.files, **files}))

    def planted(self, name: str, data: bytes | str) -> list[Leak]:
        """Return the leaks in one planted file alone, in a zip."""
        raw = data.encode() if isinstance(data, str) else data
        return self.scan.search("s.zip", packed({name: raw}))


@functools.cache
def released() -> Released:
    """Make it once; nothing here writes to it."""
    return Released(Path(tempfile.mkdtemp(prefix="grade-test-")))


def notebook(source: str = "x = 1", output: str = "", **metadata: object) -> str:
    """Return a notebook with one code cell."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": [output]}] if output else []
    cell = {
        "cell_type": "code", "execution_count": 1, "id": "a", "metadata": metadata,
        "outputs": outputs, "source": source.splitlines(keepends=True),
    }  # fmt: skip
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_the_real_course_is_clean() -> None:
    """No false alarm on the fourteen exercises, five quizzes and the whole engine."""
    bundle = student_bundle(ROOT, "class", solutions=False)
    scan = LeakScan(ROOT)

    assert scan.search("student.zip", packed(bundle.files, bundle.top)) == []
    assert scan.fingerprints > 5000


def test_the_instructors_bundle_is_full_of_them() -> None:
    """The same search finds every solution, every hidden test and the quiz in the other bundle."""
    found = released().scan.search("i.zip", packed(instructor_bundle(released().root).files))

    files = {leak.file.partition("!")[2] for leak in found}
    private = {f for f in unzipped(packed(instructor_bundle(released().root).files))
               if f.startswith(("solutions/", "quizzes/"))}  # fmt: skip
    assert private <= files


def test_a_planted_solution_line_is_named_with_file_line_and_origin() -> None:
    """In the text of a page: where it is, and where it comes from."""
    readme = "exercises/01_double/README.md"
    text = released().files[readme].decode() + f"\n\nhint:\n{LINE}\n"

    (leak,) = released().search({readme: text.encode()})

    assert leak.file == f"s.zip!{readme}"
    assert text.split("\n")[leak.line - 1] == LINE
    assert leak.what.en == "a line of a solution"
    assert leak.origin == "solutions/02_indices/indices.py:6"


def test_a_planted_key_in_a_notebooks_metadata() -> None:
    """Beside the item's name, in any of the forms people use."""
    for metadata in (
        {"even-one": "four"}, {"item": "even-one", "answer": "four"},
        {"quiz": {"id": "even-one", "key": {"call": "even_one"}}},
        {"answers": {"even-all": ["six", "two"]}}, {"options": [{"id": "four", "correct": True}]},
        {"doubled": 14}, {"turned": "B,3,2"}, {"counting": ["one", "ten", "hundred"]},
        {"partners": {"from-one": "to-two", "from-two": "to-four"}},
    ):  # fmt: skip
        found = released().planted("a/b.ipynb", notebook(**metadata))

        assert [leak.file for leak in found] == ["s.zip!a/b.ipynb"], metadata
        assert "the answer to the quiz item" in found[0].what.en


def test_a_planted_hidden_test_in_the_wheel() -> None:
    """An archive inside the archive: the file in the wheel is named."""
    inside = unzipped(released().files[WHEEL])
    inside["grader/checking/judging.py"] += f"\n# {HIDDEN}\n".encode()

    found = released().search({WHEEL: repacked(inside)})

    assert [leak.file for leak in found] == [f"s.zip!{WHEEL}!grader/checking/judging.py"]
    assert found[0].what.en == "a hidden test"


def test_wrong_answers_are_no_leak() -> None:
    """A student's own wrong answers, or an item's name alone, tell nothing."""
    for metadata in (
        {"even-one": "five"}, {"item": "even-one", "answer": "seven"}, {"even-all": ["two"]},
        {"counting": ["ten", "one", "hundred"]}, {"tags": ["even-one"]}, {"doubled": 7},
        {"options": [{"id": "five", "correct": False}]},
    ):  # fmt: skip
        assert released().planted("a.ipynb", notebook(**metadata)) == [], metadata


SECRETS = st.sampled_from([LINE, HIDDEN, MISTAKE, EXPLAINED, RUBRIC])
INDENT = st.integers(min_value=0, max_value=9)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x0b\x0c"), max_size=40)


def as_tar(text: str) -> bytes:
    """Return a packed archive with one file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(text.encode())
        archive.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


def as_page(text: str) -> str:
    """Return a page with entities and a tag in the middle of a word."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(" ", "&nbsp;")
    return f"<p>{shown[:8]}<b>{shown[8:]}</b></p>" if "&" not in shown[:8] else f"<p>{shown}</p>"


HIDING: dict[str, Callable[[str], bytes | str]] = {
    "a.md": lambda text: text,
    "b.py": lambda text: "\n".join(f"# {line}" for line in text.split("\n")),
    "c.ipynb": lambda text: notebook(source=text),
    "d.ipynb": lambda text: notebook(output=text),
    "e.ipynb": lambda text: notebook(deep={"in": [{"side": text}]}),
    "f.json": lambda text: json.dumps({"a": text}, ensure_ascii=True),
    "g.html": as_page,
    "h.zip": lambda text: repacked({"i.zip": repacked({"x": text.encode()})}),
    "j.tgz": as_tar,
    "k.gz": lambda text: gzip.compress(text.encode()),
    "s.bz2": lambda text: bz2.compress(text.encode()),
    "t.xz": lambda text: lzma.compress(text.encode()),
    "u.png": lambda text: b"\x89PNG\r\n" + repacked({"x": text.encode()}),
    "v.txt": lambda text: text.encode("utf-16-le"),
    "l.txt": lambda text: text.encode("utf-16"),
    "m.svg": lambda text: b"<svg>" + base64.b64encode(text.encode()) + b"</svg>",
    "q.ipynb": lambda text: notebook(
        image=base64.encodebytes(("a picture " * 20 + text).encode()).decode()
    ),
    "r.eml": lambda text: base64.encodebytes(("a letter " * 30 + text).encode()),
    "n.bin": lambda text: b"\x00\xff\x80" + text.encode() + b"\x00",
    "o.yaml": lambda text: yaml.safe_dump({"a": [{"b": text}]}, width=30, allow_unicode=False),
    "p.txt": "\u200b".join,
}  # fmt: skip


@pytest.mark.parametrize("name", HIDING)
@given(secret=SECRETS, indent=INDENT, before=WORDS)
def test_whatever_is_planted_is_found(name: str, secret: str, indent: int, before: str) -> None:
    """Several kinds of secrets in several kinds of files, indented, behind any other text."""
    text = before.encode("utf-8", "replace").decode() + "\n" + " " * indent + secret.strip() + "\n"

    found = released().planted(name, HIDING[name](text))

    assert found
    assert all(leak.file.startswith(f"s.zip!{name}") for leak in found)


@pytest.mark.parametrize(
    "sign", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01\0", b"\x28\xb5\x2f\xfd"]
)
def test_an_archive_that_is_not_read_is_refused(sign: bytes) -> None:
    """Nothing can be proved of what is in it."""
    (found,) = released().planted("a.bin", sign + b"packed")

    assert "not read" in found.what.en


def test_what_grows_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of it would stay unread."""
    monkeypatch.setattr(reading, "LARGEST", 100)

    found = list(reading.read_all("a.gz", gzip.compress(bytes(101))))

    assert isinstance(found[-1], reading.Unread)
    assert "too large" in found[-1].why.en


def test_short_lines_count_with_the_one_before() -> None:
    """``return x + x`` alone may stand anywhere; behind its own docstring it is the answer."""
    stub = released().files["exercises/01_double/.stub.py"].decode()
    solved = stub.replace('raise NotImplementedError("TODO: return twice x")', "return x + x")

    assert [leak.origin for leak in released().planted("d.py", solved)] == [
        "solutions/01_double/double.py:8"
    ]
    assert released().planted("d.py", stub + "\n    return x + x\n") == []


def test_compiled_files_and_broken_archives_are_refused(tmp_path: Path) -> None:
    """What cannot be searched is no part of a proof."""
    source = tmp_path / "m.py"
    source.write_text("def test_values(): 'An even number is divisible by 2.'\n", encoding="utf-8")
    compiled = Path(py_compile.compile(str(source), str(tmp_path / "m.pyc"))).read_bytes()

    found = released().planted("grader/m.pyc", compiled)
    broken = released().planted("b.zip", packed({"a": b"text"})[:-9])

    assert {leak.what.en.partition(":")[0] for leak in found} == {
        "This is compiled", "what tells an answer of a quiz"
    }  # fmt: skip
    assert [leak.what.en.partition(":")[0] for leak in broken] == ["This archive cannot be read"]


def test_private_files_are_known_by_their_names() -> None:
    """Even an empty file of the solutions' folder has no place in a bundle."""
    found = released().planted("course/solutions/02_indices/accepted/x.py", "")

    assert [leak.what.en for leak in found] == ["a file called accepted", "a file called solutions"]


def test_answers_in_text_and_code_are_found() -> None:
    """A filled answer file, a dictionary in Python, an assignment: one line each is enough."""
    for text in (
        "answers:\n  even-one: four\n", "KEYS = {'even-one': 'four', 'x': 1}\n",
        "see even-all: [two, six]\n", "doubled = 18  # n = 9\n",
        '"gaps": ["a^2+2*a*b+b^2", 0.5, square]',
    ):  # fmt: skip
        found = released().planted("a.txt", text)

        assert len(found) == 1, text
        assert found[0].line == (2 if text.startswith("answers") else 1)


def test_what_a_leak_tells_is_data() -> None:
    """A leak goes through JSON unchanged."""
    (leak,) = released().planted("a.md", LINE)

    assert msgspec.json.decode(msgspec.json.encode(leak), type=Leak) == leak
