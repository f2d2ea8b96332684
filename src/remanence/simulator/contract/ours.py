"""ours: the product through its public verbs, with a store of its own in each folder and a clock set by hand.

Telling is `remember`, forgetting `forget`, destroying `purge`; every job is run a day later than the last act. Answers
come from recall, with and without the archive, from context, from the tool that agents call, and from list. A backup is
put back as docs/howto/backup.md says: the copy in the store's place, the ledger of what was purged left beside it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from remanence.simulator.contenders.encoder import Encoder
from remanence.simulator.contenders.jobs import every_job
from remanence.simulator.contenders.ours import Clock, Ours
from remanence.simulator.contract import Held

NAME = "ours"
_FILE = "memory.db"
_BORN = datetime(2026, 3, 2, 9, tzinfo=UTC)
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MOST = 1000
_SETTINGS = {"consolidation__enabled": True, "memories__enabled": True, "llm__name": "none", "policy": "balanced"}


class OurContract:
    name = NAME

    def __init__(self, version: str, *, embedder: Encoder | None = None) -> None:
        self.version = version
        self._ours = Ours(embedder=embedder, settings=_SETTINGS)
        self._clock = Clock(_BORN)

    def opened(self, folder: Path) -> Held:
        return OurHeld(self._ours.mind(self._clock, location=folder / _FILE), self._clock, folder)

    def restored(self, copy: Path, folder: Path) -> Held:
        for end in ("", "-wal", "-shm"):
            (folder / f"{_FILE}{end}").unlink(missing_ok=True)
        shutil.copy(copy, folder / _FILE)
        return self.opened(folder)


class OurHeld:
    def __init__(self, mind: Any, clock: Clock, folder: Path) -> None:
        self._mind = mind
        self._clock = clock
        self._folder = folder

    def _later(self) -> None:
        self._clock.at += _HOUR

    # -- telling

    def add(self, text: str, scope: str, *, relearn: bool = False) -> str | None:
        self._later()
        return _id(self._mind.remember(text, scope=scope, relearn=relearn))

    def add_many(self, texts: Sequence[str], scope: str) -> list[str | None]:
        self._later()
        return [_id(made) for made in self._mind.remember_many([{"text": text, "scope": scope} for text in texts])]

    def succeed(self, text: str, scope: str) -> str | None:
        return self.add(text, scope)

    def replace(self, id: str, text: str) -> str:
        self._later()
        made: str = self._mind.revise(id, text=text).memory.id
        return made

    def absorb(self, text: str, scope: str) -> dict[str, str]:
        self._later()
        made = self._mind.absorb(text, scope=scope)
        return {one.memory.id: one.memory.text for one in made if one.memory is not None}

    def capture(self, turns: Sequence[tuple[str, str]], scope: str, session: str) -> None:
        self._later()
        begun = self._mind.sessions.start(scope, id=session, agent="contract")
        for number, (role, said) in enumerate(turns):
            self._mind.sessions.observe(begun, {"role": role, "content": said}, key=f"{session}-{number}")
        self._mind.sessions.end(begun)

    # -- asking

    def search(self, question: str, scope: str | None = None) -> list[str]:
        return [hit.memory.text for hit in self._mind.recall(question, scope=scope, reinforce=False)]

    def answers(self, question: str) -> Mapping[str, Sequence[str]]:
        mind = self._mind
        return {
            "recall": self.search(question),
            "recall with the archive": [
                hit.memory.text for hit in mind.recall(question, include="archived", reinforce=False)
            ],
            "context": [mind.context(question, reinforce=False)],
            "the tool of agents": [
                json.dumps(mind.memory_tool("recall", query=question), ensure_ascii=False),
                json.dumps(mind.memory_tool("list"), ensure_ascii=False),
            ],
            "list": [memory.text for memory in mind.list(limit=_MOST)],
        }

    def kept_texts(self) -> dict[str, str]:
        return {memory.id: _all_of(memory) for memory in self._mind.list(state="all", limit=_MOST)}

    def derived(self) -> Sequence[str]:
        reachable = [*self._mind.list(limit=_MOST), *self._mind.list(state="archived", limit=_MOST)]
        return [memory.text for memory in reachable if memory.source == "dream" or memory.kind == "session_summary"]

    def past(self, id: str, question: str) -> Sequence[str]:
        known = self._mind.get(id)
        return [] if known.supersedes is None else [self._mind.get(known.supersedes).text]

    # -- leaving and coming back

    def forget(self, ids: Sequence[str]) -> None:
        self._mind.forget(ids=ids)

    def forget_scope(self, scope: str) -> None:
        self._mind.forget(scope=scope)

    def bring_back(self, ids: Sequence[str]) -> None:
        self._mind.restore(ids=ids)

    def purge(self, ids: Sequence[str]) -> None:
        self._mind.purge(ids=ids, reason="the contract asks")

    def purge_scope(self, scope: str) -> None:
        self._mind.purge(scope=scope, reason="the contract asks")

    def purge_about(self, name: str) -> None:
        self._mind.purge(about=name, reason="the contract asks")

    # -- care

    def run_jobs(self) -> None:
        self._clock.at += _DAY
        every_job(self._mind)

    def backup(self, path: Path) -> None:
        self._mind.backup(path)

    def export(self, path: Path) -> None:
        self._mind.export(path)

    def import_(self, path: Path) -> None:
        self._mind.import_(path)

    def files(self) -> Sequence[Path]:
        return sorted(self._folder.iterdir())

    def traces(self, text: str) -> Sequence[bytes]:
        encoder = self._mind.meaning.encoder
        return [] if encoder is None else [encoder.documents([text])[0].tobytes()]

    def close(self) -> None:
        self._mind.close()


def _id(made: Any) -> str | None:
    return None if made.memory is None else str(made.memory.id)


def _all_of(memory: Any) -> str:
    """All that a memory says, tags and metadata as well."""
    return f"{memory.text}\n{json.dumps(memory.to_dict(), ensure_ascii=False, default=str)}"
