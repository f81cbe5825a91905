"""The answer file: filled by hand or by the dialogue, whole at any moment, hostile ones refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.course import load_course
from grader.errors import CourseError, GradeError, UsageError
from grader.quiz import Answers, KeyRing, Quiz, load_quiz, mark_quiz, read_answers, write_answers
from grader.results import Mark
from tests.conftest import COURSES


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    """The tiny quiz."""
    return load_quiz(load_course(COURSES / "quiz", only=[]), "01_all")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """Where the answers go: a folder with spaces and Chinese that is not there yet."""
    return tmp_path / "我的 答案" / "01_all.yaml"


def fill(sheet: Path, text: str | bytes) -> None:
    """Write a sheet as a person or an attacker would."""
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_bytes(text if isinstance(text, bytes) else text.encode())


def read(sheet: Path, quiz: Quiz, text: str | bytes) -> dict[str, Any]:
    """Return the answers of a sheet with this text."""
    fill(sheet, text)
    return read_answers(sheet, quiz).answers


class TestReading:
    def test_no_file_is_no_answers(self, sheet: Path, quiz: Quiz) -> None:
        """And no seed, either."""
        assert read_answers(sheet, quiz) == Answers()

    @pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
    def test_an_empty_file_is_no_answers(self, sheet: Path, quiz: Quiz, text: str) -> None:
        """Somebody made it and has not begun."""
        assert read(sheet, quiz, text) == {}

    @pytest.mark.parametrize(
        "text",
        [
            "answers:\n  even-one: four\n", "answers:\r\n  even-one: four\r\n",
            "\ufeffanswers:\n  even-one: four\n", "answers：\n  even-one： four\n",
            "answers： {even-one: four}\n", "seed： abc\nquiz： 01_all\nanswers:\n  even-one：four",
        ],
    )  # fmt: skip
    def test_what_editors_and_keyboards_make_of_it(
        self, sheet: Path, quiz: Quiz, text: str
    ) -> None:
        """Windows line ends, a byte order mark, colons of a Chinese keyboard."""
        assert read(sheet, quiz, text) == {"even-one": "four"}

    @pytest.mark.parametrize("encoding", ["gbk", "gb18030", "utf-16"])
    def test_other_encodings_with_a_notice(self, sheet: Path, quiz: Quiz, encoding: str) -> None:
        """A note asks for UTF-8."""
        text = "# 我的答案\nanswers:\n  in-words: 能被二整除的数\n"
        fill(sheet, text.encode(encoding))

        found = read_answers(sheet, quiz)

        assert found.answers == {"in-words": "能被二整除的数"}
        assert "UTF-8 is safer" in found.notices[0].en

    def test_a_colon_inside_a_text_stays(self, sheet: Path, quiz: Quiz) -> None:
        """Only behind names of the file does it stand for YAML's."""
        text = "answers:\n  in-words: |\n    even：能被二整除\n    remainder： 没有\n"

        assert read(sheet, quiz, text)["in-words"] == "even：能被二整除\nremainder： 没有\n"

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("even-all:[two, six]", {"even-all": ["two", "six"]}),
            ("even-all：［two，six］", {"even-all": ["two", "six"]}),
            ("even-all: 【two、six】", {"even-all": ["two", "six"]}),
            ("two-values: ［－１.４，0.125］", {"two-values": ["－１.４", 0.125]}),
            (
                "partners: ｛from-one：to-two，from-two: to-four｝",
                {"partners": {"from-one": "to-two", "from-two": "to-four"}},
            ),
            ("in-words: ［甲，乙］", {"in-words": "［甲，乙］"}),
            ("in-words: 甲，乙：丙", {"in-words": "甲，乙：丙"}),
            ("printed:\n    3\n    [4, 4]", {"printed": "3\n[4, 4]"}),
            ("printed: |\n    3\n    [4, 4]", {"printed": "3\n[4, 4]"}),
            ("printed:\n  even-one: four", {"printed": None, "even-one": "four"}),
        ],
    )
    def test_hand_written_signs_and_lines(
        self, sheet: Path, quiz: Quiz, text: str, wanted: dict[str, Any]
    ) -> None:
        """Full-width brackets and commas, a forgotten space, printed lines without a sign."""
        assert read(sheet, quiz, f"answers:\n  {text}") == wanted

    def test_an_unknown_item_is_pointed_at(self, sheet: Path, quiz: Quiz) -> None:
        """With its line and the nearest name; everything else counts."""
        fill(sheet, "answers:\n  even-one: four\n  evn-all: [two]\n")

        found = read_answers(sheet, quiz)

        assert found.answers["even-one"] == "four"
        assert ":3: there is no item evn-all. Did you mean even-all?" in found.notices[0].en

    def test_each_answer_knows_its_line(self, sheet: Path, quiz: Quiz) -> None:
        """For the message about one that cannot be read."""
        fill(sheet, "quiz: 01_all\nanswers:\n\n  turned: 2.5\n")

        result = mark_quiz(
            quiz, read_answers(sheet, quiz), KeyRing(COURSES / "quiz"), practice=True
        )

        unreadable = [item for item in result.items if item.mark is Mark.UNREADABLE]
        assert [item.place for item in unreadable] == [f"{sheet}:4"]
        assert result.earned == 0.0


class TestRefusing:
    @pytest.mark.parametrize(
        ("text", "line", "said"),
        [
            ("answers: [", 2, "not valid YAML"),
            ("answers:\n\teven-one: four", 2, "not valid YAML"),
            ("answers:\n  even-one: four\n  even-one: five", 3, "second time"),
            ("answers: [1]", 1, "wrong type"),
            ("answers:\n  1: a", 1, "wrong type"),
            ("anwsers: {}", 1, "no field `anwsers`"),
            ("- 1", 1, "Expected fields"),
            ("ratings: {in-words: yes}", 1, "wrong type"),
            ("answers:\n  a: &x [1]\n  b: *x", 2, "Aliases"),
            ("a: &a [1,1]\nb: &b [*a,*a]\nc: [*b,*b]", 1, "Aliases"),
            ("answers: !!python/object/apply:os.system [ls]", 1, "not valid YAML"),
            ("answers:\n  even-one: !!set {a, b}", 2, "this is no answer"),
            ("answers:\n  even-one: !!binary aGVsbG8=", 2, "this is no answer"),
            ("answers:\n  even-one: " + "[" * 100_000, 2, "not valid YAML"),
            ("answers:\n  even-one: " + "[" * 500 + "]" * 500, 2, "this is no answer"),
            ("answers:\n  doubled: 0x" + "f" * 100_000, 2, "this is no answer"),
            ("answers:\n  doubled: 2024-99-99", 1, "not valid YAML"),
        ],
    )  # fmt: skip
    def test_one_error_with_its_line(
        self, sheet: Path, quiz: Quiz, text: str, line: int, said: str
    ) -> None:
        """What is no sheet of answers, or was made to do harm."""
        fill(sheet, text)

        with pytest.raises(CourseError, match=said) as refused:
            read_answers(sheet, quiz)

        assert abs((refused.value.line or 0) - line) <= 1  # YAML may notice at the next line's end
        assert refused.value.path == sheet

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"answers: {}\n" + b"#" * 1_000_000, "larger than 512 KiB"),
            (bytes(range(256)) * 100, "no text in UTF-8 or GB18030"),
            (b"answers:\n  a: \x00", "NUL"),
            (b"quiz: 02_formula\n", "answers the quiz 02_formula, not 01_all"),
        ],
    )
    def test_what_cannot_be_read_at_all(
        self, sheet: Path, quiz: Quiz, data: bytes, said: str
    ) -> None:
        """One message, and nothing of it is parsed."""
        fill(sheet, data)

        with pytest.raises(UsageError, match=said):
            read_answers(sheet, quiz)

    def test_a_folder_in_its_place(self, sheet: Path, quiz: Quiz) -> None:
        """As somebody unpacks an archive wrongly."""
        sheet.mkdir(parents=True)

        with pytest.raises(UsageError, match="cannot be read"):
            read_answers(sheet, quiz)

    def test_half_a_megabyte_is_soon_read(self, sheet: Path, quiz: Quiz) -> None:
        """The largest file that is read at all takes no minute of computing."""
        fill(sheet, "answers:\n" + "".join(f"  k{i}: 1\n" for i in range(40_000)))
        started = time.process_time()

        found = read_answers(sheet, quiz)

        assert len(found.answers) == 40_000
        assert time.process_time() - started < 60


ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


class TestWriting:
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.dictionaries(st.sampled_from(["even-one", "gaps", "in-words", "gone"]), ANSWERS))
    def test_what_is_written_is_read_again(
        self, sheet: Path, quiz: Quiz, answers: dict[str, Any]
    ) -> None:
        """Whatever was answered, control characters and line ends included."""
        written = write_answers(sheet, quiz, Answers(seed="s", answers=answers), "zh")

        found = read_answers(sheet, quiz)

        given = {id_: value for id_, value in found.answers.items() if value is not None}
        assert given == {id_: value for id_, value in answers.items() if value is not None}
        assert (found.seed, found.sha256) == ("s", written.sha256)

    def test_ratings_count_from_one_in_the_file(self, sheet: Path, quiz: Quiz) -> None:
        """As people count; unfinished items are kept, too."""
        given = Answers(seed="s", ratings={"in-words": [0, 1]}, unfinished=["gaps"])

        write_answers(sheet, quiz, given, "en")

        data = yaml.safe_load(sheet.read_text(encoding="utf-8"))
        assert data["ratings"] == {"in-words": [1, 2]}
        assert data["unfinished"] == ["gaps"]
        assert read_answers(sheet, quiz).ratings == {"in-words": [0, 1]}

    def test_the_sheet_says_what_is_asked(self, sheet: Path, quiz: Quiz) -> None:
        """With the student's parameters, in the student's language, options in their order."""
        written = write_answers(sheet, quiz, Answers(), "zh")

        text = sheet.read_text(encoding="utf-8")

        assert "哪个数是偶数" in text
        assert "{{n}}" not in text
        assert "even-one:\n" in text
        assert len(written.seed) == 8

    def test_what_is_asked_needs_no_renderer(self, sheet: Path, quiz: Quiz) -> None:
        """No dollar and no backslash: formulas are signs, long lines are broken."""
        for language in ("zh", "en"):
            write_answers(sheet, quiz, Answers(), language)
            lines = sheet.read_text(encoding="utf-8").splitlines()
            comments = [line for line in lines if line.lstrip().startswith("#")]

            assert [line for line in comments if "$" in line or "\\" in line] == []
            assert any("√2" in line for line in comments)
            assert any("1/8" in line for line in comments)
            assert max(map(cell_len, comments)) <= 100

    def test_several_lines_stay_lines(self, sheet: Path, quiz: Quiz) -> None:
        """So that a person can go on writing."""
        write_answers(sheet, quiz, Answers(seed="s", answers={"in-words": "一\n二\n三"}), "zh")

        assert "  in-words: |-\n    一\n    二\n    三" in sheet.read_text(encoding="utf-8")

    def test_answers_to_items_that_are_gone_are_kept(self, sheet: Path, quiz: Quiz) -> None:
        """They are the student's."""
        write_answers(sheet, quiz, Answers(seed="s", answers={"old-item": "x"}), "en")

        assert read_answers(sheet, quiz).answers["old-item"] == "x"

    def test_a_failed_write_leaves_the_old_sheet(self, sheet: Path, quiz: Quiz) -> None:
        """Neither half a file nor a temporary one."""
        first = write_answers(sheet, quiz, Answers(seed="s", answers={"even-one": "four"}), "en")
        before = sheet.read_bytes()
        unwritable = msgspec.structs.replace(first, answers={"even-one": object()})

        with pytest.raises((yaml.YAMLError, GradeError)):
            write_answers(sheet, quiz, unwritable, "en")

        assert sheet.read_bytes() == before
        assert [path.name for path in sheet.parent.iterdir()] == [sheet.name]
