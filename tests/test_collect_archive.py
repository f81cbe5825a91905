"""Archives that hold the work of many: each member is judged by itself."""

from __future__ import annotations

import datetime
import io
import stat
import struct
import zipfile

import pytest

from grader.intake.archive import (
    LARGE_DIRECTORY_BYTES_MOST,
    OpenArchive,
    RefusedError,
    read_archive,
)
from tests.handins import as_gbk, packed


def opened(data: bytes) -> OpenArchive:
    """Return an open archive."""
    return OpenArchive(io.BytesIO(data))


def paths(archive: OpenArchive) -> dict[str, bool]:
    """Return the members' paths, each with whether it may be read."""
    return {member.path: member.refusal is None for member in archive.members}


def test_one_bad_member_costs_no_other():
    """A name that leads outside is refused and told; its neighbours are read."""
    archive = opened(packed({"ada/../../evil.py": "x", "/etc/evil.py": "x", "bob/a.py": "good"}))

    assert paths(archive) == {"ada/../../evil.py": False, "etc/evil.py": False, "bob/a.py": True}
    good = next(member for member in archive.members if member.refusal is None)
    assert archive.read(good) == b"good"


def test_a_refused_member_cannot_be_read():
    """Asking for it all the same is refused again."""
    archive = opened(packed({"../evil.py": "x"}))

    with pytest.raises(RefusedError):
        archive.read(archive.members[0])


def test_a_link_is_refused():
    """What would be followed later is no file."""
    entry = zipfile.ZipInfo("ada/a.py")
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, "/etc/passwd")

    assert paths(opened(out.getvalue())) == {"ada/a.py": False}


def test_a_password_is_refused():
    """Nobody can read it here."""
    data = packed({"a.py": "x"}).replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"
    )

    assert paths(opened(data)) == {"a.py": False}


def test_a_member_larger_than_its_cap_is_refused_while_unpacking():
    """The cap is on what comes out, not on what the table of contents says."""
    archive = opened(packed({"a.py": b"x" * 5000}))

    with pytest.raises(RefusedError):
        archive.read(archive.members[0], most=4999)
    assert len(archive.read(archive.members[0], most=5000)) == 5000


def test_a_bomb_is_refused():
    """A ratio that no honest file has stops the unpacking."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.py", b"\0" * 8 * 2**20)
    bomb = opened(out.getvalue())

    with pytest.raises(RefusedError):
        bomb.read(bomb.members[0])


def test_names_in_gbk_are_read():
    """Old tools in China store GBK without saying so."""
    archive = opened(as_gbk(packed({"张三/double.py": "x"}), "张三"))

    assert paths(archive) == {"xx张三/double.py": True}
    assert archive.members[0].renamed


def test_more_than_two_hundred_files_are_fine():
    """A class is larger than one student."""
    assert len(opened(packed({f"s{i}/a.py": "x" for i in range(400)})).members) == 400


def test_times_are_those_of_an_unknown_clock():
    """A zip stores no zone; the earliest time it can hold means none."""
    assert opened(packed({"a": ""})).members[0].changed == datetime.datetime(2026, 11, 2, 10)
    assert opened(packed({"a": ""}, (1980, 1, 1, 0, 0, 0))).members[0].changed is None


def test_times_in_utc_are_read_where_a_tool_stores_them():
    """Info-ZIP and macOS add a field with seconds since 1970."""
    entry = zipfile.ZipInfo("a.py", (2026, 11, 2, 18, 0, 0))
    entry.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1793613600)  # date -u -d @1793613600
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, "x")

    found = opened(out.getvalue()).members[0].changed
    assert found == datetime.datetime(2026, 11, 2, 10, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 cut off", b"PK\x05\x06" + b"\xff" * 18])
def test_what_is_no_archive_is_refused(data: bytes):
    """With a sentence and not with an error of the library."""
    with pytest.raises(RefusedError):
        opened(data)


def test_an_endless_table_of_contents_is_refused_before_it_is_read():
    """Its size is told by the archive's end, and holds whatever that says."""
    table = bytes(LARGE_DIRECTORY_BYTES_MOST + 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(table), 0, 0)

    with pytest.raises(RefusedError, match="table of contents"):
        opened(table + end)


def test_a_table_of_contents_that_is_not_where_it_should_be_is_refused():
    """Also where only the record for large archives says where."""
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 2**40, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0, 0, 0)

    with pytest.raises(RefusedError, match="its end is missing"):
        opened(record + locator + end)


def test_an_archive_that_was_cut_off_is_not_the_one_it_ends_with():
    """Stored whole, a student's archive ends in a table of contents of its own."""
    inner = packed({"double.py": "x" * 100})
    outer = packed({"ada/hw.zip": inner, "bob/double.py": "y" * 400})
    cut = outer.index(inner) + len(inner)

    assert list(paths(opened(inner))) == ["double.py"]
    for end in (cut, cut + 10, len(outer) - 30):
        with pytest.raises(RefusedError, match="its end is missing"):
            opened(outer[:end])
        with pytest.raises(RefusedError):
            read_archive(outer[:end])


def test_an_archive_in_the_form_for_large_ones_is_read():
    """Some platforms write every archive that way."""
    data = packed({"ada/double.py": "x"})
    end = data.index(b"PK\x05\x06")
    size, offset = struct.unpack_from("<2L", data, end + 12)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)

    archive = opened(data[:end] + record + locator + last)

    assert archive.read(archive.members[0]) == b"x"


def test_a_comment_at_the_end_is_fine():
    """Some tools leave one."""
    out = io.BytesIO(packed({"a.py": "x"}))
    with zipfile.ZipFile(out, "a") as archive:
        archive.comment = b"made by hand " * 100

    assert paths(opened(out.getvalue())) == {"a.py": True}
