"""compact: what is remembered about a topic → one summary a scope that stands for it, its sources archived.

About a topic is what is tagged with it (category or concept) or holds all its telling words. A source leaves only where
the summary covers it; the others stay, and the plan says what would be lost of each. Raw output goes into no summary,
and leaves only where one says all of it anyway. Where not all fits into one summary there are several, and kinds that
rules treat for themselves, such as decisions, have their own. Pinned, doubted, expiring and exempt memories are left
alone. A summary is compacted once more when there is new to add; one that was compacted twice never is, it leaves only
when a newer summary says all it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from remanence.errors import InvalidInput
from remanence.flows.dream.night import claim_key, claimed
from remanence.flows.wording import worded
from remanence.lifecycle.coverage import lost
from remanence.lifecycle.merging import MOST_CHARACTERS, Merged, merged
from remanence.lifecycle.summaries import DEEPEST, is_summary, kept_apart, merged_kind, summary_of
from remanence.model import checks
from remanence.model.claim import Claim
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan
from remanence.model.selection import Selection, selection_from
from remanence.model.words import STOP_WORDS, estimate_tokens, folded

if TYPE_CHECKING:
    from remanence.flows.dream.night import Night

VERB = "compact"
SUMMARY = "summary of a topic"
COMPACTED = "compacted into a summary"
RAW_OUTPUT = "raw output"
SAID_ANEW = "compacted twice, and said anew"
RAW_KINDS = frozenset(("tool_output",))
LEAST = 2
MOST_SOURCES = 2_000
_WINDOW_CHARACTERS = 4 * MOST_CHARACTERS


@dataclass(slots=True)
class _Found:
    """What there is about a topic in one scope, of kinds that go together, oldest first."""

    fresh: list[Memory] = field(default_factory=list)
    summaries: list[Memory] = field(default_factory=list)
    finished: list[Memory] = field(default_factory=list)
    raw: list[Memory] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    """A compaction on its way."""

    night: Night
    topic: str
    claims: list[Claim] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    raw: set[str] = field(default_factory=set)
    unfit: set[str] = field(default_factory=set)
    """What was in a summary that cannot be written; another one may hold it."""
    dropped: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def compact(night: Night, topic: str) -> Plan:
    """The plan that compacts a topic in the scopes of the night."""
    if problems := checks.string_problems(topic, "topic"):
        raise InvalidInput([*problems, "name a category, a concept or words, such as: rem compact deploys"])
    topic = " ".join(topic.split())
    selection = selection_from(scope=night.scopes, unexpired_at=night.now)
    run = _Run(night, topic)
    about = _about(night, selection, topic)
    for found in _by_place(run, about).values():
        if night.is_over():
            run.left["left to another run, as the time of this one is used up"] += len(found.fresh)
            continue
        _scope(run, found)
    if raw := run.raw - night.taken:
        run.left["raw output, of which no summary says all"] = len(raw)
    if unfit := run.unfit - night.taken:
        run.left["whose summary would read like an instruction, or was purged"] = len(unfit)
    claims = [replace(claim, staying=_staying(run, claim)) for claim in run.claims]
    note = f"topic {topic}; llm: {'true' if any(claim.llm for claim in run.claims) else 'false'}"
    return Plan(tuple(run.changes), VERB, note=note, warnings=tuple(_told(run, len(about))), claims=tuple(claims))


# --- what is about the topic


def _about(night: Night, selection: Selection, topic: str) -> list[Memory]:
    """Live memories that are tagged with the topic or hold its telling words, oldest first."""
    found: dict[str, Memory] = {}
    key = folded(topic)
    telling = [word for word in topic.split() if folded(word).strip(".,;:!?") not in STOP_WORDS]
    if telling:
        matches = night.store.matching(" ".join(telling), selection, None, every_word=True)
        found |= {memory.id: memory for memory, _ in matches}
    for page in night.store.pages(selection):
        for memory in page:
            if any(folded(tag) == key for tag in (*memory.categories, *memory.concepts)):
                found.setdefault(memory.id, memory)
    return sorted(found.values(), key=lambda one: (one.created_at, one.id))


def _by_place(run: _Run, about: Iterable[Memory]) -> dict[tuple[str, str], _Found]:
    """What may be compacted, by scope and by the kind of its summary."""
    places: dict[tuple[str, str], _Found] = {}
    for memory in about:
        if why := _untouchable(run, memory):
            run.left[why] += 1
            continue
        found = places.setdefault((memory.scope, merged_kind(memory.kind)), _Found())
        if is_summary(memory):
            (found.finished if memory.depth >= DEEPEST else found.summaries).append(memory)
        elif memory.depth >= DEEPEST:
            found.finished.append(memory)
        elif memory.kind in RAW_KINDS:
            found.raw.append(memory)
            run.raw.add(memory.id)
        elif len(memory.text) > MOST_CHARACTERS:
            run.left[f"longer than the {MOST_CHARACTERS:,} characters of a summary"] += 1
        elif len(found.fresh) < MOST_SOURCES:
            found.fresh.append(memory)
        else:
            run.left[f"left to another run, which compacts at most {MOST_SOURCES} in a scope"] += 1
    return dict(sorted(places.items()))


def _untouchable(run: _Run, memory: Memory) -> str:
    """Why a memory is left alone; "" where it is not."""
    why = kept_apart(memory)
    if not why and not run.night.free(memory):
        return "restored lately, which nothing takes away again for a month"
    return why


# --- what is made of it


def _scope(run: _Run, found: _Found) -> None:
    """So many summaries as cover what can be covered; those there are take part in the first."""
    fresh, summaries = _readable(run, found.fresh), _readable(run, found.summaries)
    claims = len(run.claims)
    rest: list[Memory] = []
    while len(fresh) >= LEAST:
        window = _window(fresh)
        covered = (_claim(run, [*summaries, *window], found) if summaries else None) or _claim(run, window, found)
        if covered:
            summaries = []
        else:  # nothing goes with the longest of these
            longest = max(window, key=lambda one: (len(one.text), one.id))
            rest.append(longest)
            covered = {longest.id}
        fresh = [one for one in fresh if one.id not in covered]
    rest = sorted([*rest, *fresh], key=lambda one: (len(one.text), one.id))
    while len(rest) >= LEAST and (covered := _claim(run, _window(rest), found)):
        rest = [one for one in rest if one.id not in covered]
    if len(run.claims) == claims and len(rest) >= LEAST and (long := [one for one in rest if one.id not in run.unfit]):
        run.left["that no summary covers, as they are too long"] += len(long)


def _window(memories: Sequence[Memory]) -> list[Memory]:
    """The first of these, a few times as many as one summary holds: what is alike among them is said once."""
    room = _WINDOW_CHARACTERS
    window: list[Memory] = []
    for memory in memories:
        room -= len(memory.text)
        if room < 0 and len(window) >= LEAST:
            break
        window.append(memory)
    return window


def _readable(run: _Run, memories: Iterable[Memory]) -> list[Memory]:
    """Without what reads like an instruction: a summary is a dream's, and would be quarantined for it."""
    from remanence.guard.screening import screen

    kept = []
    for memory in memories:
        if screen(memory.text):
            run.left["that read like instructions"] += 1
        else:
            kept.append(memory)
    return kept


def _claim(run: _Run, sources: Sequence[Memory], found: _Found) -> set[str]:
    """One summary of these sources; the ids it covers, none where it covers too few or cannot be written."""
    sources = sorted(sources, key=lambda one: (one.created_at, one.id))
    texts = [memory.text for memory in sources]
    plain = merged(texts, MOST_CHARACTERS)
    covered = [sources[place] for place in plain.covered]
    if sum(not is_summary(memory) for memory in covered) < LEAST:
        return set()
    told = {"compacted_from": len(covered), "topic": run.topic, "llm": False}
    made = summary_of(covered, plain.text, run.night.new_id(run.night.now), told)
    if _is_unfit(run, made):
        run.unfit.update(one.id for one in covered)
        return set()
    made = _worded(run, made, [one.text for one in covered])  # a model is asked only for what is written anyway
    anew = [one for one in found.finished if run.night.free(one) and not lost(one.text, made.text)]
    raw = [one for one in found.raw if run.night.free(one) and not lost(one.text, made.text)]
    leaving = [*((one, COMPACTED) for one in covered), *((one, SAID_ANEW) for one in anew)]
    leaving += ((one, RAW_OUTPUT) for one in raw)
    tokens = sum(estimate_tokens(one.text) for one, _ in leaving)
    staying = {sources[place].id: ", ".join(misses[:6]) for place, misses in plain.lost.items()}
    claim = Claim(
        key=claim_key(VERB, [run.topic, *(one.id for one in covered)]),
        step=VERB,
        title=f"{len(covered)} memories of {made.scope} about {run.topic} become one summary",
        made=(made.id,),
        sources=made.lineage,
        leaving=tuple(one.id for one, _ in leaving),
        staying=staying,
        evidence={
            "coverage": round(len(covered) / len(sources), 4),
            "depth": made.depth,
            "tokens_before": tokens,
            "tokens_after": estimate_tokens(made.text),
        },
        llm=made.metadata["llm"],
    )
    left = [
        replace(Change.of(one, why, state=State.ARCHIVED), revision=one.revision, evidence={"depth": one.depth})
        for one, why in leaving
    ]
    run.claims.append(claim)
    run.changes += claimed(claim, [Change.add(made, SUMMARY, **claim.evidence), *left])
    run.night.taken |= set(claim.leaving)
    return set(claim.leaving)


def _staying(run: _Run, claim: Claim) -> dict[str, str]:
    """What stays in recall after all: what one summary does not cover another may."""
    return {id: why for id, why in claim.staying.items() if id not in run.night.taken}


def _is_unfit(run: _Run, made: Memory) -> bool:
    from remanence.flows.door import reasons_of

    if checks.text_problems(made.text) or run.night.store.tombstones([made.text]):
        return True
    return bool(reasons_of(made))


def _worded(run: _Run, made: Memory, texts: Sequence[str]) -> Memory:
    """The summary of these texts in the words of a language model, where they are better and may be written."""
    model = None if run.night.is_over() else run.night.llm
    taken = worded(model, "compact", Merged(made.text, tuple(range(len(texts))), {}), texts, topic=run.topic)
    if taken.failure:
        run.failures.append(taken.failure)
    if taken.fault:
        run.dropped[taken.fault] += 1
    if not taken.by_model:
        return made
    said = made.but(text=taken.summary.text, metadata={**made.metadata, "llm": True})
    if _is_unfit(run, said):
        run.dropped["purged before"] += 1
        return made
    return said


def _told(run: _Run, number: int) -> list[str]:
    """What there was, where nothing comes of it; what was left alone, and what a model had to do with it."""
    told = []
    if not run.claims:
        what = "memory is" if number == 1 else "memories are"
        few = "" if number >= LEAST else f", and it takes {LEAST}"
        told.append(f"nothing to compact: {number} live {what} about {run.topic}{few}")
    told += (f"{count} left alone: {why}" for why, count in sorted(run.left.items()))
    if run.dropped:
        reasons = ", ".join(f"{count} {why}" for why, count in sorted(run.dropped.items()))
        told.append(f"answers of the language model were dropped: {reasons}")
    told += (f"done without a model: {why}" for why in dict.fromkeys(run.failures))
    return told
