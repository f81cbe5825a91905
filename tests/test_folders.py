"""Whatever a submission wrote can be removed."""

from __future__ import annotations

import os
from pathlib import Path

from grader.folders import clear, remove


class TestRemove:
    """``remove`` leaves nothing, and touches nothing outside."""

    def test_a_deep_tree_without_rights_is_removed(self, tmp_path: Path) -> None:
        """Deeper than the recursion limit, than the open files allowed, than a path may be long."""
        top, here = tmp_path / "top", Path.cwd()
        top.mkdir()
        os.chdir(top)
        try:
            for _ in range(1500):
                Path("d").mkdir()
                Path("d", "file").touch()
                os.chdir("d")
            Path().chmod(0)
        finally:
            os.chdir(here)

        remove(top)

        assert not top.exists()

    def test_links_are_removed_and_not_followed(self, tmp_path: Path) -> None:
        """Neither to a file nor to a folder."""
        kept = tmp_path / "kept"
        kept.mkdir(mode=0o755)
        (kept / "file").write_text("still here")
        top = tmp_path / "top"
        (top / "inner").mkdir(parents=True)
        (top / "link").symlink_to(kept)
        (top / "inner" / "link").symlink_to(kept)
        (top / "inner" / "file").symlink_to(kept / "file")

        remove(top)

        assert not top.exists()
        assert (kept / "file").read_text() == "still here"
        assert kept.stat().st_mode & 0o777 == 0o755

    def test_what_is_not_there_is_no_error(self, tmp_path: Path) -> None:
        """Somebody was faster."""
        remove(tmp_path / "gone")


class TestClear:
    """``clear`` keeps the folder itself."""

    def test_only_the_folder_stays(self, tmp_path: Path) -> None:
        """Files, folders, and folders in folders of one name."""
        for name in ("a", "b", "c"):
            (tmp_path / name / "same" / "same").mkdir(parents=True)
            (tmp_path / name / "same" / "file").touch()
        (tmp_path / "file").touch()

        clear(tmp_path)

        assert list(tmp_path.iterdir()) == []
