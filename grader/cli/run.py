"""Run the command line: what is raised becomes a message and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from grader.cli.base import LANGUAGE, cli, early_language
from grader.errors import GradeError, GraderFault, writing
from grader.text import Text, say

if TYPE_CHECKING:
    from grader.report.problem import Problem

__all__ = ["main"]

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
READER_GONE = 141  # and for one whose output nobody reads any more


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
        return _report(partial(_of_command_line, error), 2)
    except (KeyboardInterrupt, click.Abort):
        stopped = say("Interrupted; nothing was lost.")
        sys.stderr.write("\n" + stopped.pick(LANGUAGE) + "\n")
        return _report(partial(_interrupted, stopped), INTERRUPTED)
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

    Screen(early_language(sys.argv[1:]), sys.stderr).error(error)
    return _report(partial(_of, error), error.exit_code)


def _report(make: Callable[[], Problem], exit_code: int) -> int:
    """Print what stopped the command as JSON, where that was asked for; return the exit code."""
    if _wants_json(sys.argv[1:]):
        from grader.report.screen import print_json

        with contextlib.suppress(GradeError, OSError, ValueError):  # told on standard error
            print_json(make().line())
    return exit_code


def _wants_json(arguments: list[str]) -> bool:
    """Return whether ``--json`` is among the options; the command line may not be readable."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:end]


def _of(error: GradeError) -> Problem:
    from grader.report.problem import problem_of

    return problem_of(error)


def _of_command_line(error: click.ClickException) -> Problem:
    from grader.report.problem import problem_of_command_line

    return problem_of_command_line(error)


def _interrupted(what: Text) -> Problem:
    from grader.report.problem import Problem

    return Problem(kind="interrupted", what=what, exit_code=INTERRUPTED)
