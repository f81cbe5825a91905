"""Run the command line: what is raised becomes a message and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from pathlib import Path
from typing import NoReturn

import click

from grader.cli.base import LANGUAGE, cli, early_language
from grader.errors import GradeError, GraderFault, writing
from grader.text import say

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

    Screen(early_language(sys.argv[1:]), sys.stderr).error(error)
    return error.exit_code
