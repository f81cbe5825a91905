"""Frames and printed text from one untrusted process, read under a deadline and under caps."""

from __future__ import annotations

import abc
import contextlib
import os
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from grader import wire
from grader.sandbox.faults import GarbledReply, OutputFlood
from grader.text import say

__all__ = ["Channel", "Deadline", "OutputTap", "Tap", "Watch", "await_frame", "check_flood"]

READ_SIZE = 2**18

Found = TypeVar("Found")


class Deadline:
    """A moment on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.at - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the moment has passed."""
        return time.monotonic() >= self.at


class Tap(abc.ABC):
    """What a process prints: head and tail are kept, everything is counted.

    It is never read to its end: a process that outlives its check may hold the pipe open for ever.

    Attributes:
        read_end: what to wait on.
        ended: whether every process that could write has closed its end.
    """

    read_end = -1

    def __init__(self, shown: int, most: int) -> None:
        self.most = most
        self.count = 0
        self.ended = False
        self._half = shown // 2
        self._head = bytearray()
        self._tail = bytearray()

    @abc.abstractmethod
    def _read(self) -> bytes:
        """Return what is there now; nothing at the end.

        Raises:
            BlockingIOError: nothing is there yet.
        """

    def pump(self) -> None:
        """Take in what is there now, without waiting."""
        while self.count <= self.most:
            try:
                part = self._read()
            except BlockingIOError:
                return
            if not part:
                self.ended = True
                return
            self.count += len(part)
            room = self._half - len(self._head)
            self._head += part[:room] if room > 0 else b""
            rest = part[room:] if room > 0 else part
            self._tail = (self._tail + rest)[-self._half :] if rest else self._tail

    @property
    def flooded(self) -> bool:
        """Whether more came than may."""
        return self.count > self.most

    def text(self) -> str:
        """Return what was printed, with a mark where the middle was left out."""
        left_out = self.count - len(self._head) - len(self._tail)
        gap = f"\n[... {left_out} bytes ...]\n".encode() if left_out > 0 else b""
        return (bytes(self._head) + gap + bytes(self._tail)).decode("utf-8", "replace")

    @abc.abstractmethod
    def close(self) -> None:
        """Watch no longer."""


class OutputTap(Tap):
    """The read end of a pipe that stands as a process's stdout and stderr."""

    def __init__(self, shown: int, most: int) -> None:
        super().__init__(shown, most)
        self.read_end, self.write_end = os.pipe()
        os.set_blocking(self.read_end, False)

    def _read(self) -> bytes:
        return os.read(self.read_end, READ_SIZE)

    def hand_over(self) -> None:
        """Close our copy of the write end once the other process has its own."""
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1

    def close(self) -> None:
        """Close both ends."""
        self.hand_over()
        if self.read_end >= 0:
            os.close(self.read_end)
            self.read_end = -1


class Channel:
    """One socket to an untrusted process.

    Args:
        link: a connected stream socket, ours from here on.
        expected: the struct union that may come back.
        body_cap: most bytes of a frame's body.
    """

    def __init__(self, link: socket.socket, expected: Any, body_cap: int = 0) -> None:
        self.link = link
        self.link.setblocking(False)
        self.expected = expected
        self.body_cap = body_cap
        self._buffer = bytearray()

    def fileno(self) -> int:
        """Return the socket's file descriptor, for a selector."""
        return self.link.fileno()

    def send(
        self, frame: msgspec.Struct, body: bytes = b"", files: list[int] | None = None,
        *, deadline: Deadline, while_waiting: Callable[[], None] = lambda: None,
    ) -> bool:  # fmt: skip
        """Send one frame; False when the other side is gone or does not take it in time."""
        data = memoryview(wire.encode(frame, body))
        try:
            if files:
                data = data[socket.send_fds(self.link, [data[: wire.PREFIX.size]], files) :]
            while data:
                try:
                    data = data[self.link.send(data) :]
                except BlockingIOError:
                    while_waiting()
                    if deadline.over:
                        return False
                    with selectors.DefaultSelector() as selector:
                        selector.register(self.link, selectors.EVENT_WRITE)
                        selector.select(min(deadline.left, 0.05))
        except OSError:
            return False
        return True

    def fill(self) -> bool:
        """Take in what has arrived; False when the other side has closed."""
        try:
            part = self.link.recv(READ_SIZE)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._buffer += part
        return bool(part)

    def next_frame(self) -> tuple[Any, bytes] | None:
        """Return the next whole frame from what was taken in, or None.

        Raises:
            GarbledReply: the bytes are no frame that may stand here, or it is larger than it may
                be.
        """
        size = wire.PREFIX.size
        if len(self._buffer) < size:
            return None
        header_length, body_length = wire.PREFIX.unpack_from(self._buffer)
        if header_length > wire.HEADER_CAP or body_length > self.body_cap:
            raise GarbledReply(f"lengths {header_length} and {body_length}")
        end = size + header_length + body_length
        if len(self._buffer) < end:
            return None
        header = bytes(self._buffer[size : size + header_length])
        body = bytes(self._buffer[size + header_length : end])
        del self._buffer[:end]
        try:
            return wire.decode(header, self.expected), body
        except wire.BadFrameError as error:
            raise GarbledReply(str(error)) from None

    def close(self) -> None:
        """Close the socket."""
        with contextlib.suppress(OSError):
            self.link.close()


class Watch:
    """Waits on several channels and taps at once and takes in whatever arrives.

    What has ended is watched no longer: a closed pipe counts as readable for ever.
    """

    def __init__(self, channels: Sequence[Channel], taps: Sequence[Tap]) -> None:
        self._selector = selectors.DefaultSelector()
        for channel in channels:
            self._selector.register(channel, selectors.EVENT_READ, channel)
        for tap in taps:
            self._selector.register(tap.read_end, selectors.EVENT_READ, tap)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()

    def wait(self, seconds: float) -> list[Channel]:
        """Wait up to ``seconds`` for something; return the channels whose other side has closed."""
        hung_up: list[Channel] = []
        if not self._selector.get_map():  # Windows cannot wait for nothing
            time.sleep(seconds)
            return hung_up
        for key, _ in self._selector.select(seconds):
            source = key.data
            if isinstance(source, Tap):
                source.pump()
                if source.ended:
                    self._selector.unregister(key.fileobj)
            elif not source.fill():
                self._selector.unregister(key.fileobj)
                hung_up.append(source)
        return hung_up


def await_frame(
    channel: Channel, kind: type[Found], deadline: Deadline, taps: Sequence[Tap] = ()
) -> Found | None:
    """Return the next frame of ``kind``, dropping others; None if time or the peer is gone.

    Raises:
        GarbledReply: something that is no frame came.
        OutputFlood: more was printed meanwhile than may be.
    """
    hung_up = False
    with Watch([channel], taps) as watch:
        while True:
            while (found := channel.next_frame()) is not None:
                if isinstance(found[0], kind):
                    return found[0]
            if deadline.over or hung_up:
                return None
            hung_up = bool(watch.wait(deadline.left))
            check_flood(taps)


def check_flood(taps: Sequence[Tap]) -> None:
    """Raise where more was printed than may be."""
    for tap in taps:
        if tap.flooded:
            raise OutputFlood(say("The code printed more than {most} MiB.", most=tap.most // 2**20))
