"""A connection to a Dask scheduler, whose own noise stays out of a teacher's terminal."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import warnings
from collections.abc import Iterator
from typing import Any

from grader.errors import GraderFault, UsageError
from grader.text import say

__all__ = ["connected", "lost"]

CONNECT_S = 5.0
CLOSE_S = 5.0


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the scheduler at ``address`` for the block.

    Certificates for ``tls://`` come from Dask's own configuration.

    Raises:
        UsageError: Dask is not installed, there is no scheduler, or it has no worker.
    """
    with _quiet():
        try:
            from distributed import Client
        except ImportError:
            raise UsageError(
                say("A cluster needs Dask, which is not installed."),
                say('Install it: python -m pip install "grader[class]"'),
            ) from None
        if not address.strip():  # Dask would start a cluster of its own
            raise _unreachable(address, "")
        try:
            client = Client(address.strip(), timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, asyncio.TimeoutError) as error:
            raise _unreachable(address, _said(error)) from None
        try:
            _wait_for_workers(client, address)
            yield client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=CLOSE_S)


def _wait_for_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
    except (OSError, asyncio.TimeoutError):
        raise UsageError(
            say("The scheduler {address} has no worker.", address=address),
            say("Start one: dask worker {address}", address=address),
        ) from None


def _unreachable(address: str, why: str) -> UsageError:
    return UsageError(
        say("There is no Dask scheduler at {address}. {why}", address=repr(address), why=why),
        say("Start one with `dask scheduler`, which says its address, and write that as "
            "tcp://host:8786, or tls://host:8786 with certificates in Dask's configuration."),
    )  # fmt: skip


def _said(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def lost(*, raises: bool = False) -> Iterator[None]:
    """Turn the end of the connection into an error of ours, or into nothing.

    Raises:
        GraderFault: the connection ended, and ``raises``.
    """
    from distributed import CancelledError

    try:
        yield
    except (OSError, CancelledError) as error:
        if raises:
            raise GraderFault(
                say("The connection to the cluster ended: {error}", error=_said(error)),
                say("Run this again when its scheduler runs; what is graded stays."),
            ) from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep log lines and warnings of Dask away; what matters of them is said by us."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)
