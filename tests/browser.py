"""Chromium without a window, spoken to in its DevTools protocol over a pair of pipes.

Nothing is installed for it: the browser is the system's own, the protocol is JSON ended by a zero
byte (``--remote-debugging-pipe``: it reads from descriptor 3 and writes to 4).
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import importlib.util
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
    # Whatever a page might load from elsewhere fails; a server of our own is there.
    "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip
PATIENCE_S = 120.0  # a hang must end, a slow machine must not
FREE_FROM = 10  # descriptors above 3 and 4, which the browser takes


def find_browser() -> str | None:
    """Return the path of a Chromium, if this machine has one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def find_axe() -> str | None:
    """Return the source of axe-core, if the package that brings it is installed."""
    spec = importlib.util.find_spec("axe_core_python")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8")


class Browser:
    """One running Chromium.

    Args:
        program: its path.
        profile: an empty folder for what it wants to keep.
    """

    def __init__(self, program: str, profile: Path) -> None:
        orders, self._send = (_high(fd) for fd in os.pipe())
        self._receive, answers = (_high(fd) for fd in os.pipe())
        quiet = os.open(os.devnull, os.O_RDWR)
        given = [(quiet, 0), (quiet, 1), (quiet, 2), (orders, 3), (answers, 4)]
        self._pid = os.posix_spawn(
            program, [program, *OPTIONS, f"--user-data-dir={profile}"], dict(os.environ),
            file_actions=[(os.POSIX_SPAWN_DUP2, ours, its) for ours, its in given], setpgroup=0,
        )  # fmt: skip
        for fd in (orders, answers, quiet):
            os.close(fd)
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """End the browser and everything it started."""
        with contextlib.suppress(OSError):
            os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._send)
        os.close(self._receive)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._send, data) :]
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found
                return dict(found["result"])
            self.events.append(found)

    def wait(self, method: str) -> None:
        """Wait until an event called ``method`` has come."""
        while not any(event["method"] == method for event in self.events):
            self.events.append(self._next())

    def _next(self) -> dict[str, Any]:
        ends = time.monotonic() + PATIENCE_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._receive], [], [], max(0.0, ends - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._receive, 2**20)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))


class Page:
    """A page opened from a file.

    Attributes:
        requested: the addresses it asked for, its own first.
    """

    def __init__(self, browser: Browser, path: Path, *, dark: bool = False, width: int = 1200):
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        browser.events.clear()
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        self.call("Network.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=path.resolve().as_uri())
        browser.wait("Page.loadEventFired")
        self.requested = [
            event["params"]["request"]["url"]
            for event in browser.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol on this page."""
        return self._browser.call(method, self._session, **params)

    def evaluate(self, script: str) -> Any:
        """Return the value of a JavaScript expression, awaited."""
        found = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press and let go a key, such as ``Tab`` (9)."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    def screenshot(self) -> bytes:
        """Return the whole page as PNG."""
        return base64.b64decode(
            self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        )

    def pdf(self) -> bytes:
        """Return the page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])

    def close(self) -> None:
        """Close the page."""
        self._browser.call("Target.closeTarget", targetId=self._target)


@contextlib.contextmanager
def opened(
    browser: Browser, path: Path, *, dark: bool = False, width: int = 1200
) -> Iterator[Page]:
    """Open a page and close it however the block is left."""
    page = Page(browser, path, dark=dark, width=width)
    try:
        yield page
    finally:
        page.close()


def _high(fd: int) -> int:
    """Return a copy of ``fd`` that is out of the way of 3 and 4, and close the original."""
    copy = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FREE_FROM)
    os.close(fd)
    return copy
