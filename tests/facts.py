"""Facts of a few topics, each with a name and a number of its own, and an embedder that sees their topics.

Facts of one topic are near to each other (cosines of about 0.86), so a dream takes them for a cluster; facts of two
topics stand about at a right angle. A text speaks of the topic whose word it holds, so a summary of facts is near
to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence import Mind
from remanence.model.hit import Outcome
from remanence.model.memory import Memory, State

TOPICS = ("backup", "kitchen", "garden", "harbour", "library", "railway", "theatre", "orchard")
_DIMENSION = 48
_FIRST = (
    *("Maria", "Tom", "Ines", "Pavel", "Noor", "Greta", "Ivo", "Lena", "Omar", "Sofia", "Yuki", "Hugo", "Elif"),
    *("Marek", "Aisha", "Bruno", "Klara", "Dmitri", "Paula", "Stefan"),
)
_LAST = ("Keller", "Novak", "Haddad", "Lindqvist", "Okafor", "Moreau", "Petrov", "Tanaka", "Alvarez", "Weber")
_PLACES = ("Frankfurt", "Porto", "Oslo", "Turin", "Krakow", "Lyon", "Ghent", "Malmo", "Bergen", "Seville", "Graz")
_SAID = (
    "{name} checks the {topic} in {place} with {number} sensors",
    "For the {topic}, {name} ordered {number} lamps from {place}",
    "{number} visitors from {place} saw the {topic} because {name} invited them",
    "The {topic} report that {name} wrote counts {number} boxes near {place}",
    "Since the storm at {place}, {name} repaired {number} pieces of the {topic}",
    "A letter to {name} says the {topic} costs {number} euros a year, paid at {place}",
    "{name} moved the {topic} archive of {number} pages over to {place}",
)


def fact(topic: str, number: int) -> str:
    """The number-th fact of a topic: "Maria Keller checks the backup in Frankfurt with 1000 sensors"."""
    count, name = specifics(topic, number)
    place = _PLACES[(number + 3 * TOPICS.index(topic)) % len(_PLACES)]
    return _SAID[number % len(_SAID)].format(name=name, topic=topic, place=place, number=count)


def facts(topic: str, number: int, start: int = 0) -> list[str]:
    return [fact(topic, n) for n in range(start, start + number)]


def specifics(topic: str, number: int) -> tuple[str, str]:
    """What no other fact holds: its number, and its name for as long as there are fewer than 200 of its topic."""
    place = TOPICS.index(topic)
    other = number + 61 * place
    return str(1000 * (1 + place) + number), f"{_FIRST[other % 20]} {_LAST[other // 20 % 10]}"


@cache
def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")
    vector = np.random.default_rng(seed).standard_normal(_DIMENSION)
    return vector / np.linalg.norm(vector)


class Topical:
    """The embedder. `before` is called with the texts of each call, `sick` makes calls fail."""

    local = True
    model = "topical"

    def __init__(self, nearness: float = 0.86) -> None:
        self.nearness = nearness
        self.sick = False
        self.before: Callable[[Sequence[str]], None] = lambda texts: None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.before(texts)
        if self.sick:
            raise RuntimeError("the embedder is gone")
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> NDArray[np.float64]:
        own = _direction(text)
        for topic in TOPICS:
            if topic in text.casefold():
                vector = self.nearness**0.5 * _direction(topic) + (1 - self.nearness) ** 0.5 * own
                return vector / np.linalg.norm(vector)
        return own


class Author:
    """A language model that answers as it is told: a text, an error to raise, or what a function makes of a prompt."""

    model = "author@1"

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def complete(
        self, prompt: str, *, system: str = "", schema: Mapping[str, Any] | None = None, most_tokens: int = 1024
    ) -> Any:
        self.asked.append(prompt)
        answer = self.answer(prompt, schema) if callable(self.answer) else self.answer
        if isinstance(answer, BaseException):
            raise answer
        return answer


def remembered(mind: Mind, texts: Sequence[str], scope: str = "/town", **fields: Any) -> list[Memory]:
    """The memories of these texts, all of them live and undoubted."""
    drafts = [{"text": text, "scope": scope, "importance": 0.5} | fields for text in texts]
    done = mind.remember_many(drafts)
    assert {one.outcome for one in done} == {Outcome.ADDED}
    assert {(one.memory.state, one.memory.challenged_by) for one in done} == {(State.LIVE, None)}
    return [one.memory for one in done]


def ancestors(mind: Mind, memory: Memory) -> set[str]:
    """The ids of all that a memory was made from, to any depth."""
    found: set[str] = set()
    waiting = list(memory.lineage)
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            waiting += mind.get(id).lineage
    return found


def reaches(mind: Mind, asked: Memory, **options: Any) -> Memory | None:
    """What recall finds for a fact: itself, or a memory made from it; None where it finds neither."""
    for hit in mind.recall(asked.text, reinforce=False, **options):
        if hit.memory.id == asked.id or asked.id in ancestors(mind, hit.memory):
            return hit.memory
    return None
