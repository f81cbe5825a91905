"""Tables that spreadsheets and learning platforms open: quoted, and no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

__all__ = ["csv_table", "harmless"]

# What begins with one of these is computed by a spreadsheet, and may start programs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


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
