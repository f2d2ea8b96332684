"""Coexist: facts that are alike and must all stay, written for this benchmark and part of the package.

A group holds statements that a careless rule would take for versions of one another: the same sentence about two
people, numbers and places of different things, negations, versions of packages, "also", in English, German, Chinese and
Japanese. Each comes with a question that must find it. Two statements that differ in the value at their end alone are
not among them, unless they say that one comes beside the other: those are versions by rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from remanence.simulator.datasets.files import File, packaged

NAME = "coexist"
_FILE = "coexist.json"


@dataclass(frozen=True, slots=True)
class Fact:
    text: str
    question: str


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that are alike, and why they are two things."""

    why: str
    facts: tuple[Fact, ...]


def load() -> File:
    """The set as it comes with the package."""
    return packaged(_FILE)


def read(file: File) -> list[Group]:
    """The groups of the set."""
    return [Group(row["why"], tuple(Fact(*fact) for fact in row["facts"])) for row in file.content]


def facts_of(groups: Sequence[Group]) -> list[Fact]:
    """Every fact, in order."""
    return [fact for group in groups for fact in group.facts]
