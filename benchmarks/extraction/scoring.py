"""How far extracted statements agree with the facts a person labelled.

A statement can stand for a fact when it holds all of the fact's terms: substrings, compared case-folded after NFKC with
white space as one blank; a list among the terms asks for any one of its words. Statements and facts are then paired one
to one, as many as possible: a statement that lumps two facts counts for one, a repeated one is false the second time.
An optional fact is paired after all others and counts on neither side, found or not.

Micro figures add up pairs over texts; the macro F1 is the mean over texts, where a text without facts and without
statements is 1.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Fact = dict[str, Any]
Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs found, statements made, facts labelled; optional facts and their statements are in none of the three."""

    hit: int = 0
    predicted: int = 0
    gold: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.hit + other.hit, self.predicted + other.predicted, self.gold + other.gold)

    @property
    def precision(self) -> float:
        return self.hit / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        return self.hit / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        total = self.predicted + self.gold
        return 2 * self.hit / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who stands for whom: `found` maps a fact's place to its statement's."""

    found: dict[int, int]
    missed: tuple[int, ...]
    false: tuple[int, ...]
    score: Score


def score(predicted: Sequence[str], facts: Sequence[Fact]) -> Score:
    """Hits, statements and facts of one text."""
    return pair(predicted, facts).score


def pair(predicted: Sequence[str], facts: Sequence[Fact]) -> Pairing:
    """The largest one-to-one pairing; facts that count come before optional ones."""
    said = [normal(each) for each in predicted]
    fits = [[place for place, text in enumerate(said) if _holds(text, fact["terms"])] for fact in facts]
    taken: dict[int, int] = {}  # statement -> fact
    counted = [place for place, fact in enumerate(facts) if not fact.get("optional")]
    optional = [place for place, fact in enumerate(facts) if fact.get("optional")]
    # A fact once paired stays paired when others are added, so the order decides who comes first.
    for place in [*counted, *optional]:
        _augment(place, fits, taken, set())
    found = {fact: statement for statement, fact in taken.items()}
    missed = tuple(place for place in counted if place not in found)
    false = tuple(place for place in range(len(said)) if place not in taken)
    hit = len(counted) - len(missed)
    return Pairing(found, missed, false, Score(hit, hit + len(false), len(counted)))


def _augment(fact: int, fits: list[list[int]], taken: dict[int, int], seen: set[int]) -> bool:
    for statement in fits[fact]:
        if statement in seen:
            continue
        seen.add(statement)
        if statement not in taken or _augment(taken[statement], fits, taken, seen):
            taken[statement] = fact
            return True
    return False


def satisfies(statement: str, fact: Fact) -> bool:
    """Whether the statement holds every term of the fact."""
    return _holds(normal(statement), fact["terms"])


def _holds(text: str, terms: Iterable[str | list[str]]) -> bool:
    return all(any(normal(word) in text for word in _words(term)) for term in terms)


def _words(term: str | list[str]) -> list[str]:
    return [term] if isinstance(term, str) else term


def normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def macro_f1(scores: Sequence[Score]) -> float:
    return sum(each.f1 for each in scores) / len(scores) if scores else 1.0


def words_in(text: str) -> int:
    """Words of a statement; where a script sets no blanks, two of its letters count as a word."""
    dense = sum(unicodedata.name(sign, "").startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA")) for sign in text)
    return (dense + 1) // 2 if dense * 2 > len(text) else len(text.split())


def label_faults(cases: Sequence[Case]) -> list[str]:
    """What is wrong with a labelled set: terms that the fact or its text lacks, or that a second fact holds."""
    faults = [f'"{name}" names two texts' for name in _repeated(case["name"] for case in cases)]
    faults += [f'"{text[:40]}" stands twice' for text in _repeated(normal(case["text"]) for case in cases)]
    for case in cases:
        name, facts, text = case["name"], case["facts"], normal(case["text"])
        for place, fact in enumerate(facts):
            if not 2 <= len(fact["terms"]) <= 5:
                faults.append(f"{name}/{place}: {len(fact['terms'])} terms; a fact has 2 to 5")
            for term in fact["terms"]:
                if not any(normal(word) in text for word in _words(term)):
                    faults.append(f"{name}/{place}: the text has no {term!r}")
                if not any(normal(word) in normal(fact["text"]) for word in _words(term)):
                    faults.append(f"{name}/{place}: its own wording has no {term!r}")
            for other, beside in enumerate(facts):
                if other != place and satisfies(beside["text"], fact):
                    faults.append(f"{name}/{place}: fact {other} satisfies its terms")
        if score([fact["text"] for fact in facts], facts).f1 != 1.0:
            faults.append(f"{name}: its own facts do not score 100 %")
    return faults


def _repeated(values: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [value for value in values if value in seen or seen.add(value)]  # type: ignore[func-returns-value]
