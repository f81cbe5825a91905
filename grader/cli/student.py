"""What a student types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.base import (
    EXERCISES,
    OPTIONS,
    TARGET_COMMAND,
    an_exercise,
    anything,
    cli,
    settings_of,
    shared_options,
    words,
)


@cli.command(
    TARGET_COMMAND, hidden=True, options_metavar=OPTIONS, help=words("Grade these targets.")
)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=anything)
@click.option("--again", is_flag=True, help=words("Ask a quiz from its beginning."))
@click.option(
    "--explain", is_flag=True,
    help=words("Show the right answers to quizzes and explain every option."),
)  # fmt: skip
@shared_options
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

    settings = settings_of(context, shared)
    context.exit(grade_targets(list(targets), settings, again=again, explain=explain))


@cli.command(
    options_metavar=OPTIONS,
    help=words("Grade at every save, with single keys for what comes next."),
)
@click.argument("targets", metavar="[TARGET]", nargs=-1, shell_complete=anything)
@shared_options
@click.pass_context
def watch(context: click.Context, /, targets: tuple[str, ...], **shared: Any) -> None:
    """Watch an exercise or quiz."""
    from grader.commands.watch import watch_targets

    context.exit(watch_targets(list(targets), settings_of(context, shared)))


@cli.command(options_metavar=OPTIONS, help=words("Show the next hint of an exercise."))
@click.argument("targets", metavar=EXERCISES, nargs=-1, required=True, shell_complete=an_exercise)
@click.option(
    "--number", metavar="1|2|3", type=click.IntRange(1, 3), help=words("Show this hint again.")
)
@shared_options
@click.pass_context
def hint(
    context: click.Context, /, targets: tuple[str, ...], number: int | None, **shared: Any
) -> None:
    """Show a hint."""
    from grader.commands.hint import show_hint

    context.exit(show_hint(list(targets), number, settings_of(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=words("Put the stub back, or an earlier answer; what stands there is kept."),
)
@click.argument("targets", metavar=EXERCISES, nargs=-1, required=True, shell_complete=an_exercise)
@click.option("--yes", is_flag=True, help=words("Do not ask."))
@click.option("--undo", is_flag=True, help=words("Put the newest backup back."))
@click.option("--from", "backup", metavar=words("BACKUP"), help=words("Put this backup back."))
@shared_options
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

    settings = settings_of(context, shared)
    context.exit(reset_answers(list(targets), settings, yes=yes, undo=undo, backup=backup))


@cli.command(
    options_metavar=OPTIONS,
    help=words("Show the solution of an exercise once all its checks have passed."),
)
@click.argument("targets", metavar=EXERCISES, nargs=-1, required=True, shell_complete=an_exercise)
@click.option("--give-up", is_flag=True, help=words("Show it before that; this is recorded."))
@shared_options
@click.pass_context
def solution(
    context: click.Context, /, targets: tuple[str, ...], give_up: bool, **shared: Any
) -> None:
    """Show a solution."""
    from grader.commands.solution import show_solution

    context.exit(show_solution(list(targets), settings_of(context, shared), give_up=give_up))


@cli.command(
    options_metavar=OPTIONS,
    help=words("Put all answers into one file to hand in, and say what is amiss in them."),
)
@click.option(
    "--output",
    metavar=words("FILE"),
    type=click.Path(path_type=Path),
    help=words("Where to write; submission.zip in the course's folder if left out."),
)
@click.option(
    "--name",
    metavar=words("NAME"),
    default="",
    help=words("Your name, as your instructor knows it."),
)
@shared_options
@click.pass_context
def submit(context: click.Context, /, output: Path | None, name: str, **shared: Any) -> None:
    """Write the file to hand in."""
    from grader.commands.submit import submit as write_submission

    context.exit(write_submission(output, name, settings_of(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=words(
        "Write a report with pictures as one HTML page: of the targets, or of all that was begun."
    ),
)
@click.argument("targets", metavar="[TARGET...]", nargs=-1, shell_complete=anything)
@click.option(
    "--output", metavar=words("FILE"), type=click.Path(path_type=Path),
    help=words("The file to write; .grade/report.html in the course's folder if left out."),
)  # fmt: skip
@click.option("--open", "show", is_flag=True, help=words("Open it in the browser."))
@shared_options
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

    context.exit(write_report(list(targets), output, settings_of(context, shared), show=show))


@cli.command(
    options_metavar=OPTIONS,
    help=words(
        "Make a Jupyter notebook of each exercise; its answer is graded in the notebook itself."
    ),
)
@click.argument("targets", metavar=f"[{EXERCISES}]", nargs=-1, shell_complete=an_exercise)
@click.option(
    "--output",
    metavar=words("FOLDER"),
    type=click.Path(path_type=Path),
    help=words("The folder to write to; notebooks/ in the course's folder if left out."),
)
@shared_options
@click.pass_context
def notebook(
    context: click.Context, /, targets: tuple[str, ...], output: Path | None, **shared: Any
) -> None:
    """Write notebooks."""
    from grader.notebook.build import write_notebooks

    context.exit(write_notebooks(list(targets), output, settings_of(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=words("Say what works on this machine, what does not, and what to do."),
)
@shared_options
@click.pass_context
def doctor(context: click.Context, /, **shared: Any) -> None:
    """Explain the machine."""
    from grader.commands.authors import show_doctor

    context.exit(show_doctor(settings_of(context, shared)))
