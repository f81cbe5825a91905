"""YAML to structs: every error says where, what, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.model import CourseFile, ExerciseFile, MistakeHead
from grader.course.yaml_source import load_struct, parse_struct
from grader.errors import CourseError
from grader.text import Text

PATH = Path("exercise.yaml")
GOOD = """\
title: {zh: 题, en: Title}
summary: {zh: 述, en: Summary}
minutes: 5
difficulty: 1
objectives: [values]
lesson: ["1"]
hidden: {checks: 1, points: 2}
hints:
  - {zh: 一, en: one}
limits:
  load_s: 3
"""


def error_of(text: str, kind: type = ExerciseFile) -> CourseError:
    """Return the error that ``text`` ends in."""
    with pytest.raises(CourseError) as caught:
        parse_struct(text, PATH, kind)
    return caught.value


class TestParseStruct:
    def test_values_and_lines_are_returned(self) -> None:
        """A good file gives the struct and the line of every key and item."""
        found, lines = parse_struct(GOOD, PATH, ExerciseFile)

        assert found.title == Text("题", "Title")
        assert found.limits.load_s == 3
        assert lines["minutes",] == 3
        assert lines["hints", 0] == 9
        assert lines["limits", "load_s"] == 11

    def test_a_key_given_twice_is_refused(self) -> None:
        """PyYAML would keep the later one silently; both lines are named."""
        error = error_of(GOOD + "minutes: 6\n")

        assert error.place == "exercise.yaml:12"
        assert "`minutes`" in error.what.en
        assert "line 3" in error.what.en

    def test_a_nested_key_given_twice_is_refused(self) -> None:
        """At any depth."""
        assert error_of(GOOD + "  load_s: 4\n").line == 12

    @pytest.mark.parametrize(
        ("right", "wrong", "line"), [("minutes", "minuts", 3), ("load_s", "lod_s", 11)]
    )
    def test_an_unknown_field_offers_a_near_one(self, right: str, wrong: str, line: int) -> None:
        """A slip of the fingers is answered with the field that was meant, at any depth."""
        error = error_of(GOOD.replace(right, wrong))

        assert error.next_step is not None
        assert error.next_step.en == f"Did you mean `{right}`?"
        assert error.line == line

    def test_an_unknown_field_like_no_other_lists_all(self) -> None:
        """Where nothing is near, the fields allowed are listed."""
        error = error_of(GOOD.replace("load_s", "zzz"))

        assert error.next_step is not None
        assert "load_s, check_cpu_s" in error.next_step.en

    def test_a_missing_field_is_named(self) -> None:
        """The field is named with its path, and the line of the place where it is missing."""
        error = error_of(GOOD.replace("{zh: 题, en: Title}", "{zh: 题}"))

        assert error.what.en == "The field `title.en` is missing here."
        assert error.line == 1

    def test_a_wrong_type_names_both_types(self) -> None:
        """A word where a number belongs."""
        error = error_of(GOOD.replace("minutes: 5", "minutes: five"))

        assert error.what.en == "`minutes` has the wrong type: str instead of int."
        assert error.line == 3

    def test_a_number_out_of_range_is_refused(self) -> None:
        """Difficulty goes from one to five."""
        error = error_of(GOOD.replace("difficulty: 1", "difficulty: 6"))

        assert "`difficulty`" in error.what.en
        assert error.line == 4

    @pytest.mark.parametrize("value", ["no", "1.1", "12"])
    def test_yaml_taking_a_text_for_something_else_is_explained(self, value: str) -> None:
        """``en: no`` is false to YAML 1.1; the hint is to use quotes."""
        error = error_of(GOOD.replace("en: one", f"en: {value}"))

        assert error.next_step is not None
        assert "quotes" in error.next_step.en
        assert error.line == 9

    @pytest.mark.parametrize(
        "text",
        [
            "title: [1, 2\n",
            "title: a: b\n",
            "\ttitle: 1\n",
            "title: 'x\n",
            "a: 1\n---\nb: 2\n",
            "a: \x07",
        ],
    )
    def test_what_is_not_yaml_is_one_error(self, text: str) -> None:
        """Open brackets, a second colon, tabs, open quotes, two documents, control characters."""
        assert "not valid YAML" in error_of(text).what.en

    @pytest.mark.parametrize("value", ["[4, 16, 6", "{a: 1, b: 2", "[a: b c: d]", "[1, [2, 3]"])
    def test_an_open_bracket_is_told_where_it_opens(self, value: str) -> None:
        """The reader notices it only at the next key, lines below."""
        error = error_of(f"title: x\nvalues: {value}\n\n# more\nother: 1\n")

        assert error.line == 2
        assert "a bracket that opens here" in error.what.en

    @pytest.mark.parametrize(
        "text",
        ["title: !python/name:os.system\n", "title: 2024-13-45\n", "? [a]\n: 1\n", "title: 0x\n",
         "a: &a [*a]\n", "<<: 1\n", "title: !!int x\n"],
        ids=["tag", "date", "list as key", "number", "itself", "merge", "cast"],
    )  # fmt: skip
    def test_yaml_that_cannot_be_built_is_one_error(self, text: str) -> None:
        """Tags, impossible dates, keys that are lists: an error with a place, no traceback."""
        assert error_of(text).line is not None

    @pytest.mark.parametrize("text", ["", "just words\n", "- a\n- b\n", "# nothing\n", "7\n"])
    def test_what_has_no_fields_is_refused(self, text: str) -> None:
        """Empty files, words, lists and numbers are no description of an exercise."""
        assert error_of(text).what.en == "Expected fields of the form `name: value` here."

    def test_lines_count_from_where_the_text_starts(self) -> None:
        """A mistake's head stands inside a Python file; its lines are the file's."""
        with pytest.raises(CourseError) as caught:
            parse_struct("zh: 错\nen: wrong\nkind: typo\n", PATH, MistakeHead, first_line=10)

        assert caught.value.line in (10, 12)

    def test_a_field_inside_a_mapping_is_placed_near(self) -> None:
        """Where msgspec does not say which key, the nearest line around it is given."""
        text = 'title: {zh: 题, en: T}\nobjectives: []\nlesson:\n  "1": {zh: 一, een: one}\n'

        error = error_of(text, CourseFile)

        assert error.line in (3, 4)
        assert error.next_step is not None
        assert error.next_step.en == "Did you mean `en`?"


class TestLoadStruct:
    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        """The error names the file and no line."""
        with pytest.raises(CourseError) as caught:
            load_struct(tmp_path / "course.yaml", CourseFile)

        assert caught.value.place == str(tmp_path / "course.yaml")

    def test_a_byte_order_mark_is_no_error(self, tmp_path: Path) -> None:
        """Editors on Windows put one."""
        path = tmp_path / "exercise.yaml"
        path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())

        assert load_struct(path, ExerciseFile)[0].minutes == 5

    def test_another_encoding_is_named_with_its_line(self, tmp_path: Path) -> None:
        """A GBK file is refused with the first line that is not UTF-8."""
        path = tmp_path / "exercise.yaml"
        path.write_bytes(b"minutes: 5\n" + GOOD.encode("gbk"))

        with pytest.raises(CourseError) as caught:
            load_struct(path, ExerciseFile)

        assert caught.value.line == 2
