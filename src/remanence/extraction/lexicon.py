"""What the rules need to know of one language, as plain data: one module a language fills one of these.

All words are in lower case. `finite` holds verb forms that can carry a sentence, `bare` forms that can only after a
modal or as an order. `pronouns` says for each pronoun what it may stand for: m, f, n (a thing), p (several), and
whether it owns what follows ("her team").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from remanence.extraction.patterns import pattern


def split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def in_order(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def either(*patterns: str) -> re.Pattern[str]:
    """One pattern that matches any of these, ignoring case."""
    return pattern("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


NEVER = pattern(r"(?!)")


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """One language. Patterns are matched from the beginning of a sentence unless said otherwise."""

    name: str
    # Words so common that a few of them tell the language.
    function: frozenset[str] = frozenset()
    # Written with a dot that ends no sentence.
    abbreviations: frozenset[str] = frozenset()
    # Between main clauses: "and", "but"; those that join by contrast never join mere nouns.
    joining: frozenset[str] = frozenset()
    contrasting: frozenset[str] = frozenset()
    # They open a clause that stays with its main clause: "because", "if", "that", "which".
    subordinating: frozenset[str] = frozenset()
    # They report a claim: what follows belongs to who said it.
    reporting: frozenset[str] = frozenset()
    finite: frozenset[str] = frozenset()
    auxiliary: frozenset[str] = frozenset()
    modal: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()
    past: frozenset[str] = frozenset()
    # Forms that are as often nouns: verbs only before what an object begins with.
    doubtful: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    adverbs: frozenset[str] = frozenset()
    personal: frozenset[str] = frozenset()
    pronouns: dict[str, tuple[str, bool]] = field(default_factory=dict)
    owning: str = "{}'s"
    feminine: frozenset[str] = frozenset()
    masculine: frozenset[str] = frozenset()
    titles: dict[str, str] = field(default_factory=dict)
    collective: frozenset[str] = frozenset()
    # Dropped from the beginning of a sentence: "However, ", "Also, ".
    connectors: re.Pattern[str] = NEVER
    # A sentence that this matches as a whole says nothing.
    chatter: re.Pattern[str] = NEVER
    # Dropped from the beginning of a sentence that goes on: "Thanks, ", "Yes, ".
    openers: re.Pattern[str] = NEVER
    agreeing: re.Pattern[str] = NEVER
    asking: re.Pattern[str] = NEVER
    # Headings that say nothing about what stands below them.
    empty_headings: frozenset[str] = frozenset()
