"""How it is looked: a trial holds one contender's memory in one scene, and each look gives its problems in words.

Answers are asked for by the question, the text itself and the marker of what must be gone, in every way the contender
has. Bytes are searched for the marker, in any case, and for the traces (vectors) that stood there before the removal: a
contender whose files never showed them cannot be asked for this promise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from remanence.simulator.contract import Cannot, Contender, Held
from remanence.simulator.contract.world import Fact, world

FIRST = 5
_SHOWN = 80
_ARCHIVE = "archive"


class Trial:
    """One contender in one scene: its memory, what was told and under which ids, and what its files held then."""

    def __init__(self, contender: Contender, folder: Path) -> None:
        self.contender = contender
        self.world = world()
        self._folder = folder
        self._home = folder / "store"
        self._home.mkdir()
        self.held: Held = contender.opened(self._home)
        self.ids: dict[Fact, str] = {}
        self._traces: dict[Fact, list[bytes]] = {}
        self._copies: dict[Fact, int] = {}

    def tell_world(self) -> None:
        """What must stay found whatever happens."""
        for scope in dict.fromkeys(fact.scope for fact in self.world.kept):
            self.held.add_many([fact.text for fact in self.world.kept if fact.scope == scope], scope)

    def tell(self, *facts: Fact) -> None:
        for fact in facts:
            if id := self.held.add(fact.text, fact.scope):
                self.ids[fact] = id

    def watch(self, *facts: Fact) -> None:
        """Note what the files hold of these before they go."""
        held = [raw for _, raw in self.raw()]
        for fact in facts:
            seen = [trace for trace in self.held.traces(fact.text) if any(trace in raw for raw in held)]
            shown = any(fact.needle in raw.lower() for raw in held)
            self._traces[fact] = [fact.needle, *seen] if shown else []

    def traces(self, fact: Fact) -> list[bytes]:
        if not self._traces.get(fact):
            raise Cannot("its files do not show what they hold")
        return self._traces[fact]

    def count(self, *facts: Fact) -> None:
        """Note how often the files hold these now."""
        self._copies = {fact: self.copies(fact) for fact in facts}

    def counted(self, fact: Fact) -> int:
        return self._copies[fact]

    def copies(self, fact: Fact) -> int:
        return sum(raw.lower().count(fact.needle) for _, raw in self.raw())

    def raw(self, paths: Iterable[Path] | None = None) -> list[tuple[str, bytes]]:
        """Files by name, with what they hold; folders with all that is below."""
        found = []
        for path in self.held.files() if paths is None else paths:
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            found += [(str(one.relative_to(self._folder)), one.read_bytes()) for one in inside if one.is_file()]
        return found

    def beside(self, name: str) -> Path:
        """A place for a copy."""
        return self._folder / name

    def reopen(self) -> None:
        self.held.close()
        self.held = self.contender.opened(self._home)

    def restore(self, copy: Path) -> None:
        """Put a copy in the memory's place."""
        self.held.close()
        self.held = self.contender.restored(copy, self._home)

    def move(self, name: str) -> None:
        """Go on with another, empty memory."""
        self.held.close()
        self._home = self.beside(name)
        self._home.mkdir()
        self.held = self.contender.opened(self._home)


def missing(trial: Trial, facts: Iterable[Fact], *, scoped: bool = False) -> list[str]:
    """Which facts their question does not find among the first five answers; within their scope, where that is said."""
    problems = []
    for fact in facts:
        if fact.question:
            found = trial.held.search(fact.question, fact.scope if scoped else None)[:FIRST]
            if not any(fact.told_by(text) for text in found):
                problems.append(f"{fact.question!r} does not find {_short(fact.text)}")
    return problems


def spoken(trial: Trial, facts: Iterable[Fact], *, live: bool = False) -> list[str]:
    """Which ways of asking still give what must not be said; `live`: those that look into an archive are left out."""
    problems: dict[str, None] = {}
    for fact in facts:
        for question in dict.fromkeys((fact.question, fact.text, fact.marker)):
            for way, texts in trial.held.answers(question).items() if question else ():
                told = next((text for text in texts if fact.told_by(text)), None)
                if told is not None and not (live and _ARCHIVE in way):
                    problems.setdefault(f"{way} gives {_around(told, fact)}")
    return list(problems)


def stored(trial: Trial, facts: Iterable[Fact]) -> list[str]:
    """Which texts that can still be asked for, in whatever state, hold what must be gone."""
    texts = trial.held.kept_texts().values()
    return [f"it is still kept as {_around(text, fact)}" for fact in facts for text in texts if fact.told_by(text)]


def repeated(trial: Trial, facts: Iterable[Fact]) -> list[str]:
    """Which texts that the memory made of others hold what must be gone."""
    texts = trial.held.derived()
    return [f"it was made into {_around(text, fact)}" for fact in facts for text in texts if fact.told_by(text)]


def bytes_left(trial: Trial, facts: Iterable[Fact], paths: Sequence[Path] | None = None) -> list[str]:
    """Which files still hold a marker or a trace; their own names count."""
    files = trial.raw(paths)
    problems = []
    for fact in facts:
        needle, *traces = trial.traces(fact)
        for name, raw in files:
            copies = raw.lower().count(needle) + name.lower().encode().count(needle)
            if copies:
                problems.append(f"{copies} {'copy' if copies == 1 else 'copies'} of {fact.marker} in {name}")
            if any(trace in raw for trace in traces):
                problems.append(f"the vector of {fact.marker} in {name}")
    return problems


def more_bytes(trial: Trial, facts: Iterable[Fact]) -> list[str]:
    """Of which facts the files hold more than when they were counted."""
    before = {fact: trial.counted(fact) for fact in facts}
    now = {fact: trial.copies(fact) for fact in before}
    more = [fact for fact in before if now[fact] > before[fact]]
    return [f"{fact.marker} is {now[fact]} times in the files, and was {before[fact]} times before" for fact in more]


def not_looked_up(trial: Trial, id: str, fact: Fact) -> list[str]:
    """Whether an earlier value cannot be had when asked for."""
    said = any(fact.told_by(text) for text in trial.held.past(id, fact.question))
    return [] if said else [f"{_short(fact.text)} cannot be looked up"]


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _around(text: str, fact: Fact) -> str:
    """A text in short, around what gives the fact away."""
    at = text.casefold().find((fact.marker or fact.text).casefold())
    start = max(0, at - _SHOWN // 2)
    return _short(text[start : start + _SHOWN])
