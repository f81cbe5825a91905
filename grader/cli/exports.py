"""``grade export``: what an instructor types to carry things into other programs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from grader.cli.base import OPTIONS, cli, settings_of, shared_options, words
from grader.text import Language
from grader.usage import Command


class Group(Command, click.Group):
    """A group of commands that speak the person's language."""

    command_class = Command


@cli.group(
    cls=Group, options_metavar=OPTIONS, subcommand_metavar=words("WHAT"),
    help=words("For instructors: write quizzes, marks or code for other programs."),
)  # fmt: skip
def export() -> None:
    """Export what is named next."""


@export.command(
    "quizzes", options_metavar=OPTIONS,
    help=words(
        "Write quizzes, all of them or those named, with keys. "
        "--lang both puts Chinese and English into one file."
    ),
)  # fmt: skip
@click.argument("targets", nargs=-1, metavar=words("[QUIZ]..."))
@click.option(
    "--format", "form", required=True, type=click.Choice(["qti", "moodle", "anki", "print"]),
    help=words("For Canvas, for Moodle, as flash cards, or as sheets of paper."),
)  # fmt: skip
@click.option(
    "--output", metavar=words("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=words("The folder to write to; exports/ in the course if left out."),
)  # fmt: skip
@click.option(
    "--versions", metavar="N", type=click.IntRange(1, 26), default=1,
    help=words("How many different sheets of each quiz to print."),
)  # fmt: skip
@partial(shared_options, languages=("zh", "en", "both"))
@click.pass_context
def export_quizzes(
    context: click.Context,
    /,
    targets: tuple[str, ...],
    form: Any,
    output: Path | None,
    versions: int,
    **shared: Any,
) -> None:
    """Export quizzes."""
    from grader.commands.export import export_quiz_files

    both = shared.get("lang") == "both"
    settings = settings_of(context, {**shared, "lang": None} if both else shared)
    languages: tuple[Language, ...] = ("zh", "en") if both else (settings.language,)
    context.exit(
        export_quiz_files(
            list(targets), form, languages, settings, output=output, versions=versions
        )
    )


@export.command("marks", options_metavar=OPTIONS, help=words("Write the marks of a class."))
@click.argument(
    "folder", metavar=words("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--format", "form", required=True,
    type=click.Choice(["csv", "canvas", "moodle", "gradescope"]),
    help=words("A plain table, or what this system imports."),
)  # fmt: skip
@click.option(
    "--output", metavar=words("FILE"), type=click.Path(path_type=Path),
    help=words("Where to write; into the class's folder if left out."),
)  # fmt: skip
@click.option(
    "--roster", metavar=words("FILE"),
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help=words("The grades as Canvas or Moodle exports them, to know its students by."),
)  # fmt: skip
@shared_options
@click.pass_context
def export_marks_of(
    context: click.Context, /, folder: Path, form: Any, output: Path | None, roster: Path | None,
    **shared: Any,
) -> None:  # fmt: skip
    """Export marks."""
    from grader.commands.feedback import export_marks

    context.exit(export_marks(folder, form, output, roster, settings_of(context, shared)))


@export.command(
    "similar", options_metavar=OPTIONS,
    help=words(
        "Write a class's code for JPlag and Dolos, which look for similar programs. Nothing is run "
        "and nothing is sent anywhere."
    ),
)  # fmt: skip
@click.argument(
    "folder", metavar=words("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.argument("target", metavar=words("FOLDER"), type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--pseudonyms", "hide_names", is_flag=True,
    help=words("Write P001, P002, ... for names; who is who stays in the class's folder."),
)  # fmt: skip
@shared_options
@click.pass_context
def export_similar_code(
    context: click.Context, /, folder: Path, target: Path, *, hide_names: bool, **shared: Any
) -> None:
    """Export code to compare."""
    from grader.commands.similar import export_similar

    settings = settings_of(context, shared)
    context.exit(export_similar(folder, target, settings, hide_names=hide_names))
