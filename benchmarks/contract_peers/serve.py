"""One peer in a process of its own, run by the Python that has it installed; benchmarks/contract.py starts it.

Reads one JSON request a line ({"do": "add", …}) and answers with one line: the value, or "cannot" and what is missing.
Every act that a peer does not override is one that its published interface does not have.

    PYTHON benchmarks/contract_peers/serve.py NAME
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

PEERS = {"mem0": "mem0", "mem0-faiss": "mem0", "langgraph": "langgraph"}
_QUIET = {
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
    "OPENAI_API_KEY": "none",
}
_LETTERS = 6
_ASK_OR_BIND = """
    a an the my our of to in on at by for from with and is are was do does did who whom what which when where how we i
    der die das an am wann wo
"""
_BINDING = frozenset(_ASK_OR_BIND.split())


class ByWords:
    """peers.HashEmbedder over the beginnings of words, without those that only ask or bind; pairs of Han characters."""

    def __init__(self, hashed: Any) -> None:
        self._hashed = hashed
        self.dimension = hashed.dimension

    def one(self, text: str) -> Any:
        return self._hashed.one(_beginnings(text))

    def lists(self, texts: list[str]) -> list[list[float]]:
        return self._hashed.lists([_beginnings(text) for text in texts])


def _beginnings(text: str) -> str:
    pieces: list[str] = []
    for word in re.findall(r"\w+", text.lower()):
        if word.isascii() or word[0] < "\u2e80":
            pieces += [] if word in _BINDING else [word[:_LETTERS]]
        else:
            pieces += [word[place : place + 2] for place in range(len(word) - 1)]
    return " ".join(pieces)


class Cannot(Exception):
    """The published interface has no such act."""


class Peer:
    """What no peer need have; scopes are paths, of which a peer with flat users takes the first two segments."""

    def __init__(self, name: str, embedder: Any) -> None:
        self.name = name
        self.embedder = embedder

    def add_many(self, texts: list[str], scope: str) -> list[str | None]:
        return [self.add(text, scope) for text in texts]  # type: ignore[attr-defined]

    def succeed(self, text: str, scope: str) -> str | None:
        raise Cannot("without a language model it does not notice newer values")

    def absorb(self, text: str, scope: str) -> dict[str, str]:
        raise Cannot("without a language model it takes no text apart")

    def capture(self, turns: list[list[str]], scope: str, session: str) -> None:
        raise Cannot("without a language model it learns nothing from a session")

    def derived(self) -> list[str]:
        return []

    def past(self, id: str, question: str) -> list[str]:
        raise Cannot("it keeps no older values")

    def forget(self, ids: list[str]) -> None:
        self.purge(ids)  # type: ignore[attr-defined]

    def forget_scope(self, scope: str) -> None:
        self.purge_scope(scope)  # type: ignore[attr-defined]

    def bring_back(self, ids: list[str]) -> None:
        raise Cannot("what is deleted cannot be restored")

    def purge_about(self, name: str) -> None:
        raise Cannot("it does not delete by name")

    def run_jobs(self) -> None:
        raise Cannot("it has no jobs")

    def backup(self, path: str) -> None:
        raise Cannot("it has no backup of its own")

    def export(self, path: str) -> None:
        raise Cannot("it has no export")

    def import_(self, path: str) -> None:
        raise Cannot("it has no import")

    def traces(self, text: str) -> list[str]:
        """The vector as it may stand in a file, in hexadecimal: as float32 and as float64."""
        vector = self.embedder.one(text)
        return [vector.astype(kind).tobytes()[:256].hex() for kind in ("<f4", "<f8")]


def user_of(scope: str) -> str:
    """A scope as the name of a user: the first two segments of its path."""
    return "-".join(scope.strip("/").split("/")[:2])


def main() -> None:
    os.environ.update(_QUIET)
    sys.path[0] = str(Path(__file__).parents[1])  # not the folder of the adapters, which are called like their peers
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing a peer prints can break the protocol
    name = sys.argv[1]
    embedder = ByWords(importlib.import_module("peers").HashEmbedder())
    peer = importlib.import_module(f"contract_peers.{PEERS[name]}").make(name, embedder)
    while line := sys.stdin.readline():
        request = json.loads(line)
        try:
            reply = {"value": getattr(peer, request.pop("do"))(**request)}
        except Exception as error:  # the door of this process
            missing = type(error).__name__ == "Cannot"
            reply = {"cannot": str(error)} if missing else {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()
