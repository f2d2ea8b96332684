"""What source files define, and how that is told in few lines and read back.

Python is read exactly; other languages, and Python that does not parse, line by line. An outline is a text of bounded
length: the path, then a line for each definition. Names are read back from the outlines of earlier days, to know what
a file once defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from remanence.codebase import lines, python
from remanence.codebase.definition import Definition

OUTLINE_CHARACTERS = 16_000
TOP_NAMES = 8
_PYTHON = (".py", ".pyi", ".pyw")
_CUT = re.compile(r"\n… and [0-9]+ more\Z")
_OUTLINED = re.compile(r"^[a-z]+ ([\w.$?!:/~-]+)", re.MULTILINE)


def is_source(path: str) -> bool:
    """Whether a file of this name may hold definitions."""
    return lines.rules_for(path) is not None


def definitions(path: str, text: str) -> list[Definition]:
    """What the file defines, in its order."""
    found = python.definitions(text) if path.lower().endswith(_PYTHON) else None
    return lines.definitions(path, text) if found is None else found


def outline(path: str, found: Sequence[Definition]) -> str:
    """The path and what it defines, a line each; what does not fit is counted. Members give way first.

    Tests are counted only: their names are sentences, many, and asked for by nobody.
    """
    room = OUTLINE_CHARACTERS - len(path) - 60
    chosen: set[int] = set()
    shown = [place for place, definition in enumerate(found) if not definition.short.startswith("test_")]
    for place in sorted(shown, key=lambda place: ("." in found[place].name, place)):
        room -= len(str(found[place])) + 1
        if room < 0:
            break
        chosen.add(place)
    told = [str(found[place]) for place in sorted(chosen)]
    tests, left = len(found) - len(shown), len(shown) - len(told)
    told += [f"{tests} tests"] if tests else []
    return "\n".join([path, *told, *([f"… and {left} more"] if left else [])])


def is_cut(text: str) -> bool:
    """Whether a text of a file or folder had no room for all, and so ends with how many more there are."""
    return _CUT.search(text) is not None


def outlined(text: str) -> frozenset[str]:
    """The names an outline tells, qualified and plain."""
    return names_of(_OUTLINED.findall(text.partition("\n")[2]))


def names_of(names: Iterable[str]) -> frozenset[str]:
    """Qualified names, and each without its class."""
    return frozenset(form for name in names for form in (name, name.rpartition(".")[2]))


def top_names(found: Sequence[Definition]) -> tuple[str, ...]:
    """A few names that stand for the file: classes and functions before constants."""
    top = [one for one in found if "." not in one.name and len(one.name) <= 100 and not one.name.startswith("test_")]
    top.sort(key=lambda one: (one.name.startswith("_"), one.kind == "constant"))
    return tuple(dict.fromkeys(one.name for one in top))[:TOP_NAMES]
