"""The ``grade`` command: parse, call one function, print one report, return an exit code.

Nothing heavy is imported here: ``grade --help`` needs neither torch nor pytest.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from grader import __version__
from grader.errors import GradeError, GraderFault, writing
from grader.text import Language, preferred_language, say
from grader.usage import Command, Context, speak

if TYPE_CHECKING:
    from grader.commands.common import Settings

__all__ = ["cli", "main"]

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
READER_GONE = 141  # and for one whose output nobody reads any more
TARGET_COMMAND = "TARGET"

Function = TypeVar("Function", bound=Callable[..., Any])


def _early_language(arguments: list[str]) -> Language:
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


LANGUAGE = _early_language(sys.argv[1:])
speak(LANGUAGE)  # before the first option is made: click words some of them at once


def _help(sentence: str) -> str:
    return say(sentence).pick(LANGUAGE)


OPTIONS = _help("[OPTIONS]")


def _shared_options(function: Function, languages: Sequence[str] = ("zh", "en")) -> Function:
    """Add the options that every command takes, before its name or after it."""
    options = [
        click.option(
            "--lang", type=click.Choice(languages), help=_help("Language of what is shown.")
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            default=None,
            help=_help("Print JSON instead of text."),
        ),
        click.option(
            "--course",
            metavar=_help("FOLDER"),
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            help=_help("The course's folder; found from the current folder if left out."),
        ),
        click.option(
            "--sandbox",
            metavar=_help("TIER"),
            help=_help(
                "The sandbox to use: bubblewrap, process or spawn; "
                "the strongest that works if left out."
            ),
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def _settings(context: click.Context, given: dict[str, Any]) -> Settings:
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


def _exercises(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    return _or_file(_words(context, start, quizzes=False), start)


def _anything(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    return _or_file(_words(context, start, quizzes=True), start)


class TargetGroup(click.Group):
    """A group whose every word that is no command is something to grade."""

    context_class = Context
    command_class = Command

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
        """Return the commands in the order a student meets them."""
        del ctx
        return list(self.commands)


@click.group(
    cls=TargetGroup, invoke_without_command=True, options_metavar=OPTIONS,
    subcommand_metavar=_help("TARGET... | COMMAND"),
    context_settings={"help_option_names": ["-h", "--help"]},
    help=_help(
        "Grade exercises and report by learning objective.\n\n"
        "TARGET is an exercise (exercises/03, 03), a file named like its stub, "
        "a folder that holds one, or `exercises` for all of them."
    ),
)  # fmt: skip
@click.version_option(
    __version__,
    prog_name="grade",
    message="%(prog)s %(version)s",
    help=_help("Show the version and exit."),
)
@_shared_options
@click.pass_context
def cli(context: click.Context, /, **shared: Any) -> None:
    """Keep the shared options; with no target, show where the student stands."""
    context.obj = shared
    if context.invoked_subcommand is None:
        from grader.commands.overview import show_overview

        context.exit(show_overview(_settings(context, {})))


@cli.command(
    TARGET_COMMAND, hidden=True, options_metavar=OPTIONS, help=_help("Grade these targets.")
)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=_anything)
@click.option("--again", is_flag=True, help=_help("Ask a quiz from its beginning."))
@click.option(
    "--explain", is_flag=True,
    help=_help("Show the right answers to quizzes and explain every option."),
)  # fmt: skip
@_shared_options
@click.pass_context
def target(
    context: click.Context,
    /,
    targets: tuple[str, ...],
    again: bool,
    explain: bool,
    **shared: Any,
) -> None:
    """Grade targets."""
    from grader.commands.grading import grade_targets

    settings = _settings(context, shared)
    context.exit(grade_targets(list(targets), settings, again=again, explain=explain))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("Grade at every save, with single keys for what comes next."),
)
@click.argument("targets", metavar="[TARGET]", nargs=-1, shell_complete=_exercises)
@_shared_options
@click.pass_context
def watch(context: click.Context, /, targets: tuple[str, ...], **shared: Any) -> None:
    """Watch an exercise."""
    from grader.commands.watch import watch_exercise

    context.exit(watch_exercise(list(targets), _settings(context, shared)))


@cli.command(options_metavar=OPTIONS, help=_help("Show the next hint of an exercise."))
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=_exercises)
@click.option(
    "--number", metavar="1|2|3", type=click.IntRange(1, 3), help=_help("Show this hint again.")
)
@_shared_options
@click.pass_context
def hint(
    context: click.Context, /, targets: tuple[str, ...], number: int | None, **shared: Any
) -> None:
    """Show a hint."""
    from grader.commands.hint import show_hint

    context.exit(show_hint(list(targets), number, _settings(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("Put the stub back, or an earlier answer; what stands there is kept."),
)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=_exercises)
@click.option("--yes", is_flag=True, help=_help("Do not ask."))
@click.option("--undo", is_flag=True, help=_help("Put the newest backup back."))
@click.option("--from", "backup", metavar=_help("BACKUP"), help=_help("Put this backup back."))
@_shared_options
@click.pass_context
def reset(
    context: click.Context,
    /,
    targets: tuple[str, ...],
    yes: bool,
    undo: bool,
    backup: str | None,
    **shared: Any,
) -> None:
    """Restore a stub or a backup."""
    from grader.commands.reset import reset_answers

    settings = _settings(context, shared)
    context.exit(reset_answers(list(targets), settings, yes=yes, undo=undo, backup=backup))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("Show the solution of an exercise once all its checks have passed."),
)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=_exercises)
@click.option("--give-up", is_flag=True, help=_help("Show it before that; this is recorded."))
@_shared_options
@click.pass_context
def solution(
    context: click.Context, /, targets: tuple[str, ...], give_up: bool, **shared: Any
) -> None:
    """Show a solution."""
    from grader.commands.solution import show_solution

    context.exit(show_solution(list(targets), _settings(context, shared), give_up=give_up))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("Put all answers into one file to hand in, and say what is amiss in them."),
)
@click.option(
    "--output",
    metavar=_help("FILE"),
    type=click.Path(path_type=Path),
    help=_help("Where to write; submission.zip in the course's folder if left out."),
)
@click.option(
    "--name",
    metavar=_help("NAME"),
    default="",
    help=_help("Your name, as your instructor knows it."),
)
@_shared_options
@click.pass_context
def submit(context: click.Context, /, output: Path | None, name: str, **shared: Any) -> None:
    """Write the file to hand in."""
    from grader.commands.submit import submit as write_submission

    context.exit(write_submission(output, name, _settings(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=_help(
        "Write a report with pictures as one HTML page: of the targets, or of all that was begun."
    ),
)
@click.argument("targets", metavar="[TARGET...]", nargs=-1, shell_complete=_anything)
@click.option(
    "--output", metavar=_help("FILE"), type=click.Path(path_type=Path, dir_okay=False),
    help=_help("The file to write; .grade/report.html in the course's folder if left out."),
)  # fmt: skip
@click.option("--open", "show", is_flag=True, help=_help("Open it in the browser."))
@_shared_options
@click.pass_context
def report(
    context: click.Context,
    /,
    targets: tuple[str, ...],
    output: Path | None,
    show: bool,
    **shared: Any,
) -> None:
    """Write the HTML report."""
    from grader.commands.report import write_report

    context.exit(write_report(list(targets), output, _settings(context, shared), show=show))


@cli.command(
    options_metavar=OPTIONS,
    help=_help(
        "Make a Jupyter notebook of each exercise; its answer is graded in the notebook itself."
    ),
)
@click.argument("targets", metavar="[TARGET...]", nargs=-1, shell_complete=_exercises)
@click.option(
    "--output",
    metavar=_help("FOLDER"),
    type=click.Path(path_type=Path),
    help=_help("The folder to write to; notebooks/ in the course's folder if left out."),
)
@_shared_options
@click.pass_context
def notebook(
    context: click.Context, /, targets: tuple[str, ...], output: Path | None, **shared: Any
) -> None:
    """Write notebooks."""
    from grader.notebook.build import write_notebooks

    context.exit(write_notebooks(list(targets), output, _settings(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("Say what works on this machine, what does not, and what to do."),
)
@_shared_options
@click.pass_context
def doctor(context: click.Context, /, **shared: Any) -> None:
    """Explain the machine."""
    from grader.commands.authors import show_doctor

    context.exit(show_doctor(_settings(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("For authors: check the course's files and prove its graders on known mistakes."),
)
@click.argument("targets", metavar="[TARGET...]", nargs=-1, shell_complete=_anything)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help=_help("How many exercises to check at a time."),
)
@click.option(
    "--mutants", "what", flag_value="mutants", help=_help("Run mutants of every reference instead.")
)
@click.option(
    "--pairs", "what", flag_value="pairs", help=_help("Try every two mistakes together instead.")
)
@_shared_options
@click.pass_context
def check(
    context: click.Context,
    /,
    targets: tuple[str, ...],
    jobs: int | None,
    what: str | None,
    **shared: Any,
) -> None:
    """Check the course."""
    from grader.commands.authors import check_course

    settings = _settings(context, shared)
    context.exit(check_course(list(targets), jobs, settings, what=what or "gate"))


@cli.command(
    options_metavar=OPTIONS,
    help=_help(
        "For instructors: take in what a class handed in, whatever form it has.\n\n"
        "SOURCE is an archive as Moodle or Canvas gives it out, nbgrader's submitted folder, a "
        "folder with one folder or file for each student, or one student's file."
    ),
)
@click.argument(
    "sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--into",
    "folder",
    metavar=_help("CLASS"),
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help=_help("The class's folder; made if it is not there. What is in it is kept."),
)
@click.option(
    "--roster",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help=_help("The class list: a CSV file with the headings id, name, email."),
)
@click.option(
    "--kind",
    type=click.Choice(["auto", "moodle", "canvas", "nbgrader", "folders", "bundle"]),
    default="auto",
    help=_help("Of which kind the sources are; recognised if left out."),
)
@click.option(
    "--tz",
    "zone",
    metavar=_help("ZONE"),
    help=_help("Time zone of times that name none, as Asia/Shanghai; this machine's if left out."),
)
@click.option(
    "--file-times",
    is_flag=True,
    help=_help(
        "Take the times of the files for the times of handing in. Downloading and copying change "
        "them."
    ),
)
@_shared_options
@click.pass_context
def collect(
    context: click.Context,
    /,
    sources: tuple[Path, ...],
    folder: Path,
    roster: Path | None,
    *,
    kind: str,
    zone: str | None,
    file_times: bool,
    **shared: Any,
) -> None:
    """Collect a class's work."""
    from grader.commands.collect import collect_class

    settings = _settings(context, shared)
    context.exit(
        collect_class(
            sources, folder, roster, settings, kind=kind, zone=zone, file_times=file_times
        )
    )


@cli.command(help=_help("For instructors: grade a whole class, each different file once."))
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--jobs", type=click.IntRange(min=1), help=_help("How many files to grade at a time.")
)
@click.option("--shard", metavar="I/N", help=_help("Grade only this part of the work, as 1/4."))
@click.option(
    "--allow-unsandboxed",
    "unsandboxed",
    is_flag=True,
    help=_help("Grade without walls between students and this machine."),
)
@_shared_options
@click.pass_context
def batch(
    context: click.Context,
    /,
    folder: Path,
    jobs: int | None,
    shard: str | None,
    *,
    unsandboxed: bool,
    **shared: Any,
) -> None:
    """Grade a class."""
    from grader.commands.classroom import grade_batch

    settings = _settings(context, shared)
    context.exit(grade_batch(folder, jobs, shard, settings, unsandboxed=unsandboxed))


@cli.command(
    options_metavar=OPTIONS,
    help=_help(
        "For instructors: write what students get and what another machine needs to grade. "
        "Nothing is written if something of the solutions is in the students' part."
    ),
)
@click.option(
    "--output", metavar=_help("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=_help("The folder to write to; exports/release in the course if left out."),
)  # fmt: skip
@click.option(
    "--for", "audience", type=click.Choice(["student", "instructor", "both"]), default="both",
    help=_help("Whose bundle to write; both if left out."),
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["practice", "class"]), default="class",
    help=_help("What students' course.yaml says; class if left out."),
)  # fmt: skip
@click.option(
    "--with-solutions", is_flag=True,
    help=_help("Give students solutions and keys as well; for studying alone, in practice mode."),
)  # fmt: skip
@click.option(
    "--scan", metavar=_help("BUNDLE"), type=click.Path(path_type=Path, exists=True),
    help=_help("Only search a zip or a folder for what students must not get."),
)  # fmt: skip
@click.option(
    "--nbgrader", metavar=_help("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=_help("Only write source notebooks for nbgrader into this folder."),
)  # fmt: skip
@click.option(
    "--gradescope", metavar=_help("EXERCISE"), shell_complete=_exercises,
    help=_help("Only write an autograder of this exercise for Gradescope."),
)  # fmt: skip
@_shared_options
@click.pass_context
def release(
    context: click.Context,
    /,
    output: Path | None,
    audience: Any,
    mode: Any,
    *,
    with_solutions: bool,
    scan: Path | None,
    nbgrader: Path | None,
    gradescope: str | None,
    **shared: Any,
) -> None:
    """Hand the course out."""
    from grader.commands import release as releasing

    settings = _settings(context, shared)
    if scan is not None:
        context.exit(releasing.scan_bundle(scan, settings))
    if nbgrader is not None:
        context.exit(releasing.release_notebooks(nbgrader, settings))
    if gradescope is not None:
        context.exit(releasing.release_autograder(gradescope, output, settings))
    solutions = with_solutions
    context.exit(releasing.release_course(output, audience, mode, settings, solutions=solutions))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("For instructors: write a class's marks into nbgrader's gradebook."),
)
@click.argument(
    "folder", metavar=_help("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--db", "url", metavar="URL", envvar="GRADE_DB_URL",
    help=_help("The database, as SQLAlchemy writes it; a file in the folder if left out."),
)  # fmt: skip
@click.option(
    "--per", type=click.Choice(["chapter", "exercise"]),
    help=_help("What an assignment of the gradebook is; the chapter if left out."),
)  # fmt: skip
@_shared_options
@click.pass_context
def gradebook(
    context: click.Context, /, folder: Path, url: str | None, per: Any, **shared: Any
) -> None:
    """Write marks into a gradebook."""
    from grader.commands.gradebook import fill_gradebook

    context.exit(fill_gradebook(folder, url, per, _settings(context, shared)))


class Group(click.Group):
    """A group of commands that speak the person's language."""

    context_class = Context
    command_class = Command


@cli.group(
    cls=Group, options_metavar=OPTIONS, subcommand_metavar=_help("WHAT"),
    help=_help("For instructors: write quizzes or marks for other systems."),
)  # fmt: skip
def export() -> None:
    """Export what is named next."""


@export.command(
    "quizzes", options_metavar=OPTIONS,
    help=_help(
        "Write quizzes, all of them or those named, with keys. "
        "--lang both puts Chinese and English into one file."
    ),
)  # fmt: skip
@click.argument("targets", nargs=-1, metavar=_help("[QUIZ]..."))
@click.option(
    "--format", "form", required=True, type=click.Choice(["qti", "moodle", "anki", "print"]),
    help=_help("For Canvas, for Moodle, as flash cards, or as sheets of paper."),
)  # fmt: skip
@click.option(
    "--output", metavar=_help("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=_help("The folder to write to; exports/ in the course if left out."),
)  # fmt: skip
@click.option(
    "--versions", type=click.IntRange(1, 26), default=1,
    help=_help("How many different sheets of each quiz to print."),
)  # fmt: skip
@partial(_shared_options, languages=("zh", "en", "both"))
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
    settings = _settings(context, {**shared, "lang": None} if both else shared)
    languages: tuple[Language, ...] = ("zh", "en") if both else (settings.language,)
    context.exit(
        export_quiz_files(
            list(targets), form, languages, settings, output=output, versions=versions
        )
    )


@export.command("marks", options_metavar=OPTIONS, help=_help("Write the marks of a class."))
@click.argument(
    "folder", metavar=_help("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--format", "form", required=True,
    type=click.Choice(["csv", "canvas", "moodle", "gradescope"]),
    help=_help("A plain table, or what this system imports."),
)  # fmt: skip
@click.option(
    "--output", metavar=_help("FILE"), type=click.Path(path_type=Path),
    help=_help("Where to write; into the class's folder if left out."),
)  # fmt: skip
@click.option(
    "--roster", metavar=_help("FILE"),
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help=_help("The grades as Canvas or Moodle exports them, to know its students by."),
)  # fmt: skip
@_shared_options
@click.pass_context
def export_marks_of(
    context: click.Context, /, folder: Path, form: Any, output: Path | None, roster: Path | None,
    **shared: Any,
) -> None:  # fmt: skip
    """Export marks."""
    from grader.commands.feedback import export_marks

    context.exit(export_marks(folder, form, output, roster, _settings(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=_help("For instructors: write an HTML page of feedback for each student."),
)
@click.argument(
    "folder", metavar=_help("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--output", metavar=_help("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=_help("The folder to write to; feedback/ in the class's folder if left out."),
)  # fmt: skip
@_shared_options
@click.pass_context
def feedback(context: click.Context, /, folder: Path, output: Path | None, **shared: Any) -> None:
    """Write feedback."""
    from grader.commands.feedback import give_feedback

    context.exit(give_feedback(folder, output, _settings(context, shared)))


def main() -> NoReturn:
    """Run the command line and end the process.

    The process ends without taking the interpreter down: with torch imported that alone takes a
    third of a second.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # started with the stream closed
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    code = _run()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def _run() -> int:
    try:
        code = int(cli.main(standalone_mode=False) or 0)
        with writing():
            sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("\n" + say("Interrupted; nothing was lost.").pick(LANGUAGE) + "\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone away, as in `grade | head`
        return READER_GONE
    except GradeError as error:
        return _show(error)
    except Exception as error:  # noqa: BLE001 - ours; shown whole, then exit code 3
        traceback.print_exc()
        return _show(
            GraderFault(
                say("The grader itself failed: {error}", error=type(error).__name__),
                say("This is our mistake; please report it with the lines above."),
            )
        )
    return code


def _show(error: GradeError) -> int:
    from grader.report.screen import Screen

    Screen(_early_language(sys.argv[1:]), sys.stderr).error(error)
    return error.exit_code
