"""A file is written whole or not at all, and nothing is left beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.atomic import replace_file
from grader.errors import UsageError, writing
from grader.text import say
from tests.conftest import not_covered

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with something in it, alone in a folder with spaces and Chinese in its name."""
    folder = tmp_path / "一个 文件夹"
    folder.mkdir()
    file = folder / "答案.yaml"
    file.write_bytes(b"old")
    return file


def alone(path: Path) -> bool:
    """Whether a file is the only one in its folder."""
    return list(path.parent.iterdir()) == [path]


def rights(path: Path) -> int:
    """Return a file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    """Set what new files are kept from."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_text_is_utf8_with_its_own_line_ends(path: Path) -> None:
    """On every system the same text is the same bytes."""
    replace_file(path, "位置\r\nposition\n")

    assert path.read_bytes() == b"\xe4\xbd\x8d\xe7\xbd\xae\r\nposition\n"
    assert alone(path)


def test_text_that_cannot_be_encoded_leaves_the_old_file(path: Path) -> None:
    """Half a surrogate pair is no text; nothing was begun."""
    with pytest.raises(UnicodeEncodeError):
        replace_file(path, "new \ud800")

    assert path.read_bytes() == b"old"
    assert alone(path)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_in_the_middle_leaves_the_old_file_alone(
    path: Path, step: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or Ctrl-C costs what was new, not what was there."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace")}[step], fail)

    with pytest.raises(type(error)):
        replace_file(path, b"new", durable=True)
    assert path.read_bytes() == b"old"
    assert alone(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_is_an_error_with_a_next_step() -> None:
    """The system's word stands in it, and what to do."""
    step = say("Name another place: --output FILE")

    with (
        pytest.raises(UsageError) as refused,
        writing(Path("out.zip"), step),
        Path("/dev/full").open("wb") as file,
    ):
        file.write(b"new")
    assert refused.value.what.en == "out.zip cannot be written: No space left on device."
    assert refused.value.next_step == step


def test_two_writers_at_once_leave_one_of_the_two(path: Path) -> None:
    """No mixture, whoever wins; readers meet whole files only."""
    contents = [bytes([letter]) * 200_000 for letter in b"ab"]
    path.write_bytes(contents[0])
    met: set[bytes] = set()

    def write(data: bytes) -> None:
        for _ in range(50):
            replace_file(path, data)

    writers = [threading.Thread(target=write, args=(data,)) for data in contents]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        met.add(path.read_bytes())
    for writer in writers:
        writer.join()

    assert met <= set(contents)
    assert path.read_bytes() in contents
    assert alone(path)


@POSIX
def test_a_new_file_gets_the_rights_of_any_new_file(path: Path) -> None:
    """The person's umask decides, as for a file that an editor makes."""
    path.unlink()
    with umask(0o027):
        replace_file(path, b"new")

    assert rights(path) == 0o640


@POSIX
def test_a_file_keeps_the_rights_it_had(path: Path) -> None:
    """Who closed a file, or opened it to others, is not asked again."""
    for mode in (0o600, 0o664):
        path.chmod(mode)
        with umask(0o022):
            replace_file(path, b"new")

        assert rights(path) == mode


@POSIX
def test_rights_that_are_asked_for_are_given(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the file had and the umask says; and at no moment more than its owner's."""
    seen: list[int] = []
    fsync = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda handle: (seen.append(os.fstat(handle).st_mode), fsync(handle))
    )
    path.chmod(0o666)
    with umask(0):
        replace_file(path, b"new", mode=0o600, durable=True)
        closed = rights(path)
        replace_file(path, b"new", mode=0o444)

    assert [stat.S_IMODE(mode) for mode in seen] == [0o600]
    assert (closed, rights(path)) == (0o600, 0o444)


@POSIX
def test_a_link_is_replaced_and_what_it_points_to_stays(path: Path) -> None:
    """Nobody's other file is written over, nor are its rights taken on."""
    elsewhere = path.parent.parent / "elsewhere"
    elsewhere.write_bytes(b"somebody's")
    elsewhere.chmod(0o600)
    path.unlink()
    path.symlink_to(elsewhere)

    with umask(0o022):
        replace_file(path, b"new")

    assert not path.is_symlink()
    assert (path.read_bytes(), rights(path)) == (b"new", 0o644)
    assert (elsewhere.read_bytes(), rights(elsewhere)) == (b"somebody's", 0o600)


def test_a_folder_in_the_files_place_is_an_error(path: Path) -> None:
    """It stays, with everything in it."""
    folder = path.parent
    with pytest.raises(OSError, match=r"."):
        replace_file(folder, b"new")

    assert path.read_bytes() == b"old"
    assert list(folder.parent.iterdir()) == [folder]


@POSIX
def test_a_read_only_folder_is_an_error(path: Path) -> None:
    """The old file stays as it was."""
    bind: list[str] = []
    if os.geteuid() == 0:  # no mode binds root
        bind = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(path.parent), str(path.parent)]
        if shutil.which("bwrap") is None:
            not_covered("root without bwrap cannot make a folder read-only")
    path.parent.chmod(0o555)
    program = (
        "import sys, pathlib, grader.atomic\n"
        "grader.atomic.replace_file(pathlib.Path(sys.argv[1]), b'new')"
    )

    done = subprocess.run(
        [*bind, sys.executable, "-c", program, str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    path.parent.chmod(0o755)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(("PermissionError", "OSError: [Errno 30]"))
    assert path.read_bytes() == b"old"
    assert alone(path)


def test_a_folder_that_is_not_there_is_an_error(path: Path) -> None:
    """Whether to make folders is for those to say who write."""
    with pytest.raises(FileNotFoundError):
        replace_file(path.parent / "none" / "file", b"new")

    assert alone(path)
