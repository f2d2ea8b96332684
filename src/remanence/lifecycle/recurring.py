"""What recurs across sessions: memories of one scope that share a subject and say similar things → groups.

A group has at least 3 memories of at least 2 sessions. A subject is a name that some of them name, in all that hold it;
for what is in no such group, a telling word that not many have. Of the newest 50 memories of a subject the one most
like all others is the centre, and those like the centre belong to it. Clusters by meaning, found elsewhere, are groups
too. A group that half lies in an earlier one is left out. Likeness is the cosine of two vectors where both have one
(0.5 is alike), or the Jaccard overlap of their telling words (0.15 is; 0.25 where only a word is shared).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from remanence.lifecycle.duplicates import jaccard
from remanence.model.words import STOP_WORDS, folded, tokens_of, words

LEAST_MEMBERS = 3
LEAST_SESSIONS = 2
MOST_MEMBERS = 50
ALIKE_WORDS = 0.15
ALIKE_MEANING = 0.5
_SUBJECT_WORDS = 3
_BY_A_WORD = 0.25 / ALIKE_WORDS
_MOST_WORDS = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory as it is grouped: what it says, in which session, and the subjects it names."""

    id: str
    text: str
    session: str | None
    at: datetime
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that say similar things of one subject, oldest first, and the one most like all others."""

    about: str
    members: tuple[Seen, ...]
    centre: Seen

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(member.id for member in self.members)

    @property
    def sessions(self) -> int:
        return len({member.session for member in self.members if member.session is not None})

    @property
    def text(self) -> str:
        """What recurs, how often and when, and the most typical statement as it stands."""
        days = [f"{day:%Y-%m-%d}" for day in (self.members[0].at, self.members[-1].at)]
        when = f"on {days[0]}" if days[0] == days[1] else f"from {days[0]} to {days[1]}"
        told = f"{self.about} comes up in {len(self.members)} memories of {self.sessions} sessions, {when}."
        return f"{told} Most typical: {self.centre.text}"


Likeness = Callable[[Seen, Seen], float]
"""How alike two memories are: from 1, where they are as alike as a group needs, up; below 1 they are not."""


def by_words(one: Seen, other: Seen) -> float:
    """Likeness by telling words: an overlap of 0.3 → 2."""
    return jaccard(_telling(one.text), _telling(other.text)) / ALIKE_WORDS


def groups(seen: Sequence[Seen], likeness: Likeness = by_words, clusters: Iterable[Sequence[str]] = ()) -> list[Group]:
    """The groups among these, those of most sessions first; `clusters` are ids of memories that mean the same."""
    by_id = {one.id: one for one in seen}
    found = [_around(name, some, likeness) for name, some in _by_subject(seen)]
    for ids in clusters:
        members = [by_id[id] for id in ids if id in by_id]
        if members:
            found.append(_made(_shared(members), members, _centre(members, likeness)))
    kept = _apart(_ordered(found))
    held = {id for group in kept for id in group.ids}
    others = [one for one in seen if one.id not in held]
    by_word = _ordered(_around("", some, likeness, _BY_A_WORD) for some in _by_word(others))
    return _apart([*kept, *(replace(group, about=_shared(group.members)) for group in by_word)])


def _ordered(found: Iterable[Group | None]) -> list[Group]:
    """Those that are groups, of most sessions first."""
    whole = [group for group in found if group is not None and _is_group(group)]
    return sorted(whole, key=lambda group: (-group.sessions, -len(group.members), group.about, group.ids))


def _by_subject(seen: Sequence[Seen]) -> list[tuple[str, list[Seen]]]:
    """Every name with the memories that name it, or hold it where it is one word."""
    names: dict[str, str] = {}
    for one in seen:
        for subject in one.subjects:
            if _is_subject(key := folded(subject)):
                names.setdefault(key, subject)
    by_key: dict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        keys = {folded(subject) for subject in one.subjects} | _telling(one.text)
        for key in keys & names.keys():
            by_key[key].append(one)
    return [(names[key], by_key[key]) for key in sorted(by_key)]


def _by_word(seen: Sequence[Seen]) -> list[list[Seen]]:
    """Memories that share a word, for the rarest words."""
    by_word: dict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        for word in _telling(one.text):
            if len(word) > 3 and word.isalpha():
                by_word[word].append(one)
    shared = [word for word, some in by_word.items() if LEAST_MEMBERS <= len(some) <= MOST_MEMBERS]
    rarest = sorted(shared, key=lambda word: (len(by_word[word]), word))[:_MOST_WORDS]
    return [by_word[word] for word in rarest]


@lru_cache(maxsize=8192)  # each text is compared with many
def _telling(text: str) -> frozenset[str]:
    return tokens_of(text) - STOP_WORDS


def _is_subject(key: str) -> bool:
    return len(key) > 1 and any(sign.isalpha() for sign in key) and key not in STOP_WORDS


def _is_group(group: Group) -> bool:
    return len(group.members) >= LEAST_MEMBERS and group.sessions >= LEAST_SESSIONS


def _around(about: str, some: Iterable[Seen], likeness: Likeness, least: float = 1.0) -> Group | None:
    """The newest of these around the one most like all others, without those unlike it."""
    newest = sorted(some, key=lambda one: (one.at, one.id))[-MOST_MEMBERS:]
    if len(newest) < LEAST_MEMBERS:
        return None
    centre = _centre(newest, likeness)
    return _made(about, [one for one in newest if one is centre or likeness(centre, one) >= least], centre)


def _centre(members: Sequence[Seen], likeness: Likeness) -> Seen:
    def closeness(one: Seen) -> float:
        return sum(likeness(one, other) for other in members if other is not one)

    return max(members[:MOST_MEMBERS], key=lambda one: (round(closeness(one), 9), one.at, one.id))


def _made(about: str, members: Iterable[Seen], centre: Seen) -> Group:
    return Group(about, tuple(sorted(members, key=lambda one: (one.at, one.id))), centre)


def _shared(members: Sequence[Seen]) -> str:
    """What a cluster is about: the subject most of them name, or else the words most of them share."""
    named = Counter(subject for one in members for subject in set(one.subjects) if _is_subject(folded(subject)))
    if named and 2 * named.most_common(1)[0][1] >= len(members):
        return min(named, key=lambda subject: (-named[subject], subject))
    order = {word: place for one in members for place, word in enumerate(words(one.text))}
    counted = Counter(word for one in members for word in _telling(one.text) if word.isalpha() and len(word) > 2)
    common = sorted(counted, key=lambda word: (-counted[word], word))[:_SUBJECT_WORDS]
    common = [word for word in common if 2 * counted[word] >= len(members)]
    return " ".join(sorted(common, key=order.__getitem__)).capitalize() or "One thing"


def _apart(found: Sequence[Group]) -> list[Group]:
    """Those that do not half lie in an earlier one."""
    kept: list[Group] = []
    held: dict[str, list[int]] = defaultdict(list)
    for group in found:
        shared = Counter(place for id in group.ids for place in held[id])
        if any(2 * number >= min(len(group.ids), len(kept[place].ids)) for place, number in shared.items()):
            continue
        for id in group.ids:
            held[id].append(len(kept))
        kept.append(group)
    return kept
