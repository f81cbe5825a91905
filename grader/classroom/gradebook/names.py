"""Students' names and ids as the gradebook, its files and its pages can hold them.

Formgrader puts ids into addresses and file names as they are, and names into pages as they are.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

__all__ = ["book_id", "plain", "split_name"]

MOST = 100  # characters; the database takes 128
UNSAFE = re.compile(r"[^\w.@-]|^\.", re.ASCII | re.MULTILINE)
HAN = r"[\u4e00-\u9fff\u3400-\u4dbf]"
HAN_NAME = re.compile(HAN + "{2,4}")
HAN_PARTED = re.compile(f"({HAN}{{1,3}}) ({HAN}{{1,3}})")
# Family names of two characters; all others have one.
DOUBLE = re.compile(
    "欧阳|司马|诸葛|上官|司徒|夏侯|皇甫|尉迟|公孙|慕容|令狐|宇文|长孙|司空|东方|独孤|南宫|端木|轩辕|"
    "呼延|申屠|钟离|淳于|单于|太史|公羊|澹台|濮阳|完颜|拓跋|西门|東方|歐陽|司馬|諸葛"
)


def book_id(student: str) -> str:
    """Return a student's id as it is if every address and file can hold it, else a safe one."""
    if student and len(student) <= MOST and not UNSAFE.search(student):
        return student
    kept = UNSAFE.sub("_", unicodedata.normalize("NFKC", student))[:MOST]
    return (
        f"{kept or 'student'}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:8]}"
    )


def split_name(name: str) -> tuple[str, str]:
    """Return family name and given name, as far as they can be told apart.

    What stands before a comma is the family name; of a Chinese name its first character, or two,
    and of two Chinese words, in whatever order a platform writes them, the one that looks like a
    family name, else the first; of another name its last word.
    """
    name = plain(name)
    if "," in name or "，" in name:
        family, _, given = name.replace("，", ",").partition(",")
        return family.strip(), given.strip()
    if (words := HAN_PARTED.fullmatch(name)) is not None:
        turned = _as_family(words[2]) > _as_family(words[1])
        return (words[2], words[1]) if turned else (words[1], words[2])
    if HAN_NAME.fullmatch(name):
        cut = 2 if name[2:] and DOUBLE.match(name) else 1
        return name[:cut], name[cut:]
    given, _, family = name.rpartition(" ")
    return family, given


def _as_family(word: str) -> int:
    """Return how much a Chinese word looks like a family name."""
    return 2 if DOUBLE.fullmatch(word) else len(word) == 1


def plain(text: str) -> str:
    """Return ``text`` on one line, as nothing but text in any page or database."""
    kept = "".join(c if c.isprintable() else " " for c in text.encode("utf-8", "replace").decode())
    return " ".join(kept.translate({ord("<"): "‹", ord(">"): "›"}).split())[:MOST]
