"""Times: what nbgrader writes, what ``--tz`` means, what a clock without a zone showed."""

from __future__ import annotations

import datetime
import re
import zoneinfo

from grader.errors import UsageError
from grader.text import say

__all__ = ["read_timestamp", "read_zone", "with_zone"]

OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?")
MINUTES_MOST = 24 * 60 - 1


def read_zone(text: str | None) -> datetime.tzinfo | None:
    """Return the time zone called ``text``: ``Asia/Shanghai``, ``+08:00``, ``UTC``; None for None.

    Raises:
        UsageError: there is no such zone.
    """
    if text is None:
        return None
    zone = _zone(text.strip())
    if zone is None:
        raise UsageError(
            say("{text} is no time zone known here.", text=repr(text)),
            say("Write it as Asia/Shanghai or as +08:00."),
        )
    return zone


def _zone(text: str) -> datetime.tzinfo | None:
    if text in {"Z", "UTC", "GMT"}:
        return datetime.timezone.utc
    if (match := OFFSET.fullmatch(text)) is not None:
        minutes = 60 * int(match[2]) + int(match[3] or 0)
        sign = -1 if match[1] == "-" else 1
        if minutes <= MINUTES_MOST:
            return datetime.timezone(datetime.timedelta(minutes=sign * minutes))
        return None
    try:
        return zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def read_timestamp(text: str) -> datetime.datetime | None:
    """Read ``2026-11-02 14:58:23.948203 Asia/Shanghai`` as nbgrader writes it.

    The zone may be a name, an abbreviation that is one (``UTC``), an offset, or missing.

    Returns:
        the time, without a zone where the text has none that can be known; None if it is no time.
    """
    parts = text.strip().split(None, 2)
    if len(parts) < 2:  # noqa: PLR2004 - a date and a time
        return None
    try:
        clock = datetime.datetime.fromisoformat(f"{parts[0]}T{parts[1]}")
    except ValueError:
        return None
    zone = _zone(parts[2]) if len(parts) > 2 and clock.tzinfo is None else None  # noqa: PLR2004
    return clock.replace(tzinfo=zone) if zone is not None else clock


def with_zone(time: datetime.datetime, zone: datetime.tzinfo | None) -> datetime.datetime:
    """Return ``time`` with a zone: its own, else ``zone``, else that of this machine."""
    if time.tzinfo is not None:
        return time
    try:
        return time.replace(tzinfo=zone) if zone is not None else time.astimezone()
    except (OverflowError, OSError, ValueError):  # years that this system's clock cannot show
        return time.replace(tzinfo=datetime.timezone.utc)
