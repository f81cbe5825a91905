"""Canvas's "Download Submissions": files called ``lastnamefirstname_LATE_1234_5678_file-1.py``.

The first number is the student's, the second the file's. The name is in lower case without blanks;
``anon_ab12C`` stands for the number where the assignment is anonymous. Canvas itself renames what
is handed in again under a name that was used before: ``-1``, ``-2``. What was typed in ends in
``_text.html``, a link in ``_link.html``. Times in the archive are those of the download.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.model import Place, Placer, Who
from grader.classroom.collect.names import is_junk

__all__ = ["recognise"]

NAME = re.compile(
    r"(?:(?P<name>.+?)_)??(?P<late>LATE_)?(?P<user>\d+|anon_[A-Za-z0-9]+)_"
    r"(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<typed>text|link)\.html)"
)


def recognise(source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
    """Take a source all of whose files are named like this."""
    del source, facts
    names = [path.rpartition("/")[2] for path in paths if not is_junk(path)]
    if not names or not all(NAME.fullmatch(name) for name in names):
        return None

    def place(path: str) -> Place | None:
        match = NAME.fullmatch(path.rpartition("/")[2])
        if match is None or match["typed"] == "link":
            return None
        # The file's number is kept before its name: a later one was handed in later.
        file = f"{match['attachment']}/{match['file']}" if match["file"] else "text.html"
        user = match["user"]
        number = user if user.isdecimal() else ""
        return Place(
            who=Who(label=user, name=match["name"] or "", ids=(user,), number=number),
            path=file, late=bool(match["late"]), online_text=match["typed"] == "text",
        )  # fmt: skip

    return place
