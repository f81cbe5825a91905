"""What an author of the course types."""

from __future__ import annotations

from typing import Any

import click

from grader.cli.base import (
    OPTIONS,
    anything,
    cli,
    settings_of,
    shared_options,
    words,
)


@cli.command(
    options_metavar=OPTIONS,
    help=words("For authors: check the course's files and prove its graders on known mistakes."),
)
@click.argument("targets", metavar="[TARGET...]", nargs=-1, shell_complete=anything)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help=words("How many exercises to check at a time."),
)
@click.option(
    "--mutants",
    "what",
    flag_value="mutants",
    help=words("Run mutants of every reference instead."),
)
@click.option(
    "--pairs",
    "what",
    flag_value="pairs",
    help=words("Try every two mistakes together instead."),
)
@shared_options
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

    settings = settings_of(context, shared)
    context.exit(check_course(list(targets), jobs, settings, what=what or "gate"))
