"""LoCoMo: how much of a question's evidence is among the first ten, averaged over questions. One store a conversation.

turn: each turn is a memory ("Caroline: Hey Mel! …"), evidence are turns. session: each session is a memory, evidence
are the sessions of those turns. Headline: share@10; `without adversarial` is the same without category 5.
"""

from __future__ import annotations

from collections.abc import Sequence

from remanence.simulator.contenders import Contender, Item
from remanence.simulator.datasets.locomo import ADVERSARIAL, Conversation, Question
from remanence.simulator.protocols import Step, Tally, share
from remanence.simulator.report import Result, mean

DATASET = "locomo"
PARTS = ("turn", "session")
_FIRST = 10


def run(conversations: Sequence[Conversation], part: str, contender: Contender, step: Step) -> list[Result]:
    """The result of one part: turns, or sessions."""
    tally = Tally()
    by_category: dict[int, list[float]] = {}
    for conversation in conversations:
        items = _turns(conversation) if part == "turn" else _sessions(conversation)
        haystack = contender.filled(items)
        tally.memories += len(items)
        tally.counts.update(haystack.counts())
        for question in conversation.questions:
            found = haystack.asked(question.text, conversation.ends, _FIRST)
            got = share(found, _evidence(question, part))
            tally.note(question.id, "share@10", share_at_10=got, any_at_10=float(got > 0))
            by_category.setdefault(question.category, []).append(got)
            step()
        haystack.close()
    if not tally.questions:
        return []
    plain = [got for category, shares in by_category.items() if category != ADVERSARIAL for got in shares]
    categories = {f"share@10 category {category}": mean(by_category[category]) for category in sorted(by_category)}
    metrics = {**tally.metrics(), "share@10 without adversarial": mean(plain), **categories}
    return [tally.result(DATASET, part, contender.name, "share@10", metrics=metrics)]


def _evidence(question: Question, part: str) -> frozenset[str]:
    return question.evidence if part == "turn" else frozenset(id.split(":")[0] for id in question.evidence)


def _turns(conversation: Conversation) -> list[Item]:
    return [
        Item(turn.id, f"{turn.speaker}: {turn.text}", turn.at, "observation", turn.session)
        for turn in conversation.turns
    ]


def _sessions(conversation: Conversation) -> list[Item]:
    said: dict[str, list[Item]] = {}
    for item, turn in zip(_turns(conversation), conversation.turns, strict=True):
        said.setdefault(turn.session, []).append(item)
    return [
        Item(session, "\n".join(item.text for item in items), items[0].at, "observation")
        for session, items in said.items()
    ]
