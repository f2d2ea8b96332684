"""recall: a query → its meaning → candidates by words, meaning and file → ranking → hits, which count as accessed.

Only a plain recall of live memories counts as access. It looks at the archive too: what would have been among the hits
is named beside them, and counts as missed if it would have been the first. A time alone (`since`, `until`) finds what
was born then, the most worthy first. With `as_of`, memories are found by words and shown as they were then, unless they
were forgotten since. Search by words never waits: not for a writer, nor for an embedder that is gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from remanence.errors import EmbedderFailed, InvalidInput
from remanence.flows.entities import rephrased
from remanence.flows.find import found
from remanence.guard.redaction import echoed
from remanence.guard.secrets import redact
from remanence.model import checks
from remanence.model.hit import Hit, Hits
from remanence.model.ids import made_at
from remanence.model.memory import Memory, Source, State
from remanence.model.moment import moment_problems, to_micros
from remanence.model.policy import Policy
from remanence.model.selection import LIMIT, Selection, moments, selection_from, several
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Candidates, Embedded, Store

INCLUDES = {"live": (State.LIVE,), "archived": (State.LIVE, State.ARCHIVED)}
_LEAST_CANDIDATES = 48
_MOST_FILES = 16
_LOOKS = 3
_SPARE = 10
_LEAST_COUNTED = 32
_PATH = re.compile(r"(?<![\w/.-])(?:[\w.-]*/)*[\w-][\w.-]*\.[A-Za-z]\w{0,5}(?![\w/])")
_FILTERS = ("scope", "layers", "kinds", "categories", "sources")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a recall asks for, checked."""

    query: str | None
    limit: int
    include: str
    as_of: datetime | None
    budget_tokens: int | None
    reinforce: bool
    like: str | None
    files: tuple[str, ...]
    least: float
    selection: Selection
    personal: tuple[str, ...] = ()

    @property
    def is_of_a_time(self) -> bool:
        """Whether a time is all that is asked for."""
        return self.query is None and self.like is None and not self.files


def asked(
    query: str | None,
    now: datetime,
    *,
    limit: int = 10,
    include: str = "live",
    as_of: datetime | str | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    budget_tokens: int | None = None,
    reinforce: bool = True,
    like: str | None = None,
    files: Any = None,
    least: float = 0.0,
    personal: Collection[str] = (),
    **filters: Any,
) -> Asked:
    """The request these values make; InvalidInput with every problem."""
    times, said_badly = moments(now, as_of=as_of, since=since, until=until)
    then: datetime | None = times.pop("as_of")
    named = several(files) or ()
    if query is not None:
        problems = checks.text_problems(query, "query")
    elif like is not None or named or since is not None or until is not None:
        problems = []
    else:
        problems = ["nothing is asked: give a query, an example (like), files, or a time (since, until)"]
    problems += said_badly
    problems += checks.integer_problems(limit, "limit", 1, LIMIT)
    problems += checks.choice_problems(include, "include", INCLUDES)
    problems += checks.flag_problems(reinforce, "reinforce")
    problems += checks.tags_problems(named, "files")
    problems += checks.number_problems(least, "least", 0, 1)
    if like is not None:
        problems += checks.string_problems(like, "like")  # a text that is no memory's id is not found
    if then is not None:
        problems += moment_problems(then, "as_of")
        problems += [] if include == "live" else ["as_of shows what was live then: leave include out"]
        problems += [] if query is not None and like is None else ["as_of goes by words: give a query, and no example"]
    if budget_tokens is not None:
        problems += checks.integer_problems(budget_tokens, "budget_tokens", 1)
    problems += [f"unknown argument {name!r}" for name in filters if name not in _FILTERS]
    try:
        selection = selection_from(
            **{name: value for name, value in filters.items() if name in _FILTERS},
            **times,
            states=INCLUDES.get(str(include), ()),
            unexpired_at=now if then is None else None,
            as_of=then,
        )
    except InvalidInput as invalid:
        problems += invalid.problems
    if problems:
        raise InvalidInput(problems)
    return Asked(
        query=query,
        limit=limit,
        include=include,
        as_of=then,
        budget_tokens=budget_tokens,
        reinforce=reinforce,
        like=like,
        files=named or tuple(_PATH.findall((query or "")[:10_000])[:_MOST_FILES]),
        least=least,
        selection=selection,
        personal=tuple(personal),
    )


def recall(
    store: Store,
    encoder: Encoder | None,
    policy: Policy,
    ask: Asked,
    now: datetime,
    *,
    log: bool = True,
    per_session: int = 0,
    cut: Callable[[list[Hit]], list[Hit]] | None = None,
) -> Hits:
    """The best hits, best first; only those that stay after a `cut` count as accessed."""
    from remanence.lifecycle.ranking import within
    from remanence.lifecycle.regret import regretted

    cut = cut or partial(within, budget_tokens=ask.budget_tokens)
    if ask.as_of is not None:
        return Hits(cut(_as_it_was(store, ask, ask.as_of)[: ask.limit]))
    question, notes = question_of(store, encoder, ask)
    best, unembedded = ranked(store, policy, question, ask, ask.selection, now, per_session)
    for phrase in rephrased(store, question.words or "") if ask.like is None else ():
        other = Question(phrase, question.embedded)
        best = _side_by_side(best, ranked(store, policy, other, ask, ask.selection, now, per_session)[0])
    if unembedded:
        notes = (
            *notes,
            f"{unembedded} {'memory is' if unembedded == 1 else 'memories are'} found by words alone: without a vector "
            "yet, or with one of another model. Run: rem reembed",
        )
    hits = cut(best[: ask.limit])
    plain = ask.include == "live"
    looks_back = plain and not ask.is_of_a_time
    missed = _missed(store, policy, question, ask, best[: ask.limit], now) if looks_back else []
    if ask.reinforce and plain:
        if hits:
            store.touch([hit.memory.id for hit in hits], now)
        regrets = regretted(missed, best[: ask.limit])
        if log or regrets:
            said = None
            if log and ask.query is not None:
                said = echoed(ask.query, [hit.memory.text for hit in hits], clean=question.words is ask.query)
            store.log.add(said, [hit.memory.id for hit in hits], [hit.memory.id for hit in regrets], now)
    return Hits(hits, missed, notes)


def ranked(
    store: Store,
    policy: Policy,
    question: Question,
    ask: Asked,
    selection: Selection,
    now: datetime,
    per_session: int,
    ids: Sequence[str] = (),
    *,
    quick: bool = False,
) -> tuple[list[Hit], int]:
    """Hits in order, more than are asked for, and how many memories have no vector to compare.

    Quick is a look for the best alone: not for what common words find, or what is behind nearer ones that have expired.
    """
    if ask.is_of_a_time:
        return _of_a_time(store, policy, selection, now, per_session), 0
    number = max(_LEAST_CANDIDATES, 3 * ask.limit)

    def look(*, exactly: bool) -> tuple[list[Hit], int, int]:
        for _ in range(_LOOKS):
            found = store.candidates(
                *question, selection, number, files=ask.files, ids=ids, exactly=exactly, quick=quick
            )
            hits, others, moved = ranking(store, policy, found, question.embedded, ask, selection, now, per_session)
            if not moved:
                break
        return [hit for hit in hits if hit.memory.id != ask.like], others, found.unembedded

    hits, others, unembedded = look(exactly=False)
    if len(hits) < ask.limit and others and not quick:
        # Some of the nearest are not meant after all (they have expired): look among those that are.
        hits, _, unembedded = look(exactly=True)
    return hits, unembedded


def _side_by_side(hits: Sequence[Hit], others: Sequence[Hit]) -> list[Hit]:
    """The hits of two ways to ask the same, each memory once where it stands better, the first way before the other."""
    found: dict[str, tuple[int, Hit]] = {}
    for place, hit in (*enumerate(hits), *enumerate(others)):
        known = found.get(hit.memory.id)
        if known is None or (hit.rank > known[1].rank and place < known[0]):
            found[hit.memory.id] = (place, hit)
    return [hit for _, hit in sorted(found.values(), key=lambda one: one[0])]


def _missed(
    store: Store, policy: Policy, question: Question, ask: Asked, hits: Sequence[Hit], now: datetime
) -> list[Hit]:
    """Archived memories that would have been among the hits, answer well, and say something else than these."""
    from remanence.lifecycle.ranking import answers_well, new_among

    if not store.holds(State.ARCHIVED):
        return []
    archive = replace(ask.selection, states=(State.ARCHIVED,))
    has_all = len(hits) >= ask.limit
    found, _ = ranked(store, policy, question, ask, archive, now, 0, quick=has_all)  # the last hit must be surpassed
    least = hits[-1].rank if has_all else 0.0
    sources = {id for hit in hits for id in hit.memory.lineage}
    better = [
        hit
        for hit in found[: ask.limit]
        if hit.rank > least and answers_well(hit) and hit.memory.id not in sources and not hit.memory.is_over(now)
    ]
    return new_among(better, hits)


class Question(NamedTuple):
    """What to look for: the words to search by, the vector to compare with."""

    words: str | None
    embedded: Embedded | None


def question_of(store: Store, encoder: Encoder | None, ask: Asked) -> tuple[Question, tuple[str, ...]]:
    """What is asked, by words, by example or both; and what is to be said about the lack of a vector."""
    words = ask.query
    if ask.like is not None:
        example = found(store, ask.like)
        words = example.text if words is None else f"{words}\n{example.text}"
        if encoder is not None and ask.query is None:
            vector = store.meanings.of([example.id], encoder.model).get(example.id)
            if vector is not None:
                return Question(words, Embedded(encoder.model, vector)), ()
    words = None if words is None else redact(words, personal=ask.personal).text  # an embedder may be anywhere
    if words is None or encoder is None:
        return Question(words, None), ()
    try:
        return Question(words, Embedded(encoder.model, encoder.query(words))), ()
    except EmbedderFailed as failed:
        return Question(words, None), (f"Found by words alone: {failed}",)


def ranking(
    store: Store,
    policy: Policy,
    candidates: Candidates,
    embedded: Embedded | None,
    ask: Asked,
    selection: Selection,
    now: datetime,
    per_session: int,
) -> tuple[list[Hit], int, int]:
    """The candidates that may be among the hits, in order, with the parts of their ranks.

    Also how many are not meant, and how many left or changed since they were found: what took their place was not.
    """
    import numpy as np

    from remanence.lifecycle import ranking as rules

    mass = sum(candidates.telling.values())
    text = candidates.text
    first, _ = rules.answers(text, mass, candidates.vector, candidates.by_file)
    if candidates.telling and len(first):
        best = np.argsort(-first, kind="stable")[: max(_LEAST_COUNTED, 3 * ask.limit)]
        text = text.copy()
        text[best] = store.counted(candidates, best.tolist())
    answers, words = rules.answers(text, mass, candidates.vector, candidates.by_file)
    answers = rules.lifted(answers, candidates.beside) if candidates.beside else answers
    order = np.lexsort((-candidates.rows, -answers))
    order = order[(answers[order] > 0.0) & (answers[order] >= ask.least)]
    chosen, others, moved = _chosen(store, candidates, order.tolist(), selection, ask.limit + _SPARE)
    if not chosen:
        return [], others, moved
    factors, standing = _standing([memory for _, memory in chosen], policy, now)
    places = [place for place, _ in chosen]
    scores = [column[places].tolist() for column in (answers, words, candidates.vector, candidates.by_file)]
    hits = []
    for (_, memory), factor, held, answer, by_words, cosine, by_file in zip(
        chosen, factors, standing, *scores, strict=True
    ):
        parts = {"answer": answer, "text": by_words}
        if cosine == cosine:  # NaN where there is no vector
            parts["vector"] = cosine
        if by_file:
            parts["file"] = 1.0
        hits.append(_hit(memory, answer, factor, parts | held))
    hits = rules.newest_first(hits, candidates.telling)
    likeness = None
    if embedded is not None:
        row = {memory.id: int(candidates.rows[place]) for place, memory in chosen}
        likeness = store.meanings.likeness([row[hit.memory.id] for hit in hits], embedded)
    return rules.diverse(hits, likeness, per_session), others, moved


def _standing(memories: Sequence[Memory], policy: Policy, now: datetime) -> tuple[list[float], list[dict[str, float]]]:
    """What multiplies the rank of each, and of what that is made."""
    from remanence.lifecycle.measures import Measures
    from remanence.lifecycle.ranking import standing
    from remanence.model.columns import columns_of

    values, factors = standing(Measures(columns_of(memories, counted=False), policy), to_micros(now))
    by_name = [value.tolist() for value in values.values()]
    return factors.tolist(), [dict(zip(values, some, strict=True)) for some in zip(*by_name, strict=True)]


def _hit(memory: Memory, answer: float, factor: float, parts: dict[str, float]) -> Hit:
    rank = answer * factor
    if memory.uses or memory.rejections:
        from remanence.lifecycle.ranking import usefulness

        parts["useful"] = usefulness(memory)
        rank *= parts["useful"]
    return Hit(memory, rank, parts, memory.state is State.ARCHIVED)


def _of_a_time(store: Store, policy: Policy, selection: Selection, now: datetime, per_session: int) -> list[Hit]:
    """What was born then, of the newest thousand, as it stands: nothing answers better than another."""
    from remanence.lifecycle.ranking import diverse, ordered

    memories = store.select(selection, limit=LIMIT)
    if not memories:
        return []
    each = zip(memories, *_standing(memories, policy, now), strict=True)
    hits = [_hit(memory, 1.0, factor, {"answer": 1.0} | held) for memory, factor, held in each]
    return diverse(ordered(hits), None, per_session)


def _chosen(
    store: Store, candidates: Candidates, order: Sequence[int], selection: Selection, number: int
) -> tuple[list[tuple[int, Memory]], int, int]:
    """The first so many that the selection holds, each with its place among the candidates.

    Also how many it does not hold, and of how many of those the state is another than it was when they were found.
    """
    chosen: list[tuple[int, Memory]] = []
    others = moved = 0
    for start in range(0, len(order), number):
        part = order[start : start + number]
        rows = candidates.rows[part].tolist()
        memories = store.memories(rows)
        for place, row in zip(part, rows, strict=True):
            memory = memories.get(row)
            if memory is not None and selection.holds(memory):
                chosen.append((place, memory))
            else:
                others += 1
                moved += memory is None or memory.state not in selection.states
        if len(chosen) >= number:
            break
    return chosen[:number], others, moved


def _as_it_was(store: Store, ask: Asked, moment: datetime) -> list[Hit]:
    """Hits with the fields they had at that moment, chosen by those fields."""
    from remanence.lifecycle.ranking import ordered

    selection = ask.selection
    anyhow = replace(selection, layers=None, categories=None)
    matches = store.matching(ask.query or "", anyhow, None)
    hits = ordered([Hit(memory, score, {"text": score}) for memory, score in matches])
    then = store.revert([hit.memory for hit in hits], moment)
    return [
        Hit(memory, hit.rank, hit.parts)
        for hit, memory in zip(hits, then, strict=True)
        if not memory.is_over(moment)
        and (memory.source is not Source.DREAM or made_at(memory.id) <= moment)  # it is as old as what it was made from
        and (selection.layers is None or memory.layer in selection.layers)
        and (selection.categories is None or set(selection.categories) & set(memory.categories))
    ]
