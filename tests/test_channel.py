"""Frames and printed text from a process that may send anything or nothing."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import wire
from grader.results import Outcome
from grader.sandbox.channel import Channel, Deadline, OutputTap, Watch
from grader.sandbox.faults import Crash, GarbledReply
from grader.wire import HEADER_CAP, PREFIX

ANSWER = wire.Returned(1, wire.Plain("x"))
Pair = tuple[Channel, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """A channel and the socket at its other end."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, wire.Reply, body_cap=100)
    yield channel, theirs
    channel.close()
    theirs.close()


@pytest.fixture
def tap() -> Iterator[OutputTap]:
    """A tap that shows eight bytes and ends a process at forty."""
    found = OutputTap(shown=8, most=40)
    yield found
    found.close()


class TestDeadline:
    def test_it_passes_and_stays_passed(self) -> None:
        """What is left never goes below zero."""
        passed, far = Deadline(-1), Deadline(60)

        assert passed.over
        assert passed.left == 0
        assert not far.over
        assert 59 < far.left <= 60


class TestOutputTap:
    def test_short_output_is_kept_whole(self, tap: OutputTap) -> None:
        """Nothing is left out, nothing is added."""
        os.write(tap.write_end, b"12345678")
        tap.pump()

        assert tap.text() == "12345678"
        assert not tap.flooded

    def test_long_output_keeps_its_head_and_tail(self, tap: OutputTap) -> None:
        """The middle is replaced by how much it was."""
        os.write(tap.write_end, b"1234----")
        tap.pump()
        os.write(tap.write_end, b"----5678")
        tap.pump()

        assert tap.text() == "1234\n[... 8 bytes ...]\n5678"

    def test_more_than_may_be_is_a_flood(self, tap: OutputTap) -> None:
        """Forty bytes may come, forty-one are too many."""
        os.write(tap.write_end, b"x" * 40)
        tap.pump()
        before = tap.flooded
        os.write(tap.write_end, b"x")
        tap.pump()

        assert not before
        assert tap.flooded

    def test_what_is_no_text_is_replaced(self, tap: OutputTap) -> None:
        """Binary output is shown as far as it can be."""
        os.write(tap.write_end, b"\xffok\x00")
        tap.pump()

        assert tap.text() == "\ufffdok\x00"

    def test_an_open_pipe_is_not_waited_for(self, tap: OutputTap) -> None:
        """A process that outlives its check may hold the pipe open for ever."""
        started = time.monotonic()

        tap.pump()

        assert time.monotonic() - started < 1
        assert tap.text() == ""


class TestChannel:
    def test_a_frame_arrives_whole(self, pair: Pair) -> None:
        """Byte by byte, with a second frame behind it."""
        channel, theirs = pair
        data = wire.encode(ANSWER, b"body") + wire.encode(ANSWER)
        for i in range(len(data)):
            theirs.send(data[i : i + 1])
            channel.fill()
            found = channel.next_frame()
            if found is not None:
                break

        assert found == (ANSWER, b"body")

    def test_half_a_frame_is_nothing_yet(self, pair: Pair) -> None:
        """Neither half a prefix nor half a header is an error."""
        channel, theirs = pair
        for part in (b"\x05", wire.encode(ANSWER)[1:14]):
            theirs.send(part)
            channel.fill()

            assert channel.next_frame() is None

    @pytest.mark.parametrize(
        "prefix", [(HEADER_CAP + 1, 0), (0, 101), (2**32 - 1, 2**64 - 1)], ids=str
    )
    def test_lengths_are_checked_before_anything_is_read(
        self, pair: Pair, prefix: tuple[int, int]
    ) -> None:
        """A frame that claims too much is refused by its first twelve bytes."""
        channel, theirs = pair
        theirs.send(PREFIX.pack(*prefix))
        channel.fill()

        with pytest.raises(GarbledReply):
            channel.next_frame()

    @given(st.binary(min_size=1, max_size=60))
    @settings(max_examples=100)
    def test_random_bytes_are_garbled_or_nothing(self, data: bytes) -> None:
        """Whatever arrives, the only exception is GarbledReply, and it carries a flag."""
        ours, theirs = socket.socketpair()
        channel = Channel(ours, wire.Reply, body_cap=100)
        theirs.send(data)
        theirs.close()
        channel.fill()

        try:
            found = channel.next_frame()
        except GarbledReply as fault:
            assert fault.flags
        else:
            assert found is None or isinstance(found[0], wire.Reply)
        finally:
            channel.close()

    def test_a_closed_end_is_told(self, pair: Pair) -> None:
        """Filling says so, and sending returns False."""
        channel, theirs = pair
        theirs.close()

        assert not channel.fill()
        assert not channel.send(ANSWER, deadline=Deadline(1))

    def test_sending_ends_at_its_deadline(self, pair: Pair) -> None:
        """A process that does not read holds nobody up."""
        channel, _ = pair
        started = time.monotonic()
        calls: list[float] = []

        sent = channel.send(
            ANSWER, bytes(2**24), deadline=Deadline(0.3),
            while_waiting=lambda: calls.append(time.monotonic()),
        )  # fmt: skip

        assert not sent
        assert calls
        assert 0.2 < time.monotonic() - started < 5


class TestFaults:
    @pytest.mark.parametrize(
        ("status", "said"),
        [
            (-9, "ended by signal 9 (SIGKILL)"),
            (-11, "ended by signal 11 (SIGSEGV)"),
            (-127, "ended by signal 127 (?)"),
            (0, "ended by itself with exit status 0"),
            (3, "ended by itself with exit status 3"),
        ],
    )
    def test_an_ending_is_named(self, status: int, said: str) -> None:
        """Signal and status, by number and name."""
        assert said in Crash(status).what.en
        assert Crash(status).outcome is Outcome.CRASHED

    def test_a_fault_is_no_exception_a_test_could_swallow(self) -> None:
        """``except Exception`` in a hidden test lets it pass."""
        assert not isinstance(Crash(1), Exception)


def test_waiting_for_nothing_takes_its_time() -> None:
    """Where everything has ended already; Windows has no call that waits for nothing."""
    started = time.monotonic()

    with Watch([], []) as watch:
        assert watch.wait(0.05) == []
    assert time.monotonic() - started >= 0.05
