"""Jupyter's own servers on the loopback device, and a browser that waits for what they show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests.browser import Page

PATIENCE_S = 120.0
TOKEN = "for-this-test-only"  # noqa: S105


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which Jupyter finds this code and nobody's settings."""
    root = str(Path(__file__).parent.parent)
    return os.environ | {
        "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"), "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"), "PYTHONPATH": root,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }  # fmt: skip


class Server:
    """A Jupyter server.

    Args:
        folder: what it serves.
        home: where it keeps what it wants to keep.
        program: ``server`` alone, or ``lab``.
    """

    def __init__(self, folder: Path, home: Path, program: str = "server") -> None:
        self._log = (home / "log").open("w+b")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jupyter", program, "--allow-root", "--no-browser",
             "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", f"--IdentityProvider.token={TOKEN}"],
            cwd=folder, env=environment(home), stdout=self._log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.address = self._wait(home / "runtime")

    def close(self) -> None:
        """End the server, and with it its kernels."""
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        self._log.close()

    def said(self) -> str:
        """Return what the server wrote so far."""
        return Path(self._log.name).read_text(encoding="utf-8")

    def _wait(self, runtime: Path) -> str:
        """Return the address that the server wrote down, once it answers there."""
        note = runtime / f"jpserver-{self._process.pid}.json"
        ends = time.monotonic() + PATIENCE_S
        while True:
            assert self._process.poll() is None, self.said()
            assert time.monotonic() < ends, self.said()
            try:
                address = str(json.loads(note.read_text(encoding="utf-8"))["url"])
                urllib.request.urlopen(f"{address}api", timeout=10).close()  # noqa: S310
            except (OSError, ValueError):
                time.sleep(0.2)
            else:
                return address


def go(page: Page, address: str, until: str) -> None:
    """Open an address and wait until a JavaScript expression holds there."""
    page.call("Page.navigate", url=address)
    there = json.dumps(address.split("?", maxsplit=1)[0])
    wait(page, f"document.body && location.href.startsWith({there}) && ({until})")


def wait(page: Page, until: str) -> None:
    """Wait until a JavaScript expression holds."""
    ends = time.monotonic() + PATIENCE_S
    while not page.evaluate(f"Boolean({until})"):
        assert time.monotonic() < ends, page.evaluate("document.body.innerText")
        time.sleep(0.1)


def keep_picture(page: Page, name: str) -> None:
    """Keep a picture for people, where GRADE_PICTURES names a folder."""
    if folder := os.environ.get("GRADE_PICTURES"):
        Path(folder, f"{name}.png").write_bytes(page.screenshot())
