"""What a dream does to recall: the same questions before and after it, on LoCoMo and on FactConsolidation.

A store is filled once for each conversation or list of facts, and copied for each variant of the dream. A variant
dreams once a day by the clock, until a dream changes nothing; where the forgetting curve has a part, which acts as days
go by, for 30 days. It is asked after the first dream and after the last. A summary or card answers for whatever it was
made from, however many steps back; so it can hold more than one piece of evidence, and what it costs in tokens is told
beside it.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from remanence import Mind
from remanence.flows.dream import cluster
from remanence.flows.dream.plan import joined
from remanence.model.memory import Memory, Source
from remanence.model.words import estimate_tokens
from remanence.simulator.datasets import factconsolidation, files, locomo
from remanence.simulator.protocols.factconsolidation import current, holds

FIRST = 10
BUDGET_TOKENS = 400
MOST_DREAMS = 30
DAY = timedelta(days=1)
LATER = f"undreamt, {MOST_DREAMS} days later"
BORN = datetime(2024, 1, 1, tzinfo=UTC)
SETTINGS: dict[str, Any] = {"upkeep__on_open": False, "dream__seconds_per_run": None, "llm__name": "none"}
Progress = Callable[[str], None]


class Clock:
    """A clock set by hand."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


class Vectors:
    """The bundled embedder, which remembers texts on disk: most of a run would be embedding the same ones again."""

    def __init__(self, folder: Path) -> None:
        from remanence.providers.bundled.embedder import Bundled

        self._inner = Bundled()
        self.model, self.dimension, self.local = self._inner.model, self._inner.dimension, True
        self._path = folder / f"vectors-{self.model.replace('/', '-')}.npz"
        self._known: dict[str, Any] = {}
        if self._path.exists():
            import numpy as np

            with np.load(self._path) as held:
                self._known = dict(zip(held["texts"].tolist(), held["rows"], strict=True))

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            self._known.update(zip(new, self._inner.embed(new), strict=True))
        return np.array([self._known[text] for text in texts], np.float32)

    def learn(self, texts: Iterable[str], tell: Progress) -> None:
        """Embed these ahead, outside of the deadline that a mind gives an embedder; then keep all on disk."""
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for start in range(0, len(new), 64):
            tell(f"embedding {start:,} of {len(new):,}")
            self.embed(new[start : start + 64])
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_suffix(".partial.npz")
        np.savez(partial, texts=np.array(list(self._known)), rows=np.array(list(self._known.values())))
        partial.replace(self._path)


# --- dreams


@dataclass(frozen=True)
class Variant:
    """One way to dream; whether the first dream that changes nothing is the last."""

    dream: Callable[[Mind], bool]
    ends_when_quiet: bool = True

    def days(self, mind: Mind, clock: Clock, after_the_first: Callable[[], None]) -> int:
        """Dream once a day; how many dreams changed something."""
        changing = 0
        for day in range(MOST_DREAMS):
            clock.at += DAY
            changed = self.dream(mind)
            changing += changed
            if day == 0:
                after_the_first()
            if not changed and self.ends_when_quiet:
                break
        return changing


def steps(names: str) -> Variant:
    """These steps, run unattended."""
    return Variant(lambda mind: bool(mind.dreams.run(names).receipts), ends_when_quiet="curve" not in names)


def clusters(cosine: float) -> Variant:
    """The cluster step alone, at another threshold than its own."""

    def dream(mind: Mind) -> bool:
        proposal = cluster.propose(mind.dreams.night(), cosine)
        return bool(proposal.changes and mind.apply(joined([proposal])).applied)

    return Variant(dream)


# --- stores


@dataclass
class Kept:
    """A filled store on disk, what its memories are called in the answers, and when its last memory was born."""

    path: Path
    labels: dict[str, list[str]]
    ends: datetime
    embedder: Vectors

    @contextmanager
    def opened(self) -> Iterator[tuple[Mind, Clock]]:
        """A copy of it."""
        copy = self.path.with_name("copy.db")
        shutil.copyfile(self.path, copy)
        clock = Clock(self.ends)
        with Mind(copy, clock=clock, embedder=self.embedder, settings=SETTINGS) as mind:
            yield mind, clock
        for left in copy.parent.glob("copy.db*"):
            left.unlink()


def filled(path: Path, drafts: Sequence[dict[str, Any]], labels: Sequence[str], embedder: Vectors) -> Kept:
    """A store of these, as the benchmark of recall fills one."""
    ends = max(draft["created_at"] for draft in drafts)
    held: dict[str, list[str]] = {}
    with Mind(path, clock=Clock(ends), embedder=embedder, settings=SETTINGS) as mind:
        for label, made in zip(labels, mind.remember_many(drafts), strict=True):
            if made.memory is not None:
                held.setdefault(made.memory.id, []).append(label)
        mind.meaning.reembed()
    return Kept(path, held, ends, embedder)


class Answers:
    """Which labels a memory answers for: its own, and those of all that it was made from."""

    def __init__(self, mind: Mind, labels: dict[str, list[str]]) -> None:
        self._mind, self._labels = mind, labels
        self._known: dict[str, frozenset[str]] = {}

    def of(self, memory: Memory) -> frozenset[str]:
        if memory.id not in self._known:
            below = (self.of(self._mind.get(id)) for id in memory.lineage if id != memory.id)
            self._known[memory.id] = frozenset(self._labels.get(memory.id, ())).union(*below)
        return self._known[memory.id]


# --- LoCoMo


@dataclass
class Found:
    """Figures of one variant at one moment, over all conversations."""

    shares: list[float] = field(default_factory=list)
    shares_in_budget: list[float] = field(default_factory=list)
    answer_tokens: list[int] = field(default_factory=list)
    made_among_hits: int = 0
    live: int = 0
    live_tokens: int = 0
    dreams: list[int] = field(default_factory=list)

    def join(self, other: Found) -> None:
        """Take in those of another conversation."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, before: Found | None) -> dict[str, Any]:
        pairs = [] if before is None else list(zip(self.shares, before.shares, strict=True))
        return {
            "share": 100 * statistics.fmean(self.shares),
            "share_in_budget": 100 * statistics.fmean(self.shares_in_budget),
            "answer_tokens": statistics.fmean(self.answer_tokens),
            "made_among_hits": self.made_among_hits / len(self.shares),
            "live": self.live,
            "live_tokens": self.live_tokens,
            "dreams": f"{min(self.dreams)} to {max(self.dreams)}" if self.dreams else "",
            "worse": sum(now < then for now, then in pairs),
            "better": sum(now > then for now, then in pairs),
        }


def asked(mind: Mind, labels: dict[str, list[str]], questions: Iterable[locomo.Question]) -> Found:
    """Every question, leaving no trace; and what the store holds."""
    found = Found()
    answers = Answers(mind, labels)
    for question in questions:
        seen: set[str] = set()
        within: set[str] = set()
        tokens = used = 0
        for memory in (hit.memory for hit in mind.recall(question.text, limit=FIRST, reinforce=False)):
            size = estimate_tokens(memory.text)
            held = answers.of(memory)
            seen |= held
            tokens += size
            if used + size <= BUDGET_TOKENS:
                used += size
                within |= held
            found.made_among_hits += memory.source is Source.DREAM
        found.shares.append(len(seen & question.evidence) / len(question.evidence))
        found.shares_in_budget.append(len(within & question.evidence) / len(question.evidence))
        found.answer_tokens.append(tokens)
    stats = mind.stats()
    found.live = stats.memories.get("live", 0)
    found.live_tokens = stats.tokens.get("live", 0)
    return found


def conversations(
    data: Path, folder: Path, variants: dict[str, Variant], embedder: Vectors, tell: Progress, limit: int | None
) -> dict[str, dict[str, Any]]:
    """LoCoMo, a store a conversation: each variant after one dream and after the last one."""
    read = locomo.read(files.load(data, "locomo"))[:limit]
    texts = (text for c in read for text in (*map(_said, c.turns), *(question.text for question in c.questions)))
    embedder.learn(texts, tell)
    found: dict[str, Found] = {}
    for conversation in read:
        drafts = [
            {"text": _said(turn), "kind": "observation", "created_at": turn.at, "origin": f"session:{turn.session}"}
            for turn in conversation.turns
        ]
        path = folder / f"{conversation.id}.db"
        kept = filled(path, drafts, [turn.id for turn in conversation.turns], embedder)
        tell(f"{conversation.id}: undreamt")
        with kept.opened() as (mind, clock):
            for name in ("undreamt", LATER):
                found.setdefault(name, Found()).join(asked(mind, kept.labels, conversation.questions))
                clock.at += MOST_DREAMS * DAY
        for name, variant in variants.items():
            tell(f"{conversation.id}: {name}")
            for when, one in _dreamt(kept, variant, conversation):
                found.setdefault(f"{name}, {when}", Found()).join(one)
    return {name: one.row(None if name == "undreamt" else found["undreamt"]) for name, one in found.items()}


def _dreamt(kept: Kept, variant: Variant, conversation: locomo.Conversation) -> Iterator[tuple[str, Found]]:
    """What is found after the first dream, and after the last."""
    first = Found()
    with kept.opened() as (mind, clock):
        dreams = variant.days(mind, clock, lambda: first.join(asked(mind, kept.labels, conversation.questions)))
        if dreams > 1:
            last = asked(mind, kept.labels, conversation.questions)
        else:
            (last := Found()).join(first)
        last.dreams = [dreams]
        assert mind.check().problems == ()
    yield "one dream", first
    yield "all dreams", last


def _said(turn: locomo.Turn) -> str:
    return f"{turn.speaker}: {turn.text}"


# --- FactConsolidation


def facts(
    data: Path, folder: Path, variants: dict[str, Variant], embedder: Vectors, tell: Progress
) -> dict[str, dict[str, Any]]:
    """Share of questions whose first hit is the current value; what a dream made counts where it holds that fact."""
    results: dict[str, dict[str, Any]] = {}
    for task in factconsolidation.read(files.load(data, "factconsolidation")):
        if not task.single_hop:
            continue
        embedder.learn((*task.facts, *(question.text for question in task.questions)), tell)
        drafts = [
            {"text": text, "kind": "fact", "created_at": BORN + timedelta(seconds=number), "origin": str(number)}
            for number, text in enumerate(task.facts)
        ]
        path = folder / f"{task.name.replace(' ', '-')}.db"
        kept = filled(path, drafts, [str(number) for number in range(len(drafts))], embedder)
        everyone: dict[str, Variant | None] = {"undreamt": None, **variants}
        for name, variant in everyone.items():
            tell(f"{task.name}: {name}")
            with kept.opened() as (mind, clock):
                number = 0 if variant is None else variant.days(mind, clock, lambda: None)
                results.setdefault(name, {})[task.name] = asked_facts(mind, kept.labels, task) | {"dreams": number}
                assert mind.check().problems == ()
    return results


def asked_facts(mind: Mind, labels: dict[str, list[str]], task: factconsolidation.Task) -> dict[str, Any]:
    answers = Answers(mind, labels)
    first = among = made = 0
    for question in task.questions:
        right = current(task, question)
        hits = [hit.memory for hit in mind.recall(question.text, limit=FIRST, reinforce=False)]
        held = [{task.facts[int(label)] for label in answers.of(memory)} for memory in hits]
        among += any(one & right for one in held)
        if hits and hits[0].source is Source.DREAM:
            made += 1
            first += bool(held[0] & right)
        elif hits:
            first += holds(hits[0].text, question.answers)
    stats = mind.stats()
    number = len(task.questions)
    return {
        "first": 100 * first / number,
        "any": 100 * among / number,
        "made_first": made,
        "live": stats.memories.get("live", 0),
        "live_tokens": stats.tokens.get("live", 0),
    }
