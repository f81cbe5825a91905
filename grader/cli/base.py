"""What all commands share: the group, options, help in the person's language, completion."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grader import __version__
from grader.errors import GradeError
from grader.text import Language, preferred_language, say
from grader.usage import Command, Context, speak

if TYPE_CHECKING:
    from grader.commands.common import Settings

__all__ = [
    "EXERCISES",
    "LANGUAGE",
    "OPTIONS",
    "TARGET_COMMAND",
    "an_exercise",
    "anything",
    "cli",
    "early_language",
    "settings_of",
    "shared_options",
    "words",
]

TARGET_COMMAND = "TARGET"
AUDIENCES = ("student", "author", "instructor", "exports")  # modules, in the order of help

Function = TypeVar("Function", bound=Callable[..., Any])


def early_language(arguments: list[str]) -> Language:
    """Return the language for help texts, which are built before the command line is parsed."""
    for index, word in reversed(list(enumerate(arguments))):  # the last one wins, as later on
        value = (
            arguments[index + 1 : index + 2] if word == "--lang" else [word.partition("--lang=")[2]]
        )
        if value == ["zh"]:
            return "zh"
        if value == ["en"]:
            return "en"
    return preferred_language()


LANGUAGE = early_language(sys.argv[1:])
speak(LANGUAGE)  # before the first option is made: click words some of them at once


def words(sentence: str) -> str:
    """Return a sentence of a help page in the person's language."""
    return say(sentence).pick(LANGUAGE)


OPTIONS = words("[OPTIONS]")
EXERCISES = words("EXERCISE...")


def shared_options(function: Function, languages: Sequence[str] = ("zh", "en")) -> Function:
    """Add the options that every command takes, before its name or after it."""
    options = [
        click.option(
            "--lang", type=click.Choice(languages), help=words("Language of what is shown.")
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            default=None,
            help=words("Print JSON instead of text."),
        ),
        click.option(
            "--course",
            metavar=words("FOLDER"),
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            help=words("The course's folder; found from the current folder if left out."),
        ),
        click.option(
            "--sandbox",
            metavar=words("TIER"),
            help=words(
                "The sandbox to use: bubblewrap, process or spawn; "
                "the strongest that works if left out."
            ),
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def settings_of(context: click.Context, given: dict[str, Any]) -> Settings:
    """Merge the options before the command's name with those after it; the later ones win."""
    from grader.commands.common import Settings

    after = {name: value for name, value in given.items() if value is not None}
    merged = {**(context.find_root().obj or {}), **after}
    return Settings(
        language=merged.get("lang") or LANGUAGE,
        as_json=bool(merged.get("as_json")),
        course=merged.get("course"),
        sandbox=merged.get("sandbox"),
    )


def _words(context: click.Context, start: str, *, quizzes: bool) -> list[CompletionItem]:
    """Return what a shell may complete ``start`` to: the course's own words."""
    from grader.course import complete_target, find_root

    found: list[str] = []
    with contextlib.suppress(GradeError, OSError):
        named = context.params.get("course") or context.find_root().params.get("course")
        found = complete_target(start, find_root(named or Path.cwd()), quizzes=quizzes)
    return [CompletionItem(word) for word in found]


def _or_file(found: list[CompletionItem], start: str) -> list[CompletionItem]:
    """Offer any file where there is nothing else: bash knows either words or files."""
    return found or [CompletionItem(start, type="file")]


def an_exercise(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of an exercise."""
    return _or_file(_words(context, start, quizzes=False), start)


def anything(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of an exercise or quiz."""
    return _or_file(_words(context, start, quizzes=True), start)


class WorkCommand(Command):
    """A command that says what is missing with an example, in the person's language."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a missing one is a message that shows what to write."""
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as error:
            if error.param is None or error.param.name != "targets":
                raise
            which = words("Say which exercise, for example: {command} 03")
            raise click.UsageError(which.format(command=ctx.command_path), ctx) from None


class TargetGroup(click.Group):
    """A group whose every word that is no command is something to grade."""

    context_class = Context
    command_class = WorkCommand

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command ``args`` name; any other word goes to the grading command."""
        if args and args[0] in self.commands and args[0] != TARGET_COMMAND:
            return super().resolve_command(ctx, args)
        return TARGET_COMMAND, self.commands[TARGET_COMMAND], args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return commands and targets."""
        commands = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            return commands
        return _or_file([*commands, *_words(ctx, incomplete, quizzes=True)], incomplete)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands: a student's first, each kind in the order one meets them."""
        del ctx
        return sorted(self.commands, key=lambda name: _audience(self.commands[name]))


def _audience(command: click.Command) -> int:
    """Return for whom a command is: the place in ``AUDIENCES`` of the module it stands in."""
    return AUDIENCES.index((command.callback or cli).__module__.rpartition(".")[2])


@click.group(
    cls=TargetGroup, invoke_without_command=True, options_metavar=OPTIONS,
    subcommand_metavar=words("TARGET... | COMMAND"),
    context_settings={"help_option_names": ["-h", "--help"]},
    help=words(
        "Grade exercises and quizzes and report by learning objective.\n\n"
        "TARGET is an exercise (exercises/03, 03), a quiz (quizzes/02), a file named like its "
        "stub, a folder that holds one, or `exercises` or `quizzes` for all of them."
    ),
)  # fmt: skip
@click.version_option(
    __version__,
    prog_name="grade",
    message="%(prog)s %(version)s",
    help=words("Show the version and exit."),
)
@shared_options
@click.pass_context
def cli(context: click.Context, /, **shared: Any) -> None:
    """Keep the shared options; with no target, show where the student stands."""
    context.obj = shared
    if context.invoked_subcommand is None:
        from grader.commands.overview import show_overview

        context.exit(show_overview(settings_of(context, {})))
