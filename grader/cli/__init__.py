"""The ``grade`` command: parse, call one function, print one report, return an exit code.

One module for each kind of person who types it, and one for exports; their commands join the group
as they are imported.
Nothing heavy is imported here: ``grade --help`` needs neither torch nor pytest.
"""

from grader.cli import author, exports, instructor, student
from grader.cli.base import cli
from grader.cli.run import main

__all__ = ["author", "cli", "exports", "instructor", "main", "student"]
