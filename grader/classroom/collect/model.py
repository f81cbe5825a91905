"""What stands between a source of any kind and the attempts of students."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from grader.classroom.collect.facts import Facts
from grader.text import Text

__all__ = ["WHOLE_FOLDER", "Entry", "Handin", "Place", "Placer", "Recognise", "Who"]

WHOLE_FOLDER = "*"  # the name of the entry for all that a folder holds which cannot be read


class Entry(Protocol):
    """A file in a source, on disk or in an archive, that is read only when it is needed.

    Attributes:
        path: from the source's top, with forward slashes.
        refusal: why it is not taken, whatever it holds; None if it may be read.
        changed: when it was last changed, where something tells; without a zone it is the clock
            of an unknown machine.
    """

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def refusal(self) -> Text | None:
        """Why it is not taken."""

    @property
    def changed(self) -> datetime.datetime | None:
        """When it was last changed."""

    def read(self, most: int) -> bytes:
        """Return its bytes.

        Raises:
            RefusedError: it is larger than ``most`` bytes or cannot be taken.
        """


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """A student as a source calls them.

    Attributes:
        label: their id where no roster knows better, unique in the source; empty where a source
            does not tell, and what was handed in has to.
        name: as a person reads it; may be empty.
        ids: what else the platform calls them.
        number: what the platform itself counts the student by, where it says so.
        text: a name of a file or folder in which id or name may stand among other things.
        sure: whether this is a student for certain, and not just any folder.
    """

    label: str
    name: str = ""
    ids: tuple[str, ...] = ()
    number: str = ""
    text: str = ""
    sure: bool = True


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where one file of a source belongs.

    Attributes:
        who: the student.
        path: inside what the student handed in.
        origin: the folder or file in the source that all of it lies in; empty for the source.
        part: tells several hand-ins of one student in a source apart.
        at: when it was handed in, if the kind of source records that.
        late: whether the platform calls it late.
        online_text: whether it is what was typed into the platform's own page.
        time_file: whether it only tells when the others were handed in.
    """

    who: Who
    path: str
    origin: str = ""
    part: str = ""
    at: datetime.datetime | None = None
    late: bool = False
    online_text: bool = False
    time_file: bool = False


Placer = Callable[[str], Place | None]


class Recognise(Protocol):
    """A kind of source.

    Given the source's name, the paths of all its files and what the course is made of, returns
    what tells for each path whose it is (None: nobody's), or None if the source is not of this
    kind.
    """

    def __call__(self, source: str, paths: Sequence[str], facts: Facts) -> Placer | None:
        """Return what tells whose a path is."""


class Handin(msgspec.Struct, kw_only=True):
    """Everything one student handed in at one time, unread.

    Attributes:
        origin: where it came from, as the teacher knows it.
        entries: its files with their places.
    """

    who: Who
    origin: str
    part: str = ""
    late: bool = False
    entries: list[tuple[Place, Entry]]
