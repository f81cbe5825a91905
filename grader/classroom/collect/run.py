"""Collecting: from sources to a class's folder, one hand-in after another."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from grader.classroom.collect.facts import Facts
from grader.classroom.collect.keep import Incoming, Keeper, holds_nothing
from grader.classroom.collect.kinds import AUTO, placer_of
from grader.classroom.collect.match import Matched, match
from grader.classroom.collect.model import Handin, Placer, Who
from grader.classroom.collect.names import is_junk, natural
from grader.classroom.collect.nbgrader import TIMESTAMP
from grader.classroom.collect.people import Roster
from grader.classroom.collect.times import read_timestamp, with_zone
from grader.classroom.collect.tree import Tree, open_tree
from grader.classroom.collect.unpack import Unpacked, unpack
from grader.classroom.model import Attempt
from grader.course import Course
from grader.intake.archive import ARCHIVE_BYTES_MOST, RefusedError
from grader.text import Text, say

__all__ = ["CollectReport", "Options", "SourceReport", "StudentReport", "collect"]

TIMESTAMP_BYTES_MOST = 200
TIMESTAMP_SHOWN = 40  # characters
TOTAL_BYTES_MOST = 8 * 2**30  # of everything that one run unpacks
CLOCKS_APART = datetime.timedelta(days=1)  # how far ahead of ours a student's clock is believed


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How to collect.

    Attributes:
        kind: of the sources; ``auto`` to have each recognised.
        zone: of clocks that tell none; None for this machine's.
        file_times: whether the times of loose files and of downloaded archives are believed.
    """

    kind: str = AUTO
    zone: datetime.tzinfo | None = None
    file_times: bool = False


class SourceReport(msgspec.Struct, frozen=True, kw_only=True):
    """A source, and of which kind it was taken to be."""

    source: str
    kind: str
    handins: int


class StudentReport(msgspec.Struct, kw_only=True):
    """What this run found of one student.

    Attributes:
        new: attempts that were not known.
        known: how many were.
        listed: whether the class list names them; None without one.
        namesakes: ids on the class list of whom any may be meant, where that cannot be told.
        refused: whether something needs a person to look at it.
    """

    id: str
    name: str
    new: list[Attempt] = []
    known: int = 0
    listed: bool | None = None
    namesakes: list[str] = []
    refused: bool = False


class CollectReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``grade collect --json`` prints.

    Attributes:
        into: the class's folder.
        students: everybody whose work was found now.
        absent: ids on the class list of whom nothing was ever collected.
        aside: what belongs to nobody or nothing, each with why; found now.
        unnamed: whether work is among that.
    """

    schema: str = "grade-collect/1"
    into: str
    sources: list[SourceReport]
    students: list[StudentReport]
    absent: list[str] = []
    aside: list[Text] = []
    unnamed: bool = False

    @property
    def refused(self) -> bool:
        """Whether something needs a person to look at it."""
        return self.unnamed or any(student.refused for student in self.students)


def collect(
    sources: Sequence[Path],
    folder: Path,
    course: Course,
    roster: Roster,
    options: Options,
    *,
    on_progress: Callable[[int, int], None] | None = None,
) -> CollectReport:
    """Take what is in ``sources`` into the class's ``folder``; nothing there is lost by it.

    Args:
        sources: folders, files and archives as they were downloaded.
        folder: the class's folder.
        course: the course that is taken.
        roster: the class list; may be empty, and then the one that was told before holds.
        options: how to collect.
        on_progress: called with how many hand-ins are done, and of how many.

    Raises:
        UsageError: a source is not there or not of the kind named, or ``folder`` cannot be written.
        IntakeError: a source cannot be read.
        CourseError: what was collected into ``folder`` before is of another version.
    """
    collecting = _Collecting(Facts(course), Keeper(folder), roster, options)
    return collecting.run(sources, on_progress or (lambda *_: None))


class _Collecting:
    def __init__(self, facts: Facts, keeper: Keeper, roster: Roster, options: Options) -> None:
        self.facts, self.keeper, self.roster, self.options = facts, keeper, roster, options
        self._students: dict[str, StudentReport] = {}
        self._aside: list[Text] = []
        self._left = TOTAL_BYTES_MOST
        self._unnamed = False

    def run(
        self, sources: Sequence[Path], on_progress: Callable[[int, int], None]
    ) -> CollectReport:
        self.keeper.enrol(self.roster)
        self.roster = self.roster or self.keeper.roster()
        told: list[SourceReport] = []
        for source in sources:
            tree = open_tree(source, without=self.keeper.folder.resolve())
            self.keeper.forget_aside(tree.name)
            try:
                kind, placer = placer_of(tree, self.options.kind, self.facts)
                handins = list(self._handins(tree, placer))
                for done, handin in enumerate(handins):
                    on_progress(done, len(handins))
                    self._take(handin)
                on_progress(len(handins), len(handins))
            finally:
                tree.close()
            told.append(SourceReport(source=tree.name, kind=kind, handins=len(handins)))
        self._aside = [*self.keeper.damage, *self._aside]
        self.keeper.aside += self._aside
        collected = self.keeper.finish()
        return CollectReport(
            into=str(self.keeper.folder),
            sources=told,
            students=[self._report(id_) for id_ in sorted(self._students)],
            absent=[s.id for s in collected.students if not s.attempts],
            aside=self._aside,
            unnamed=self._unnamed,
        )

    def _report(self, id_: str) -> StudentReport:
        """Return a student's report with the attempts numbered as they are now."""
        report = self._students[id_]
        new = [(attempt.origin, attempt.files) for attempt in report.new]
        report.new = [a for a in self.keeper.attempts(id_) if (a.origin, a.files) in new]
        return report

    # --- hand-ins --------------------------------------------------------------------------------

    def _handins(self, tree: Tree, placer: Placer) -> Iterator[Handin]:
        """Yield what each student handed in, unread; files that are nobody's are listed."""
        found: dict[tuple[str, str], Handin] = {}
        nobody: list[str] = []
        for entry in tree.entries:
            place = placer(entry.path)
            if place is None:
                if not is_junk(entry.path):
                    nobody.append(entry.path)
                continue
            key = (place.who.label, place.part)
            if key not in found:
                found[key] = Handin(
                    who=place.who, part=place.part, entries=[],
                    origin="/".join(part for part in (tree.name, place.origin) if part),
                )  # fmt: skip
            found[key].entries.append((place, entry))
            found[key].late |= place.late
        self._aside += [
            say("{source}: {path} is not named after a student.", source=tree.name, path=path)
            for path in nobody
        ]
        yield from sorted(found.values(), key=lambda h: (natural(h.who.label), natural(h.part)))

    def _take(self, handin: Handin) -> None:
        unpacked = unpack(handin, self.facts, min(ARCHIVE_BYTES_MOST, self._left))
        self._left = max(0, self._left - sum(len(file.data) for file in unpacked.files))
        matched = match(unpacked.files, unpacked.aside, self.facts)
        notices = [*unpacked.notices, *matched.notices]
        if not (matched.answers or notices):
            return  # nothing but what a system put there
        refused = unpacked.refused or matched.refused
        who = _who(handin, unpacked)
        enrolled = self.roster.find(who)
        if enrolled is None and not self._is_student(who, handin, matched, refused):
            self._unnamed |= refused or matched.recognised
            self._put_aside(handin, notices if refused else [])
            return
        id_ = enrolled.id if enrolled is not None else self.keeper.own_id(who)
        name = enrolled.name if enrolled is not None else who.name
        recorded, odd = _recorded(handin)
        refused |= odd is not None  # lateness hangs on it
        at, told = self._time(handin, matched, recorded, odd)
        incoming = Incoming(
            origin=handin.origin, at=at, notices=[*told, *notices],
            files={item: (self._name(item), c.data) for item, c in matched.answers.items()},
        )  # fmt: skip
        attempt = self.keeper.add(id_, name, incoming, number=who.number)
        report = self._students.setdefault(id_, StudentReport(id=id_, name=self.keeper.name(id_)))
        report.listed = enrolled is not None if self.roster else None
        report.namesakes = self.roster.namesakes(who) if enrolled is None else []
        if attempt is not None:
            report.new = [*report.new, attempt]
            report.refused |= refused
        else:
            report.known += 1
        report.refused |= bool(report.namesakes)

    def _is_student(self, who: Who, handin: Handin, matched: Matched, refused: bool) -> bool:
        """Whether somebody of whom no class list knows is a student all the same.

        A file that cannot be read, and is named after nobody on the list or is a source by itself,
        may be the archive of a whole class that broke on its way.
        """
        if who.sure or not who.label:
            return bool(who.label)
        alone = "/" not in handin.origin
        return matched.recognised or (refused and not self.roster and not alone)

    def _put_aside(self, handin: Handin, why: list[Text]) -> None:
        """List what belongs to nobody or to nothing."""
        origin = handin.origin
        if why:
            self._aside += [say("{source}: {why}", source=origin, why=text) for text in why]
        elif handin.who.label:
            self._aside.append(holds_nothing(origin))
        else:
            self._aside.append(
                say("{source}: nothing tells whose this is. Name it after the student.",
                    source=origin)
            )  # fmt: skip

    def _name(self, item: str) -> str:
        """Return what the file that answers ``item`` is called in the course."""
        module = next((e.module for e in self.facts.exercises if e.id == item), None)
        return f"{module}.py" if module is not None else f"{item}.yaml"

    # --- times -----------------------------------------------------------------------------------

    def _time(
        self, handin: Handin, matched: Matched, recorded: datetime.datetime | None, odd: Text | None
    ) -> tuple[datetime.datetime | None, list[Text]]:
        """Return when something was handed in, as far as anything tells, and what does."""
        if recorded is not None:
            at = with_zone(recorded, self.options.zone)
            return at, [say("The time is the one nbgrader recorded.")]
        if odd is not None:
            taken, told = self._file_time(handin, matched)
            instead = told or [say("No other time is known, so it does not count as late.")]
            return taken, [odd, *instead]
        return self._file_time(handin, matched)

    def _file_time(
        self, handin: Handin, matched: Matched
    ) -> tuple[datetime.datetime | None, list[Text]]:
        """Return the time that files tell."""
        late = [say("The platform calls it late and does not say when it came.")]
        zone = self.options.zone
        files = [candidate.file for candidate in matched.answers.values()]
        times = [
            with_zone(file.changed, zone)
            for file in files
            if file.changed is not None and (file.packed or self.options.file_times)
        ]
        now = datetime.datetime.now(datetime.timezone.utc)
        if not times or len(times) < len(files) or max(times) > now + CLOCKS_APART:
            return None, late if handin.late else []
        told = (
            say("The time is that of the newest file in the student's archive, by the student's "
                "clock.")
            if all(file.packed for file in files)
            else say("The time is that of the newest file.")
        )  # fmt: skip
        return max(times), [told, *(late if handin.late else [])]


def _who(handin: Handin, unpacked: Unpacked) -> Who:
    """Return the student; where the source does not tell, the one a bundle in it names."""
    who = handin.who
    if not unpacked.student:
        return who
    if not who.label:
        return msgspec.structs.replace(who, label=unpacked.student, name=unpacked.student)
    return msgspec.structs.replace(who, name=who.name or unpacked.student)


def _recorded(handin: Handin) -> tuple[datetime.datetime | None, Text | None]:
    """Return the time that nbgrader recorded, or what is wrong with it."""
    for place, entry in handin.entries:
        if place.at is not None:
            return place.at, None
        if place.time_file and place.path == TIMESTAMP:
            try:
                text = entry.read(TIMESTAMP_BYTES_MOST).decode("utf-8-sig", "replace")
            except RefusedError as error:
                return None, error.what
            at = read_timestamp(text)
            shown = " ".join(text.split())[:TIMESTAMP_SHOWN]
            odd = say("{file} holds no time as nbgrader writes it: {text}.", file=TIMESTAMP,
                      text=repr(shown))  # fmt: skip
            return at, None if at is not None else odd
    return None, None
