"""File names as people leave them."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.collect.names import Stem, is_junk, natural, read_stem, shown

COPIES = [
    "double.py", "Double.PY", "double (1).py", "double（2）.py", "double - 副本.py",
    "double - 副本 (2).py", "double的副本.py", "副本 double.py", "double copy.py",
    "double copy 2.py", "Copy of double.py", "double-1.py", "double_最终版.py",
    "double最终版(1).py", "double_v2.py",
    "double_final.py", "double.py.txt", " double .py", "ｄｏｕｂｌｅ.py", "double.py - 副本.txt",
]  # fmt: skip


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_keeps_the_name_of_its_original(name: str):
    """Whatever systems and people add, the exercise's file is recognised."""
    assert read_stem(name).name == "double"


def test_a_name_with_blanks_or_hyphens_is_a_module():
    """``Implement Forward`` is implement_forward."""
    assert read_stem("Implement Forward.py").name == "implement_forward"
    assert read_stem("implement-forward (1).ipynb").name == "implement_forward"


@pytest.mark.parametrize(
    "name", ["ntk_base", "shift_matrix", "t5", "renew", "conv2", "photocopy", "final", "copy", "v2"]
)
def test_what_is_a_name_of_its_own_stays(name: str):
    """No name is eaten up, and no word that only ends like a version is cut."""
    assert read_stem(f"{name}.py").name == name


def test_versions_sort_as_people_mean_them():
    """A copy is newer than its original, a number counts, the final version is the last."""
    names = ["a.py", "a 副本.py", "a (1).py", "a (2).py", "a (10).py", "a_v3.py", "a 最终版.py"]

    shuffled = sorted(names)

    assert shuffled != names
    assert sorted(shuffled, key=lambda name: read_stem(name).version) == names


@given(st.text(alphabet="a副本 ()-_.py1v新copyCOPY 最终版", max_size=40) | st.text(max_size=40))
def test_a_stem_is_found_whole(name: str):
    """No name is an error, and what is left holds nothing more to cut."""
    stem = read_stem(name)

    assert read_stem(stem.text) == Stem(stem.text, ())


@given(st.lists(st.text(max_size=8)))
def test_any_names_can_be_sorted(names: list[str]):
    """Numbers and letters at the same place are no error."""
    in_order = sorted(names, key=natural)

    assert sorted(in_order, key=natural) == in_order


def test_numbers_sort_as_numbers():
    """The tenth comes after the second."""
    assert sorted(["x10", "x2", "X1"], key=natural) == ["X1", "x2", "x10"]


@pytest.mark.parametrize(
    "path",
    [
        "__MACOSX/ada/._double.py", "ada/.DS_Store", "ada/__pycache__/double.pyc", "venv/lib/x.py",
        "a/.git/config", "a/.ipynb_checkpoints/a-checkpoint.ipynb", ".grade/backups/double.py",
        "lib/site-packages/torch/nn.py", "a/~$double.docx", "Thumbs.db",
    ],
)  # fmt: skip
def test_what_no_person_put_there_is_junk(path: str):
    """Systems', editors' and tools' files play no part."""
    assert is_junk(path)


@pytest.mark.parametrize(
    "path", ["env/double.py", "gits/double.py", "a/double.py", "作业/double.py"]
)
def test_what_a_person_put_there_is_not(path: str):
    """A folder that only looks like one is somebody's."""
    assert not is_junk(path)


@pytest.mark.skipif(os.name == "nt", reason="names on Windows are text")
def test_a_name_of_gbk_bytes_on_the_disk_is_read():
    """Unpacking under another locale leaves the bytes; they are still 张三."""
    assert shown(os.fsdecode("张三.py".encode("gbk"))) == "张三.py"
    assert shown("张三.py") == "张三.py"
