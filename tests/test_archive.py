"""Archives from outside: every trick is refused, every honest oddity is read."""

from __future__ import annotations

import io
import stat
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.archive import (
    ARCHIVE_BYTES_MOST,
    FILES_MOST,
    RATIO_FROM,
    RefusedError,
    read_archive,
)
from grader.results import Outcome

Entry = tuple[str | zipfile.ZipInfo, bytes]
UTF8_FLAG = 0x800


def pack(*entries: Entry, method: int = zipfile.ZIP_STORED) -> bytes:
    """Return an archive of these entries, whatever they are called."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
        warnings.simplefilter("ignore")  # zipfile warns of a name that comes twice
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def renamed(data: bytes, old: str, new: bytes, *, utf8: bool = False) -> bytes:
    """Return an archive in which a name is stored as other bytes of the same length."""
    assert len(old) == len(new)
    data = data.replace(old.encode(), new)
    if not utf8:
        return data
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(sign) + offset
        data = data[:place] + struct.pack("<H", UTF8_FLAG) + data[place + 2 :]
    return data


def special(name: str, kind: int, data: bytes = b"x") -> bytes:
    """Return an archive with one entry that Unix takes for something else than a file."""
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = (kind | 0o777) << 16
    return pack((entry, data))


def listed_often() -> bytes:
    """Return a small archive whose table names one entry 200 times."""
    data = pack(("a", bytes(2**20)), method=zipfile.ZIP_DEFLATED)
    start, stop = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    table = data[start:stop] * 200
    counts = struct.pack("<HHLL", 200, 200, len(table), start)
    return data[:start] + table + data[stop : stop + 8] + counts + data[stop + 20 :]


def lying() -> bytes:
    """Return an archive whose table says one byte where 30 MiB come out."""
    data = pack(("a", bytes(30 * 2**20)), method=zipfile.ZIP_DEFLATED)
    real, small = struct.pack("<L", 30 * 2**20), struct.pack("<L", 1)
    assert data.count(real) >= 2
    return data.replace(real, small)


def end_record(data: bytes, directory_bytes: int) -> bytes:
    """Return the archive with another size of its table of contents."""
    place = data.rindex(b"PK\x05\x06") + 12
    return data[:place] + struct.pack("<L", directory_bytes) + data[place + 4 :]


def bomb(size: int) -> bytes:
    return pack(("a", bytes(size)), method=zipfile.ZIP_DEFLATED)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "dots": lambda: pack(("../a.py", b"x")),
    "dots inside": lambda: pack(("b/../../a.py", b"x")),
    "dots of Windows": lambda: pack(("b\\..\\..\\a.py", b"x")),
    "absolute": lambda: pack(("/etc/passwd", b"x")),
    "absolute on Windows": lambda: pack(("\\Windows\\a.py", b"x")),
    "drive": lambda: pack(("C:/a.py", b"x")),
    "drive without slash": lambda: pack(("C:a.py", b"x")),
    "share": lambda: pack(("//server/share/a.py", b"x")),
    "stream": lambda: pack(("a.py:hidden", b"x")),
    "device": lambda: pack(("b/CON.py", b"x")),
    "numbered device": lambda: pack(("com1", b"x")),
    "trailing dot": lambda: pack(("a.py.", b"x")),
    "trailing blank": lambda: pack(("a.py ", b"x")),
    "empty part": lambda: pack(("b//a.py", b"x")),
    "dot part": lambda: pack(("./a.py", b"x")),
    "no name": lambda: pack(("/", b"x")),
    "NUL": lambda: renamed(pack(("aXpy", b"x")), "aXpy", b"a\0py"),
    "escape": lambda: pack(("a\x1b[2J.py", b"x")),
    "long name": lambda: pack(("a" * 300, b"x")),
    "symlink": lambda: special("a.py", stat.S_IFLNK, b"/etc/passwd"),
    "pipe": lambda: special("a.py", stat.S_IFIFO),
    "device file": lambda: special("a.py", stat.S_IFCHR),
    "twice": lambda: pack(("a.py", b"x"), ("a.py", b"y")),
    "case clash": lambda: pack(("Answer.py", b"x"), ("answer.py", b"y")),
    "sharp s": lambda: pack(("stra\u00dfe.py", b"x"), ("STRASSE.py", b"y")),
    "composed": lambda: pack(("\u00e9.py", b"x"), ("e\u0301.py", b"y")),
    "slashes": lambda: pack(("b/a.py", b"x"), ("b\\a.py", b"y")),
    "file and folder": lambda: pack(("a", b"x"), ("a/b.py", b"y")),
    "file and folder by case": lambda: pack(("A", b"x"), ("a/b.py", b"y")),
    "bomb": lambda: bomb(64 * 2**20),
    "bomb below the caps": lambda: bomb(8 * 2**20),
    "many small bombs": lambda: pack(
        *((f"{i}", bytes(2**20)) for i in range(40)), method=zipfile.ZIP_DEFLATED
    ),
    "one entry 200 times": listed_often,
    "lying sizes": lying,
    "too many": lambda: pack(*((f"{i}.py", b"") for i in range(FILES_MOST + 1))),
    "huge table": lambda: end_record(pack(("a.py", b"x")), 2**30),
    "endless table": lambda: end_record(pack(("a.py", b"x")), 0xFFFFFFFF),
    "too large": lambda: pack(("a.py", bytes(ARCHIVE_BYTES_MOST + 1))),
    "bzip2": lambda: pack(("a.py", b"x" * 99), method=zipfile.ZIP_BZIP2),
    "lzma": lambda: pack(("a.py", b"x" * 99), method=zipfile.ZIP_LZMA),
    "password": lambda: pack(("a.py", b"x")).replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"
    ),
    "damaged": lambda: pack(("a.py", b"hello world")).replace(b"hello", b"jello"),
    "cut off": lambda: pack(("a.py", b"x"))[:-30],
    "empty": lambda: b"",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + bytes(100),
    "other name inside": lambda: pack(("a.py", b"x")).replace(b"a.py", b"b.py", 1),
}  # fmt: skip


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_trick_is_refused(make: Callable[[], bytes]) -> None:
    """With a sentence that says why, and without any other exception."""
    data = make()

    with pytest.raises(RefusedError) as caught:
        read_archive(data)
    assert caught.value.what.en
    assert caught.value.outcome is Outcome.REJECTED


def test_a_bomb_is_stopped_while_it_is_unpacked() -> None:
    """No more than the cap is ever in memory, however much would come out."""
    data = bomb(200 * 2**20)
    assert len(data) < 2**20
    tracemalloc.start()
    with pytest.raises(RefusedError):
        read_archive(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < ARCHIVE_BYTES_MOST * 2


def test_small_files_may_pack_well() -> None:
    """A source of blanks is no bomb."""
    blanks = b" " * (RATIO_FROM // 2)

    found = read_archive(pack(("a.py", blanks), method=zipfile.ZIP_DEFLATED))

    assert found.files == {"a.py": blanks}


@pytest.mark.parametrize(
    ("stored", "noticed"),
    [("作业.py".encode("gb18030"), True), ("作业.py".encode(), True)],
    ids=["GBK", "UTF-8 without its flag"],
)
def test_chinese_names_are_read_however_they_are_stored(stored: bytes, noticed: bool) -> None:
    """Explorer writes GBK, other tools UTF-8 without saying so."""
    data = renamed(pack(("X" * len(stored), b"1")), "X" * len(stored), stored)

    found = read_archive(data)

    assert found.files == {"作业.py": b"1"}
    assert bool(found.notices) is noticed


def test_a_name_marked_as_utf8_is_taken_as_it_is() -> None:
    """Without a notice."""
    found = read_archive(pack(("作 业 (1)+[a].py", b"1")))

    assert found.files == {"作 业 (1)+[a].py": b"1"}
    assert found.notices == []


def test_folders_and_slashes_of_windows_are_understood() -> None:
    """Entries of folders are no files; backslashes part folders."""
    found = read_archive(pack(("b/", b""), ("b\\a.py", b"1"), ("c/d/", b"")))

    assert found.files == {"b/a.py": b"1"}


@given(st.binary(max_size=400), st.binary(max_size=60))
def test_noise_is_refused_and_nothing_else_happens(noise: bytes, tail: bytes) -> None:
    """Whatever the bytes: an archive or one kind of exception."""
    whole = pack(("a.py", b"some text"), ("b/c.py", b"more"))
    for data in (noise, noise + whole, whole + tail, whole[: len(noise)] + noise + whole[-22:]):
        try:
            found = read_archive(data)
        except RefusedError:
            continue
        assert all(isinstance(held, bytes) for held in found.files.values())


@given(st.data())
def test_a_flipped_byte_never_ends_the_program(data: st.DataObject) -> None:
    """Every byte of an archive may be wrong."""
    whole = bytearray(pack(("a.py", b"some text"), ("b/c.py", b"more")))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] = data.draw(st.integers(0, 255))
    try:
        found = read_archive(bytes(whole))
    except RefusedError:
        return

    assert len(found.files) <= 2
