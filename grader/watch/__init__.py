"""What ``grade watch`` waits for: a file that was saved, a key that was pressed."""

from grader.watch.changes import Changes, Signature, signature
from grader.watch.keys import CLOSED, Keys, can_read_keys, interrupt
from grader.watch.signals import ended_by_signals

__all__ = [
    "CLOSED",
    "Changes",
    "Keys",
    "Signature",
    "can_read_keys",
    "ended_by_signals",
    "interrupt",
    "signature",
]
