"""A context compressor for an agent: keeps the head and the tail of a conversation and summarises what is between.

Before the middle is cut, its facts are remembered; so are those of the summary that takes its place. The function
that summarises is yours: any model, or, as here, none. Run it: python examples/compressor.py
"""

from __future__ import annotations

from collections.abc import Callable

from remanence import Mind
from remanence.compaction import Compaction

Message = dict[str, str]


class Compressor:
    """Shortens a list of messages once it is longer than `most` messages."""

    def __init__(
        self,
        summarise: Callable[[list[Message]], str],
        hooks: Compaction,
        *,
        head: int = 1,
        tail: int = 2,
        most: int = 6,
    ) -> None:
        self.summarise = summarise
        self.hooks = hooks
        self.head, self.tail, self.most = head, tail, most

    def compress(self, messages: list[Message]) -> list[Message]:
        """The messages as the next call to the model sees them."""
        if len(messages) <= self.most:
            return messages
        end = len(messages) - self.tail
        middle = messages[self.head : end]
        self.hooks.before_cut(middle)
        summary = self.summarise(middle)
        self.hooks.on_summary(summary)
        note = {"role": "user", "content": f"Earlier in this conversation: {summary}"}
        return [*messages[: self.head], note, *messages[end:]]


def first_sentences(messages: list[Message]) -> str:
    """A stand-in for a model: the first sentence of each message."""
    return " ".join(message["content"].split(". ")[0].rstrip(".") + "." for message in messages)


CONVERSATION: list[Message] = [
    {"role": "system", "content": "You help the shop team."},
    {"role": "user", "content": "The shop's database runs PostgreSQL 16 in Frankfurt."},
    {"role": "assistant", "content": "Noted. The nightly backup takes 40 minutes."},
    {"role": "tool", "name": "pytest", "content": "212 tests passed, 3 were skipped."},
    {"role": "user", "content": "Anna decided that all user data stays in the EU."},
    {"role": "assistant", "content": "The checkout service listens on port 8443."},
    {"role": "user", "content": "Now write the migration."},
    {"role": "assistant", "content": "Which table comes first?"},
]


def main() -> None:
    with Mind(":memory:") as mind:
        hooks = Compaction(mind, "/project/shop", session="demo")
        shorter = Compressor(first_sentences, hooks).compress(CONVERSATION)
        print(f"{len(CONVERSATION)} messages became {len(shorter)}. Remembered from what was cut:")
        for memory in reversed(mind.list(scope="/project/shop")):
            print(f"  {memory.text}")
        print("Asked where the data may be:")
        print(f"  {mind.recall('where must user data be kept', limit=1)[0].memory.text}")


if __name__ == "__main__":
    main()
