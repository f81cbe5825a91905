"""Blocking frames over a socket, as the worker's processes use them."""

from __future__ import annotations

import socket
from typing import Any

import msgspec

from grader import wire

__all__ = ["receive", "receive_with_files", "send"]


def send(link: socket.socket, frame: msgspec.Struct, body: bytes = b"") -> None:
    """Send one frame."""
    link.sendall(wire.encode(frame, body))


def receive(link: socket.socket, expected: Any) -> tuple[Any, bytes]:
    """Return the next frame and its body.

    Raises:
        EOFError: the other side has closed the link.
    """
    frame, body, _ = receive_with_files(link, expected, most=0)
    return frame, body


def receive_with_files(
    link: socket.socket, expected: Any, most: int
) -> tuple[Any, bytes, list[int]]:
    """Return the next frame, its body, and the files that came with it (at most ``most``)."""
    if most:
        first, files, _, _ = socket.recv_fds(link, wire.PREFIX.size, most)
    else:
        first, files = link.recv(wire.PREFIX.size), []
    if not first:
        raise EOFError
    prefix = first + _exactly(link, wire.PREFIX.size - len(first))
    header_length, body_length = wire.PREFIX.unpack(prefix)
    header = _exactly(link, header_length)
    return wire.decode(header, expected), _exactly(link, body_length), list(files)


def _exactly(link: socket.socket, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = link.recv(min(count - len(parts), 2**20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
