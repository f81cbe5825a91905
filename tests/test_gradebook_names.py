"""Names and ids as files, addresses and pages can hold them; cells of tables."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.classroom.gradebook.names import book_id, plain, split_name
from grader.classroom.gradebook.sheets import slug
from grader.classroom.table import csv_table, harmless


@pytest.mark.parametrize(
    ("name", "family", "own"),
    [
        ("Lovelace, Ada", "Lovelace", "Ada"),
        ("Ada King Lovelace", "Lovelace", "Ada King"),
        ("王小明", "王", "小明"),
        ("欧阳修", "欧阳", "修"),
        ("王安", "王", "安"),
        ("欧阳 修", "欧阳", "修"),
        ("王 小明", "王", "小明"),
        ("夏目 漱石", "夏目", "漱石"),
        ("王小明 Ming", "Ming", "王小明"),
        ("東方朔", "東方", "朔"),
        ("王 小明", "王", "小明"),
        ("小明 王", "王", "小明"),
        ("王 明", "王", "明"),
        ("欧阳 修", "欧阳", "修"),
        ("修 欧阳", "欧阳", "修"),
        ("Plato", "Plato", ""),
        ("", "", ""),
        ("<script>x</script> Eve", "Eve", "‹script›x‹/script›"),
    ],
)
def test_names_are_parted(name: str, family: str, own: str) -> None:
    """A comma tells; Chinese names begin with the family, of one or two characters."""
    assert split_name(name) == (family, own)


@pytest.mark.parametrize("student", ["ann", "s2", "2026001", "a.b@uni.edu", "x_y-z"])
def test_plain_ids_stay(student: str) -> None:
    """What every system can hold is not changed."""
    assert book_id(student) == student


@given(st.text(max_size=300))
def test_every_id_becomes_a_file_and_an_address(student: str) -> None:
    """No separator, no dot file, nothing that an address means otherwise, never too long."""
    found = book_id(student)

    assert found
    assert len(found) <= 128
    assert not set(found) & set("/\\?#%&<>\"' \0\n")
    assert not found.startswith(".")


@given(st.text(max_size=40), st.text(max_size=40))
def test_different_students_stay_different(one: str, other: str) -> None:
    """Two ids never become one."""
    assert (book_id(one) == book_id(other)) == (one == other)


def test_a_name_is_one_line_of_text() -> None:
    """Controls, tags and line breaks are gone."""
    assert plain("A\0da\n<b>Love\u202elace</b>") == "A da ‹b›Love lace‹/b›"


def test_slugs_are_names_of_folders() -> None:
    """An assignment's name stands in addresses and in folders."""
    assert slug("A tiny course: 1+1!") == "a-tiny-course-1-1"
    assert slug("位置编码") == ""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1"])
def test_no_cell_is_a_formula(text: str) -> None:
    """A spreadsheet shows what it would otherwise compute."""
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    ("value", "cell"), [(-1.5, "-1.5"), (0.1 + 0.2, "0.3"), (7, "7"), (None, "")]
)
def test_numbers_stay_numbers(value: float | None, cell: str) -> None:
    """A negative number is no formula, and no rounding error is shown."""
    assert harmless(value) == cell


@given(
    st.lists(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=2, max_size=2
        )
    )
)
def test_a_table_is_read_back_as_written(table: list[list[str]]) -> None:
    """Commas, quotes and line breaks stay in their cell."""
    data = csv_table(["a", "b"], table)

    read = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert read == [["a", "b"], *([harmless(cell) for cell in row] for row in table)]
