"""The engine as a wheel, written here.

A wheel of pure Python is a zip with three small files beside the package. Writing it takes no
build tool, which a teacher's environment often lacks and which could only be fetched from a
network; and it holds what stands in the package's folder now, with the same bytes every time.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.metadata
import sys
from email.message import Message
from pathlib import Path
from typing import Any

import grader
from grader.classroom.release.packing import Files, packed
from grader.errors import GraderFault
from grader.text import say

__all__ = ["build_wheel"]

PACKAGE = Path(grader.__file__).parent
TAG = "py3-none-any"
LEFT_OUT = {"*.pyc", "*.po", "DESIGN.md"}  # caches; what only developers read


def build_wheel(package: Path = PACKAGE) -> tuple[str, bytes]:
    """Return file name and bytes of the engine's wheel.

    Args:
        package: the folder of the package ``grader``.

    Raises:
        GraderFault: nothing tells what the package needs.
    """
    version = grader.__version__
    info = f"grader-{version}.dist-info"
    files = {
        path.relative_to(package.parent).as_posix(): path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and not any(map(path.match, LEFT_OUT))
    }
    licence = package.parent / "LICENSE"
    if licence.is_file():
        files[f"{info}/licenses/LICENSE"] = licence.read_bytes()
    files[f"{info}/METADATA"] = _metadata(package.parent / "pyproject.toml", version)
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: grader {version}\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    ).encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\ngrade = grader.cli:main\n"
    record = f"{info}/RECORD"
    files[record] = _record(files, record)
    return f"grader-{version}-{TAG}.whl", packed(files)


def _record(files: Files, record: str) -> bytes:
    """Return the list of files with their hashes that installers check."""
    lines = []
    for path, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return "\n".join([*lines, f"{record},,", ""]).encode()


def _metadata(project: Path, version: str) -> bytes:
    """Return what the package needs, from ``pyproject.toml`` where there is one.

    An editable install keeps the metadata of the day it was made; the file is always today's.
    """
    if project.is_file():
        return _from_project(_toml(project)["project"], version)
    try:
        text = importlib.metadata.distribution("grader").read_text("METADATA")
    except importlib.metadata.PackageNotFoundError:
        text = None
    if text is None:
        raise GraderFault(
            say("Nothing here tells which packages the grader needs."),
            say("Install it, or keep its pyproject.toml beside the folder {folder}.",
                folder=PACKAGE.name),
        )  # fmt: skip
    return text.encode()


def _from_project(project: dict[str, Any], version: str) -> bytes:
    message = Message()
    message["Metadata-Version"] = "2.4"
    message["Name"] = project["name"]
    message["Version"] = version
    message["Summary"] = project.get("description", "")
    message["Requires-Python"] = project["requires-python"]
    if "license" in project:
        message["License-Expression"] = project["license"]
    for need in project["dependencies"]:
        message["Requires-Dist"] = need
    for extra, needs in project.get("optional-dependencies", {}).items():
        message["Provides-Extra"] = extra
        for need in needs:
            name, _, marker = need.partition(";")
            marker = f"({marker.strip()}) and " if marker else ""
            message["Requires-Dist"] = f'{name.strip()}; {marker}extra == "{extra}"'
    return message.as_bytes()


def _toml(path: Path) -> dict[str, Any]:
    # Older versions have it as a package, which pytest brings.
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    found: dict[str, Any] = importlib.import_module(name).loads(path.read_text(encoding="utf-8"))
    return found
