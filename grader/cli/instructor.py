"""What an instructor types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.base import (
    OPTIONS,
    an_exercise,
    cli,
    settings_of,
    shared_options,
    words,
)


@cli.command(
    options_metavar=OPTIONS,
    help=words(
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
    metavar=words("CLASS"),
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help=words("The class's folder; made if it is not there. What is in it is kept."),
)
@click.option(
    "--roster",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help=words("The class list: a CSV file with the headings id, name, email."),
)
@click.option(
    "--kind",
    type=click.Choice(["auto", "moodle", "canvas", "nbgrader", "folders", "bundle"]),
    default="auto",
    help=words("Of which kind the sources are; recognised if left out."),
)
@click.option(
    "--tz",
    "zone",
    metavar=words("ZONE"),
    help=words("Time zone of times that name none, as Asia/Shanghai; this machine's if left out."),
)
@click.option(
    "--file-times",
    is_flag=True,
    help=words(
        "Take the times of the files for the times of handing in. Downloading and copying change "
        "them."
    ),
)
@shared_options
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

    settings = settings_of(context, shared)
    context.exit(
        collect_class(
            sources, folder, roster, settings, kind=kind, zone=zone, file_times=file_times
        )
    )


@cli.command(
    options_metavar=OPTIONS,
    help=words("For instructors: grade a whole class, each different file once."),
)
@click.argument(
    "folder", metavar=words("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(min=1),
    help=words("How many files to grade at a time."),
)  # fmt: skip
@click.option("--shard", metavar="I/N", help=words("Grade only this part of the work, as 1/4."))
@click.option(
    "--dask", metavar=words("ADDRESS"),
    help=words("Grade on the workers of the Dask cluster whose scheduler is at this address."),
)  # fmt: skip
@click.option(
    "--allow-unsandboxed",
    "unsandboxed",
    is_flag=True,
    help=words("Grade without walls between students and this machine."),
)
@shared_options
@click.pass_context
def batch(
    context: click.Context,
    /,
    folder: Path,
    jobs: int | None,
    shard: str | None,
    *,
    dask: str | None,
    unsandboxed: bool,
    **shared: Any,
) -> None:
    """Grade a class."""
    from grader.commands.classroom import grade_batch

    settings = settings_of(context, shared)
    context.exit(grade_batch(folder, jobs, shard, settings, unsandboxed=unsandboxed, dask=dask))


@cli.command(
    options_metavar=OPTIONS,
    help=words(
        "For instructors: write what students get and what another machine needs to grade. "
        "Nothing is written if something of the solutions is in the students' part."
    ),
)
@click.option(
    "--output", metavar=words("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=words("The folder to write to; exports/release in the course if left out."),
)  # fmt: skip
@click.option(
    "--for", "audience", type=click.Choice(["student", "instructor", "both"]), default="both",
    help=words("Whose bundle to write; both if left out."),
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["practice", "class"]), default="class",
    help=words("What students' course.yaml says; class if left out."),
)  # fmt: skip
@click.option(
    "--with-solutions", is_flag=True,
    help=words("Give students solutions and keys as well; for studying alone, in practice mode."),
)  # fmt: skip
@click.option(
    "--scan", metavar=words("BUNDLE"), type=click.Path(path_type=Path, exists=True),
    help=words("Only search a zip or a folder for what students must not get."),
)  # fmt: skip
@click.option(
    "--nbgrader", metavar=words("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=words("Only write source notebooks for nbgrader into this folder."),
)  # fmt: skip
@click.option(
    "--gradescope", metavar=words("EXERCISE"), shell_complete=an_exercise,
    help=words("Only write an autograder of this exercise for Gradescope."),
)  # fmt: skip
@shared_options
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

    settings = settings_of(context, shared)
    releasing.only_one_task({"--scan": scan, "--nbgrader": nbgrader, "--gradescope": gradescope})
    if scan is not None:
        context.exit(releasing.scan_bundle(scan, settings))
    if nbgrader is not None:
        context.exit(releasing.release_notebooks(nbgrader, settings))
    if gradescope is not None:
        context.exit(releasing.release_autograder(gradescope, output, settings))
    context.exit(
        releasing.release_course(output, audience, mode, settings, solutions=with_solutions)
    )


@cli.command(
    options_metavar=OPTIONS,
    help=words("For instructors: write a class's marks into nbgrader's gradebook."),
)
@click.argument(
    "folder", metavar=words("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--db", "url", metavar="URL", envvar="GRADE_DB_URL",
    help=words("The database, as SQLAlchemy writes it; a file in the folder if left out."),
)  # fmt: skip
@click.option(
    "--per", type=click.Choice(["chapter", "exercise"]),
    help=words("What an assignment of the gradebook is; the chapter if left out."),
)  # fmt: skip
@shared_options
@click.pass_context
def gradebook(
    context: click.Context, /, folder: Path, url: str | None, per: Any, **shared: Any
) -> None:
    """Write marks into a gradebook."""
    from grader.commands.gradebook import fill_gradebook

    context.exit(fill_gradebook(folder, url, per, settings_of(context, shared)))


@cli.command(
    options_metavar=OPTIONS,
    help=words("For instructors: write an HTML page of feedback for each student."),
)
@click.argument(
    "folder", metavar=words("CLASS"), type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--output", metavar=words("FOLDER"), type=click.Path(path_type=Path, file_okay=False),
    help=words("The folder to write to; feedback/ in the class's folder if left out."),
)  # fmt: skip
@shared_options
@click.pass_context
def feedback(context: click.Context, /, folder: Path, output: Path | None, **shared: Any) -> None:
    """Write feedback."""
    from grader.commands.feedback import give_feedback

    context.exit(give_feedback(folder, output, settings_of(context, shared)))
