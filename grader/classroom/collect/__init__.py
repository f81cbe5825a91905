"""``grade collect``: what a class handed in, in whatever form it comes, into the class's folder.

    tree       a source as a list of files: folder, archive
    kinds      of which kind it is; a module for each: moodle, nbgrader, canvas, folders, bundles
    unpack     one student's files, archives opened, under caps
    match      which file answers what
    keep       files and attempts, only ever added

A kind of source is one function that tells from a path whose the file is, so archives and folders
they were unpacked into are alike. Nothing that was handed in is run or imported here.
"""

from grader.classroom.collect.kinds import AUTO, KINDS
from grader.classroom.collect.people import Roster, read_roster
from grader.classroom.collect.run import CollectReport, Options, StudentReport, collect
from grader.classroom.collect.times import read_zone

__all__ = [
    "AUTO",
    "KINDS",
    "CollectReport",
    "Options",
    "Roster",
    "StudentReport",
    "collect",
    "read_roster",
    "read_zone",
]
