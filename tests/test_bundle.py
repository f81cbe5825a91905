"""The file a student hands in: the same for the same answers, and read without trust."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import msgspec
import pytest

from grader.intake import Manifest, RefusedError, read_bundle, write_bundle
from grader.intake.bundle import MANIFEST, BundledExercise
from grader.text import Text
from tests.test_archive import pack

TITLE = Text("课程", "A course")
MADE_BY = Manifest(course=TITLE, engine="1.2.3", student="李雷")
FILES = {"exercises/01_a/a.py": b"x = 1\r\n", "answers/02_q.yaml": "answers: {甲: 1}\n".encode()}


def entries(data: bytes) -> dict[str, bytes]:
    """Return names and contents with the standard library alone."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class TestWrite:
    def test_the_same_content_gives_the_same_bytes(self) -> None:
        """In whatever order the files were found."""
        backwards = dict(reversed(list(FILES.items())))

        assert write_bundle(MADE_BY, FILES) == write_bundle(MADE_BY, backwards)

    def test_another_content_gives_other_bytes(self) -> None:
        """One byte is enough."""
        changed = FILES | {"exercises/01_a/a.py": b"x = 2\r\n"}

        assert write_bundle(MADE_BY, FILES) != write_bundle(MADE_BY, changed)

    def test_nothing_depends_on_the_machine_or_the_hour(self) -> None:
        """One date, one system, nothing packed, and the manifest first."""
        with zipfile.ZipFile(io.BytesIO(write_bundle(MADE_BY, FILES))) as archive:
            infos = archive.infolist()

        assert [info.filename for info in infos] == [MANIFEST, *sorted(FILES)]
        assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.create_system for info in infos} == {3}
        assert {info.compress_type for info in infos} == {zipfile.ZIP_STORED}
        assert {info.external_attr >> 16 for info in infos} == {0o100644}

    def test_the_manifest_has_the_hash_of_every_file(self) -> None:
        """As sha256sum prints it."""
        manifest = json.loads(entries(write_bundle(MADE_BY, FILES))[MANIFEST])

        assert manifest["schema"] == "grade-submission/1"
        assert manifest["student"] == "李雷"
        assert {file["path"]: file["sha256"] for file in manifest["files"]} == {
            path: hashlib.sha256(data).hexdigest() for path, data in FILES.items()
        }


class TestRead:
    def test_what_was_written_is_read(self) -> None:
        """Files byte for byte, the manifest whole, and nothing to say."""
        exercise = BundledExercise(
            id="01_a", file="exercises/01_a/a.py", to_do=["f"], state="done", graded=True
        )
        manifest = msgspec.structs.replace(MADE_BY, exercises=[exercise])

        found = read_bundle(write_bundle(manifest, FILES))

        assert found.files == FILES
        assert found.manifest.exercises == [exercise]
        assert found.manifest.course == TITLE
        assert found.altered == []
        assert found.notices == []

    def test_an_altered_file_is_taken_and_named(self) -> None:
        """What somebody put in later is theirs; the hash shows that it was later."""
        held = entries(write_bundle(MADE_BY, FILES)) | {"exercises/01_a/a.py": b"x = 3\n"}

        found = read_bundle(pack(*held.items()))

        assert found.files["exercises/01_a/a.py"] == b"x = 3\n"
        assert found.altered == ["exercises/01_a/a.py"]
        assert "was changed after" in found.notices[0].en

    def test_a_missing_file_is_named(self) -> None:
        """The others are taken."""
        held = entries(write_bundle(MADE_BY, FILES))
        del held["answers/02_q.yaml"]

        found = read_bundle(pack(*held.items()))

        assert list(found.files) == ["exercises/01_a/a.py"]
        assert "answers/02_q.yaml is missing" in found.notices[0].en

    def test_what_the_manifest_does_not_name_is_left_aside(self) -> None:
        """What macOS adds, and what somebody slipped in."""
        held = entries(write_bundle(MADE_BY, FILES)) | {"__MACOSX/._a.py": b"", "extra.py": b""}

        found = read_bundle(pack(*held.items()))

        assert found.files == FILES
        assert found.notices[0].en == "Left aside: __MACOSX/._a.py, extra.py."

    def test_a_bundle_packed_anew_inside_a_folder_is_read(self) -> None:
        """A student unpacked it, looked, and packed the folder."""
        held = entries(write_bundle(MADE_BY, FILES))

        found = read_bundle(pack(*((f"作业/{name}", data) for name, data in held.items())))

        assert found.files == FILES
        assert found.altered == []

    @pytest.mark.parametrize(
        "manifest",
        [
            b"", b"{", b"[]", b"\xff\xfe", b"{}", b"[" * 100_000,
            b'{"schema": "grade-submission/99", "course": {"zh": "", "en": ""}, "engine": ""}',
            b'{"schema": "grade-submission/1", "course": 3, "engine": ""}',
        ],
        ids=["empty", "half", "list", "no text", "fields", "deep", "newer", "type"],
    )  # fmt: skip
    def test_a_manifest_that_cannot_be_read_is_refused(self, manifest: bytes) -> None:
        """With a sentence, whatever stands in it."""
        with pytest.raises(RefusedError):
            read_bundle(pack((MANIFEST, manifest)))

    def test_an_archive_without_manifest_is_refused(self) -> None:
        """And told how one is made."""
        with pytest.raises(RefusedError, match="grade submit"):
            read_bundle(pack(("a.py", b"x")))

    @pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "C:/a.py", MANIFEST])
    def test_a_path_in_the_manifest_leads_nowhere(self, path: str, tmp_path: Path) -> None:
        """It is only ever looked up among the archive's own entries."""
        listed = {"path": path, "sha256": "0" * 64, "size": 1}
        manifest = msgspec.to_builtins(MADE_BY) | {"files": [listed]}

        found = read_bundle(pack((MANIFEST, json.dumps(manifest).encode())))

        assert set(found.files) <= {MANIFEST}
        assert list(tmp_path.iterdir()) == []
