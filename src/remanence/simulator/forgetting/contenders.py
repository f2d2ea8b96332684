"""Who chooses what stays: bounds, plain rules, caches, the seeds' policies, formulas like those of peers, and ours.

Each gives a number for every row that is held; the lowest leave. Policies are asked through the product's own measures,
so a preset here is the preset that ships. Formulas in the style of peers are asked without a query, as a sweep would:
recency and importance as crewai weighs them, the relevance of mcp-memory-service without its links, and for mem0, which
lets nothing go by itself, the newest. They are ours after theirs, not their code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from remanence.errors import InvalidInput
from remanence.lifecycle import content
from remanence.lifecycle.cover import standings
from remanence.lifecycle.measures import Measures
from remanence.lifecycle.recency import recency
from remanence.lifecycle.sizes import MERE_RECALL
from remanence.model.moment import MICROS_PER_DAY
from remanence.model.policy import Policy
from remanence.simulator.forgetting.replay import Floats, Forgetter, Held

ORACLE, RANDOM, ALL, OURS, PRODUCT = "oracle", "random", "all", "balanced", "product"
_SEEDED = ("halflife", "relevance", "layered", "tiered")
_WINDOW = 0.01


@dataclass(frozen=True, slots=True)
class Rule:
    """A contender that is one formula."""

    name: str
    formula: Callable[[Held], Floats]

    def standings(self, held: Held) -> Floats:
        return self.formula(held)


def random(seed: int) -> Forgetter:
    """A number drawn for each turn once."""

    def drawn(held: Held) -> Floats:
        talk = held.known.talk
        return np.random.default_rng([seed, crc32(talk.id.encode())]).random(len(talk.turns))[held.rows]

    return Rule(RANDOM, drawn)


def _oracle(held: Held) -> Floats:
    """By value a character: the share of each question that a turn answers, over all; of a trace, the uses to come."""
    talk = held.known.talk
    value = np.zeros(len(talk.turns))
    if talk.past is not None:
        for row in held.rows.tolist():
            uses = talk.past.uses[row]
            value[row] = len(uses) - int(np.searchsorted(uses, held.now, side="right"))
    for question in talk.questions:
        for row in question.evidence:
            value[row] += 1 / len(question.evidence)
    return (value / np.maximum(held.known.characters, 1))[held.rows]


def _days(held: Held) -> tuple[Floats, Floats]:
    """Age and days since the last access."""
    born = held.known.born[held.rows]
    return (held.now - born) / MICROS_PER_DAY, (held.now - held.last_at) / MICROS_PER_DAY


def _newest(held: Held) -> Floats:
    """First in, first out: the newest stay."""
    return held.rows.astype(np.float64)


def _recent(held: Held) -> Floats:
    return held.last_at + held.rows / 1e4


def _frequent(held: Held) -> Floats:
    return held.counts + _newest(held) / 1e6


def _tiny(held: Held) -> Floats:
    """W-TinyLFU: a small window of the newest stays; the rest by frequency, halved every hundred accesses."""
    rows, characters = held.rows, held.known.characters
    halvings = sum(map(len, held.accesses)) // 100
    young = np.cumsum(characters[rows][::-1])[::-1] <= _WINDOW * held.known.talk.characters
    return np.floor(held.counts / 2.0**halvings) + np.where(young, 1e6, 0.0) + _newest(held) / 1e6


def _shortest(held: Held) -> Floats:
    return -held.known.characters[held.rows].astype(np.float64)


def _rare(held: Held) -> Floats:
    """The mass of rare words, a character."""
    said = [held.known.told[row].words for row in held.rows.tolist()]
    number: dict[str, int] = {}
    for words in said:
        for word in words:
            number[word] = number.get(word, 0) + 1
    mass = np.array([sum(np.log((len(said) + 1) / number[word]) for word in words) for words in said])
    return mass / np.maximum(held.known.characters[held.rows], 1)


def _crewai(held: Held) -> Floats:
    """0.3 · 0.5^(age/30 d) + 0.2 · importance; half of its score is likeness to a query, which a sweep has not."""
    age, _ = _days(held)
    return 0.3 * np.exp2(-age / 30.0) + 0.2 * held.columns().importance


def _mcp_memory_service(held: Held) -> Floats:
    """importance · e^(-age/30 d), times 1.5, 1.2, 1 or 0.8 by whether the last access is a day, week, month ago."""
    age, idle = _days(held)
    touched = held.counts > 0
    boost = np.select([touched & (idle <= 1), touched & (idle <= 7), touched & (idle <= 30)], [1.5, 1.2, 1.0], 0.8)
    return held.columns().importance * np.exp(-age / 30.0) * boost


def of_policy(policy: Policy) -> Forgetter:
    """A policy by the number its rules compare; where two are equal the older leaves."""

    def value(held: Held) -> Floats:
        return Measures(held.columns(), policy).measure(policy.value, held.now) + _newest(held) / 1e9

    return Rule(policy.name, value)


def ours(policy: Policy, weights: Mapping[str, float] | None = None, name: str = OURS) -> Forgetter:
    """Our policy as its budget chooses: what each says among the others, how it was used, what is left of it."""

    def stands(held: Held) -> Floats:
        rows = held.rows.tolist()
        columns = held.columns()
        known = held.known
        told = [known.told[row] for row in rows]
        values = [one.value for one in told]
        if weights is not None:
            turns = known.talk.turns
            values = [content.value(turns[row].said, weights, answer=known.answering[row]) for row in rows]
        measures = Measures(columns, policy)
        standing, _ = standings(
            values,
            known.characters[rows],
            [one.words for one in told],
            importance=columns.importance,
            retention=measures.retention(held.now),
            uses=columns.uses + MERE_RECALL * columns.access_count,
            recency=recency(columns, measures.idle_days(held.now)),
        )
        return standing

    return Rule(name, stands)


_PLAIN: Mapping[str, Callable[[Held], Floats]] = {
    ORACLE: _oracle,
    "fifo": _newest,
    "lru": _recent,
    "lfu": _frequent,
    "w-tinylfu": _tiny,
    "shortest": _shortest,
    "rare words": _rare,
    "crewai-style": _crewai,
    "mcp-memory-service-style": _mcp_memory_service,
    "mem0-style": _newest,
}
USING = ("lru", "lfu", "w-tinylfu", *_SEEDED, "mcp-memory-service-style", OURS)
"""Those that look at accesses: the others choose alike whatever is recalled."""
ALSO = {"newest": "fifo", "newest first": "fifo"}
"""Other names that are known."""
NAMES = (ORACLE, ALL, RANDOM, *(name for name in _PLAIN if name != ORACLE), *_SEEDED, OURS, PRODUCT)


def problems_of(names: Sequence[str]) -> list[str]:
    """Which names are none of a contender."""
    unknown = [name for name in dict.fromkeys(names) if name not in NAMES and name not in ALSO]
    return [f"no contender is called {name!r}; known are {', '.join(NAMES)}" for name in unknown]


def called(names: Sequence[str]) -> list[str]:
    """Each contender once, by its own name."""
    return list(dict.fromkeys(ALSO.get(name, name) for name in names))


def made(names: Sequence[str], policies: Mapping[str, Policy]) -> list[Forgetter]:
    """The contenders of these names but for the bounds, which every run has; InvalidInput names unknown ones."""
    if problems := problems_of(names):
        raise InvalidInput(problems)
    found: list[Forgetter] = []
    for name in called(names):
        if name in _PLAIN and name != ORACLE:
            found.append(Rule(name, _PLAIN[name]))
        elif name in _SEEDED:
            found.append(of_policy(policies[name]))
        elif name == OURS:
            found.append(ours(policies[OURS]))
    return found


def oracle() -> Forgetter:
    return Rule(ORACLE, _oracle)
