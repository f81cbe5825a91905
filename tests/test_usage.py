"""Help and the parser's errors are in one language; help pages fit the terminal."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from rich.cells import cell_len

from grader.cli import cli
from grader.usage import Context, HelpPage
from tests.test_cli import PROGRAM, environment

# What may stand in Latin letters on a Chinese page: what one types, and names.
NAMES = [
    "grade", "zh", "en", "N", "x", "TARGET", "JSON", "HTML", "Jupyter", "bubblewrap", "process",
    "spawn", "SOURCE",
    "CSV", "Moodle", "Canvas", "nbgrader", "auto", "moodle", "canvas", "folders", "bundle",
    "submitted", "Asia/Shanghai", "HTML",
]  # fmt: skip
WORDS = "|".join([*cli.commands, *NAMES])
TYPED = re.compile(
    rf"--?[a-z-]+|`[^`]*`|exercises/\d+|quizzes/\d+|submission\.zip|notebooks/|\b({WORDS})\b"
)
PAGES = [
    ["--help"],
    *([name, "--help"] for name in ("hint", "doctor", "check", "submit", "notebook", "collect")),
]
SLIPS = [
    ["--nope"], ["check", "--mutant"], ["hint"], ["hint", "01", "--number", "7"], ["--lang"],
    ["hint", "01", "--number", "soon"], ["--lang", "fr"], ["--course", "/nope", "01"],
    ["--json=3"], ["doctor", "extra"],
]  # fmt: skip
GIVEN = {"nope", "soon", "fr", "extra", "mutant"}


def run(*words: str, **variables: str) -> tuple[str, str]:
    """Return what the command writes to standard output and standard error."""
    done = subprocess.run(
        [*PROGRAM, *words], env=environment(**variables), capture_output=True, check=False
    )
    return done.stdout.decode(), done.stderr.decode()


def english_in(text: str) -> set[str]:
    """Return the words in Latin letters that are nothing to type."""
    return set(re.findall(r"[A-Za-z]{2,}", TYPED.sub("", text))) - GIVEN


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_help_in_chinese_is_chinese(words: list[str]) -> None:
    """Neither headings nor click's own options are left in English."""
    by_option, _ = run("--lang", "zh", *words)
    by_locale, _ = run(*words, LANG="zh_CN.UTF-8")

    assert by_option == by_locale
    assert "用法：grade" in by_option
    assert english_in(by_option) == set()


@pytest.mark.parametrize("words", SLIPS, ids=" ".join)
def test_slips_in_chinese_are_told_in_chinese(words: list[str]) -> None:
    """What click says of a wrong command line."""
    out, told = run(*words, LANG="zh_CN.UTF-8")

    assert out == ""
    assert "出错：" in told
    assert english_in(told) == set()


def test_english_stays_english() -> None:
    """A Chinese locale does not reach past --lang en."""
    out, _ = run("--lang", "en", "--help", LANG="zh_CN.UTF-8", LANGUAGE="zh_CN")

    assert "Usage: grade [OPTIONS] TARGET... | COMMAND" in out
    assert out.isascii()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_fits_the_terminal(language: str) -> None:
    """Lines are broken by cells, of which a Chinese character takes two."""
    for words in PAGES:
        out, _ = run("--lang", language, *words, COLUMNS="60")

        assert max(map(cell_len, out.splitlines())) <= 60


def test_a_long_term_gets_a_line_of_its_own() -> None:
    """What it means starts below, in the column of the others."""
    page = HelpPage(width=60)

    page.write_dl([("--short", "one"), ("--" + "x" * 40, "two")])

    assert page.getvalue().splitlines() == [
        "--short" + " " * 25 + "one", "--" + "x" * 40, " " * 32 + "two",
    ]  # fmt: skip


def test_paragraphs_stay_apart() -> None:
    """A blank line in a help text is a blank line on the page."""
    page = HelpPage(width=60)

    page.write_text("第一段\n接着写\n\n第二段")

    assert page.getvalue() == "第一段 接着写\n\n第二段\n"


def test_every_command_has_such_a_page() -> None:
    """The group and its commands read their command lines in our context."""
    found = [cli, *cli.commands.values()]

    assert {command.context_class for command in found} == {Context}


def test_the_catalogue_lies_where_packages_take_it_from() -> None:
    """Gettext finds click's sentences beside ours."""
    from grader.text import LOCALE_FOLDER

    assert (Path(LOCALE_FOLDER) / "zh_CN" / "LC_MESSAGES" / "messages.mo").is_file()
