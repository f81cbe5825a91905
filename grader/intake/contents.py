"""Where an archive's table of contents is and how large, before anything of it is believed."""

from __future__ import annotations

import io
import struct
from typing import IO

from grader.results import Outcome
from grader.text import Text, say

__all__ = ["RefusedError", "table_of_contents"]

END_RECORD = struct.Struct("<4s4H2LH")
END_SIGN, END64_SIGN = b"PK\x05\x06", b"PK\x06\x07"
RECORD64, RECORD64_SIGN, LOCATOR64_BYTES = struct.Struct("<4sQ2H2L4Q"), b"PK\x06\x06", 20
END64_BYTES = RECORD64.size + LOCATOR64_BYTES  # what stands before the end of a large archive
COMMENT_MOST = 2**16


class RefusedError(Exception):
    """An archive that is not acceptable; every check of it gets ``outcome``."""

    outcome = Outcome.REJECTED

    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


def table_of_contents(file: IO[bytes]) -> tuple[int, bool]:
    """Return the size of the table of contents, and whether it is in the form for large archives.

    The archive has to begin and to end with the file. One that was cut off may end, by chance or on
    purpose, with another archive that it holds, and that is somebody's alone.

    Raises:
        RefusedError: there is no table where the file's end says.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - COMMENT_MOST - END_RECORD.size - END64_BYTES))
    tail = file.read()
    start = tail.rfind(END_SIGN)
    if start < 0 or len(tail) - start < END_RECORD.size:
        raise RefusedError(_no_archive())
    *_, directory_bytes, offset, comment_bytes = END_RECORD.unpack_from(tail, start)
    place = size - len(tail) + start  # of what stands behind the table
    start64 = start - END64_BYTES
    large = tail.startswith(END64_SIGN, start - LOCATOR64_BYTES) and start64 >= 0
    if large:
        if not tail.startswith(RECORD64_SIGN, start64):
            raise RefusedError(_no_archive())
        *_, directory_bytes, offset = RECORD64.unpack_from(tail, start64)
        place -= END64_BYTES
    ends_here = start + END_RECORD.size + comment_bytes == len(tail)
    if not ends_here or offset + directory_bytes != place:
        raise RefusedError(_no_archive())
    return directory_bytes, large


def _no_archive() -> Text:
    return say("This is no zip archive, or its end is missing.")
