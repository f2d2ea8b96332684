"""Which names mean the same: decided from all names of a namespace, with care, since a wrong merge is worse than none.

Merged are: a short form with the one long form that texts define it by; two spellings of a few well-known products; a
person's name with and without title; a first name or surname with the full name, when exactly one full name fits and
is used wherever the short one is (in the same scope, one above or one below). A group never holds two full names of
persons, and never two long forms of one short form.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from remanence.model.scope import holds

_TITLED = """
    dr. mr. mrs. ms. mx. prof. dr mr mrs ms mx prof professor herr frau miss mme mlle monsieur madame señor señora sr.
    sra. srta. dra. sir lady dame captain capt. judge senator coach
"""
_TITLES = frozenset(_TITLED.split())
_SPELLINGS = {
    "postgres": "postgresql",
    "k8s": "kubernetes",
    "mongo": "mongodb",
    "nodejs": "node.js",
    "nextjs": "next.js",
    "vuejs": "vue.js",
    "vscode": "visual studio code",
    "vs code": "visual studio code",
    "aws": "amazon web services",
    "gcp": "google cloud platform",
}
# By themselves they may be a place or a person.
_PLACES = """
    london berlin paris washington lincoln houston dallas austin jackson jordan israel france england holland ireland
    scotland wales york lancaster kent wellington melbourne sydney perth hamburg frankfurt wien vienna cologne köln
    florence charlotte georgia virginia victoria carolina dakota madison phoenix denver chester bristol durham lyon
    santiago diego jose valencia lorraine milan roma rome asia china india africa chelsea brooklyn savannah adelaide
"""
_EITHER = frozenset(_PLACES.split())


class Name(NamedTuple):
    """A name by its key: the scopes it is used in, and whether it is a person's beyond doubt."""

    key: str
    scopes: frozenset[str]
    person: bool


def groups(names: Sequence[Name], definitions: Iterable[tuple[str, str, int]] = ()) -> list[tuple[str, ...]]:
    """The keys that mean the same, two or more in a group, each group and all of them sorted."""
    known = {name.key: name for name in names}
    union = _Union(known)
    for short, long in _defined(known, definitions):
        union.join(short, long)
    for short, long in sorted(_SPELLINGS.items()):
        if short in known and long in known:
            union.join(short, long)
    for short, long in _people(known):
        union.join(short, long)
    return union.groups()


def _defined(known: Mapping[str, Name], definitions: Iterable[tuple[str, str, int]]) -> list[tuple[str, str]]:
    """Each short form that texts define by one long form alone."""
    longs: defaultdict[str, set[str]] = defaultdict(set)
    for short, long, _ in definitions:
        if short in known and long in known and short != long:
            longs[short].add(long)
    return [(short, long) for short, found in sorted(longs.items()) if len(found) == 1 for long in found]


def _people(known: Mapping[str, Name]) -> list[tuple[str, str]]:
    """Names of persons, each with the full name it goes with."""
    bare = {key: _untitled(key) for key, name in known.items() if name.person}
    full = {key: words for key, words in bare.items() if len(words) > 1}
    by_words: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    by_part: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for key, words in full.items():
        by_words[words].append(key)
        by_part[words[0]].add(words)
        by_part[words[-1]].add(words)
    pairs: list[tuple[str, str]] = []
    for keys in by_words.values():
        first, *others = sorted(keys, key=lambda key: (len(key), key))
        pairs += ((other, first) for other in others)
    for key, name in known.items():
        words = bare.get(key) or (key,)
        if len(words) != 1 or key in _EITHER:
            continue
        fitting = by_part.get(words[0], set())
        if len(fitting) != 1:
            continue
        (only,) = fitting
        # A first name goes with a first name alone, and one behind a title is a surname: "Mr. Paul" is no Paul Weber.
        is_first_name = key in bare and words == (key,)
        if is_first_name != (only[0] == words[0]):
            continue
        long = min(by_words[only], key=lambda key: (len(key), key))
        scopes = frozenset().union(*(known[other].scopes for other in by_words[only]))
        if all(any(holds(one, scope) or holds(scope, one) for one in scopes) for scope in name.scopes):
            pairs.append((key, long))
    return sorted(pairs)


def _untitled(key: str) -> tuple[str, ...]:
    words = key.split(" ")
    while len(words) > 1 and words[0] in _TITLES:
        words = words[1:]
    return tuple(words)


class _Union:
    """Keys joined to groups; a join that would bring two full names of persons together is not made."""

    def __init__(self, known: Mapping[str, Name]) -> None:
        self._above: dict[str, str] = {}
        self._full = {key: _untitled(key) for key, name in known.items() if name.person and len(_untitled(key)) > 1}

    def top(self, key: str) -> str:
        while (above := self._above.get(key, key)) != key:
            self._above[key] = self._above.get(above, above)
            key = above
        return key

    def join(self, short: str, long: str) -> None:
        one, other = self.top(short), self.top(long)
        if one == other:
            return
        left, right = self._full.get(one), self._full.get(other)
        if left and right and left != right:
            return
        self._above[one], self._above[other] = other, other
        if left and not right:
            self._full[other] = left

    def groups(self) -> list[tuple[str, ...]]:
        members: defaultdict[str, list[str]] = defaultdict(list)
        for key in self._above:
            members[self.top(key)].append(key)
        return sorted(tuple(sorted(keys)) for keys in members.values() if len(keys) > 1)
