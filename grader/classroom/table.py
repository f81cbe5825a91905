"""Tables that spreadsheets and learning platforms exchange with us.

What is written is quoted, and no cell is a formula; what is read has any encoding that Excel
writes, and commas, semicolons or tabs between its cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.errors import CourseError, UsageError, reason
from grader.intake.decode import decode_source
from grader.text import say

__all__ = ["csv_table", "harmless", "read_rows"]

# What begins with one of these is computed by a spreadsheet, and may start programs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

SEPARATORS = ",;\t"  # the one that the first line holds most of counts


def harmless(value: object) -> str:
    """Return a value as it may stand in a cell; numbers as they are, text never as a formula."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return f"{value:.10g}"
    text = str(value).replace("\0", "").encode("utf-8", "replace").decode()
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def csv_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, mark: bool = True
) -> bytes:
    """Return a table as CSV in UTF-8 with the line ends of RFC 4180.

    Args:
        columns: the heading.
        rows: one value per column.
        mark: whether to begin with a byte order mark, by which Excel knows UTF-8 and Chinese
            names stay readable.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig" if mark else "utf-8")


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows of a CSV file that hold anything, each with its line, from 1.

    Raises:
        UsageError: the file cannot be read.
        CourseError: it is no text, or no CSV; says the line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            say("{file} cannot be read: {error}.", file=path, error=reason(error))
        ) from None
    decoded = decode_source(data, path.name)
    if decoded.refusal is not None:
        raise CourseError(path, None, decoded.refusal[1])
    return list(_rows(decoded.text, path))


def _rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    separator = max(SEPARATORS, key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error:
        raise CourseError(path, reader.line_num, say("This line is no CSV.")) from None
