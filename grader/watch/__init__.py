"""What ``grade watch`` waits for: a file that was saved, a key that was pressed."""

from grader.watch.changes import Changes, Signature, signature
from grader.watch.keys import CLOSED, Keys, can_read_keys, interrupt

__all__ = ["CLOSED", "Changes", "Keys", "Signature", "can_read_keys", "interrupt", "signature"]
