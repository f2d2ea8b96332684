"""Looking up in a tree what a memory asserts: is the path there, does the file define the name, is the command offered.

It answers with plain facts, for rules to judge: what is there, what was there once, and where it went. What was there
once is known from git, and from the outlines of earlier days, which the caller gives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from remanence.codebase.manifests import allows, folded_name
from remanence.codebase.tree import Tree

Known = Callable[[], Mapping[str, Collection[str]]]
"""The files that were outlined once, with the names they then defined."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Of a path: whether it is there, where in the tree it is or went to, and whether it was there once."""

    present: bool = False
    place: str | None = None
    moved_to: str | None = None
    known: bool = False
    was: str | None = None
    """Where in the tree it once was."""


@dataclass(frozen=True, slots=True)
class NameSight:
    """Of a name in a file: whether it is defined or at least used there, was once, and which others define it."""

    defined: bool | None
    mentioned: bool
    known: bool
    elsewhere: tuple[str, ...] | None


class Looking:
    """One tree, and what was known of it."""

    def __init__(self, tree: Tree, known: Known) -> None:
        self.tree = tree
        self._known = known
        self._paths: dict[str, Sight] = {}

    def path(self, written: str) -> Sight:
        """What there is at a path as it is written: below the root, with its name before it, or only the end of it."""
        if written not in self._paths:
            self._paths[written] = self._looked_up(written)
        return self._paths[written]

    def _looked_up(self, written: str) -> Sight:
        tree = self.tree
        place = tree.place(written)
        if not place:
            return Sight(present=place == "", place=place)
        name, _, rest = place.partition("/")
        places = [place, rest] if rest and name == tree.root.name else [place]
        for one in places:
            if tree.holds(one):
                return Sight(present=True, place=one)
        ends = [path for path in tree.ends.get(place.rpartition("/")[2], ()) if path.endswith("/" + place)]
        if ends:
            return Sight(present=True, place=ends[0] if len(ends) == 1 else None)
        return self._gone(places)

    def _gone(self, places: list[str]) -> Sight:
        tree, history = self.tree, self.tree.history
        for one in places:
            if history.knows(one):
                return self._went(one)
        if len(olds := history.ending(places[0])) == 1:
            return self._went(olds[0])
        known = self._known()
        for one in places:
            if one in known:
                return Sight(known=True, was=one)
        if tree.is_tracked:
            return Sight()
        # Without git, a folder that is there speaks for a file that was.
        parent, sign, _ = places[0].rpartition("/")
        return Sight(known=bool(sign) and tree.holds(parent), was=places[0] if sign else None)

    def _went(self, old: str) -> Sight:
        new = self.tree.history.moved_to(old)
        if new is None or self.tree.place(new) != new or not self.tree.holds(new):
            return Sight(known=True, was=old)
        return Sight(place=new, moved_to=new, known=True, was=old)

    def name(self, name: str, place: str | None, was: str | None = None) -> NameSight:
        """What there is of a name in a file of the tree (None: the file is gone), and in all others."""
        tree = self.tree
        short = name.rpartition(".")[2]
        names = tree.names(place) if place is not None else frozenset()
        if names is None:
            return NameSight(None, False, False, None)
        if name in names or short in names:
            return NameSight(True, True, True, ())
        mentioned = place is not None and tree.uses(place, short)
        outlines = self._known()
        known = any(name in outlines.get(path, ()) or short in outlines.get(path, ()) for path in (place, was) if path)
        others = tree.defining(name)
        return NameSight(False, mentioned, known, others)

    def anywhere(self, name: str) -> tuple[bool | None, bool]:
        """Whether any file defines the name (None: not all were looked at), and whether one once did."""
        short = name.rpartition(".")[2]
        exact, loose = self.tree.defining(name), self.tree.defining(short)
        if exact is None or loose is None:
            return None, False
        if exact or loose:
            return True, True
        return False, any(name in names for names in self._known().values())

    def command(self, tool: str, name: str) -> bool | None:
        """Whether the tree offers the command; None where it has no such tool, or one that cannot be seen through."""
        offered = self.tree.manifests.commands.get(tool)
        if offered is None:
            return None
        return True if name in offered else None if tool in self.tree.manifests.open_tools else False

    def version(self, package: str, version: str) -> list[bool | None]:
        """What each manifest that names the package says to this version."""
        return [allows(spec, version) for spec in self.tree.manifests.versions.get(folded_name(package), ())]
