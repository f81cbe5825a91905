"""What a submission says, before others read it: no path of this machine in it, and no end of it.

A plain ``ImportError`` of torch names the folder it is installed in; a hostile worker can claim a
message of megabytes. Results hold neither. Hiding is by text alone: who spells a path otherwise can
still say it, but nobody does so by accident.
"""

from __future__ import annotations

import re
import sys
import sysconfig
import tempfile
from pathlib import Path

from grader.text import Text

__all__ = ["Discretion"]

TEXT_MOST = 5_000  # characters of one message; the worker itself sends at most 4,000
LINE_MOST = 500  # of one line of a trace, and of one note for the instructor
LINES_MOST = 12
EVERYBODYS = {"/", "/usr", "/usr/local", "/tmp", "/home", "/opt"}  # noqa: S108 - tell nothing
PACKAGE = Path(__file__).parent


class Discretion:
    """Hides the paths of this machine and shortens what is long.

    Args:
        root: of the course.
    """

    def __init__(self, root: Path) -> None:
        temporary = tempfile.gettempdir()
        library = sysconfig.get_path("stdlib")  # a system's Python has no folder of its own
        names = {
            str(PACKAGE.parent): "[grader]",
            str(Path.home()): "~",
            library: f"[python]{library.removeprefix(sys.base_prefix)}",
            sys.base_prefix: "[python]",
            sys.prefix: "[python]",
            str(root.resolve()): "[course]",
            temporary: "[tmp]",
        }
        self._names = {path: name for path, name in names.items() if path not in EVERYBODYS}
        longest_first = sorted(self._names, key=len, reverse=True)
        paths = "|".join(re.escape(path) for path in longest_first)
        scratch = re.escape(temporary) + r"/grade-\w+"
        self._pattern = re.compile(f"{scratch}|(?:{paths})(?![\\w.-])" if paths else scratch)

    def text(self, said: Text) -> Text:
        """Return a message as it may be told."""
        return Text(self._shown(said.zh, TEXT_MOST), self._shown(said.en, TEXT_MOST))

    def lines(self, said: list[str]) -> list[str]:
        """Return a trace or notes as they may be told: the last few lines."""
        return [self._shown(line, LINE_MOST) for line in said[-LINES_MOST:]]

    def output(self, printed: str) -> str:
        """Return what was printed, which is cut already, as it may be told."""
        return self._hidden(printed)

    def _shown(self, said: str, most: int) -> str:
        said = self._hidden(said[: 2 * most])
        return said if len(said) <= most else f"{said[:most]} [...]"

    def _hidden(self, said: str) -> str:
        return self._pattern.sub(lambda found: self._names.get(found[0], "[tmp]"), said)
