"""The pages that whoever unpacks a bundle reads first: Markdown, and the same as HTML."""

from __future__ import annotations

import html
from typing import Any

import jinja2
from markdown_it import MarkdownIt

from grader.classroom.release.packing import Files
from grader.course import Course
from grader.text import LANGUAGES

__all__ = ["install_command", "instructor_pages", "student_pages", "template"]

PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem }}
body {{ line-height: 1.6; font-family: sans-serif }}
p code {{ overflow-wrap: anywhere }}
pre {{ padding: .8rem; overflow-x: auto; background: #8882; border-radius: .4rem }}
</style>
<main>
{body}</main>
</html>
"""
HTML_LANGUAGE = {"zh": "zh-CN", "en": "en"}


def install_command(wheel: str, extra: str = "") -> str:
    """Return the one command that makes ``grade`` work in an unpacked bundle."""
    path = f'"wheels/{wheel}[{extra}]"' if extra else f"wheels/{wheel}"
    pip = f".venv/bin/python -m pip install {path}"
    return f"python3 -m venv .venv && {pip}"


def student_pages(
    course: Course, wheel: str, quizzes: list[str], *, solutions: bool, workflow: bool
) -> Files:
    """Return the start pages of a student bundle.

    Args:
        course: the course.
        wheel: file name of the engine's wheel.
        quizzes: names of the quizzes in the bundle.
        solutions: whether the bundle holds the solutions and so the keys.
        workflow: whether it holds a workflow for GitHub.
    """
    facts: dict[str, Any] = {
        "install": install_command(wheel), "exercises": len(course.exercises),
        "first": course.exercises[0], "quizzes": len(quizzes),
        "quiz": quizzes[0].partition("_")[0] if quizzes else None,
        "solutions": solutions, "sealed": not solutions, "workflow": workflow,
    }  # fmt: skip
    return _pages("start", "START", course, facts)


def instructor_pages(course: Course, wheel: str) -> Files:
    """Return the start pages of an instructor bundle."""
    return _pages(
        "instructor", "INSTRUCTOR", course, {"install": install_command(wheel, extra="class")}
    )


def template(name: str, **facts: Any) -> str:
    """Return one of the templates with ``facts`` filled in."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.classroom.release"),
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Markdown, YAML and shell; HTML is made from Markdown
    )  # fmt: skip
    return environment.get_template(name).render(**facts)


def _pages(source: str, name: str, course: Course, facts: dict[str, Any]) -> Files:
    """Return ``NAME.md`` with both languages and ``NAME.zh.html``, ``NAME.en.html``."""
    texts = {
        language: template(
            f"{source}.{language}.md.jinja", title=course.file.title.pick(language), **facts
        )
        for language in LANGUAGES
    }
    files = {f"{name}.md": "\n---\n\n".join(texts.values()).encode()}
    for language, text in texts.items():
        page = PAGE.format(
            language=HTML_LANGUAGE[language], body=MarkdownIt().render(text),
            title=html.escape(course.file.title.pick(language)),
        )  # fmt: skip
        files[f"{name}.{language}.html"] = page.encode()
    return files
