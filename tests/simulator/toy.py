"""A memory of a few lines that keeps the forgetting contract as far as it can, and ones that break it on purpose.

It holds its items in one JSON file, what was purged as digests in a second, and finds by shared runs of three letters.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from remanence.model.words import folded
from remanence.simulator.contract import Cannot


class Toy:
    """The contender; `kind` says which memory it opens."""

    version = "1"

    def __init__(self, kind: type[ToyHeld] | None = None) -> None:
        self._kind = kind or ToyHeld
        self.name = self._kind.__name__

    def opened(self, folder: Path) -> ToyHeld:
        return self._kind(folder)

    def restored(self, copy: Path, folder: Path) -> ToyHeld:
        shutil.copy(copy, folder / "items.json")
        return self.opened(folder)


class ToyHeld:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        items, purged = folder / "items.json", folder / "purged.json"
        self.items: dict[str, dict[str, Any]] = json.loads(items.read_text("utf-8")) if items.exists() else {}
        self.purged: list[str] = json.loads(purged.read_text("utf-8")) if purged.exists() else []
        self.items = {id: item for id, item in self.items.items() if not self.is_blocked(item["text"])}
        self.save()

    def save(self) -> None:
        (self.folder / "items.json").write_text(json.dumps(self.items, ensure_ascii=False), "utf-8")
        ledger = self.folder / "purged.json"
        if self.purged or ledger.exists():
            ledger.write_text(json.dumps(self.purged), "utf-8")

    def is_blocked(self, text: str) -> bool:
        return _digest(text) in self.purged

    def add(self, text: str, scope: str, *, relearn: bool = False) -> str | None:
        if relearn:
            self.purged = [one for one in self.purged if one != _digest(text)]
        if self.is_blocked(text):
            return None
        id = _digest(f"{scope} {text}")
        self.items.setdefault(id, {"text": text, "scope": scope, "state": "live", "old": []})
        self.save()
        return id

    def add_many(self, texts: Sequence[str], scope: str) -> list[str | None]:
        return [self.add(text, scope) for text in texts]

    def succeed(self, text: str, scope: str) -> str | None:
        raise Cannot("it notices no newer values")

    def replace(self, id: str, text: str) -> str:
        self.items[id]["old"].append(self.items[id]["text"])
        self.items[id]["text"] = text
        self.save()
        return id

    def absorb(self, text: str, scope: str) -> dict[str, str]:
        known = {folded(one) for item in self.items.values() for one in (item["text"], *item["old"])}
        ids = [self.add(line, scope) for line in text.splitlines() if folded(line) not in known]
        return {id: self.items[id]["text"] for id in ids if id is not None}

    def capture(self, turns: Sequence[tuple[str, str]], scope: str, session: str) -> None:
        raise Cannot("it captures no sessions")

    def search(self, question: str, scope: str | None = None) -> list[str]:
        live = [item for item in self.items.values() if item["state"] in self.found_states()]
        if scope is not None:
            live = [item for item in live if f"{item['scope']}/".startswith(f"{scope}/")]
        asked = _runs(question)
        ranked = sorted(live, key=lambda item: len(asked & _runs(item["text"])), reverse=True)
        return [item["text"] for item in ranked if asked & _runs(item["text"])]

    def found_states(self) -> tuple[str, ...]:
        return ("live",)

    def answers(self, question: str) -> dict[str, list[str]]:
        return {"search": self.search(question)}

    def kept_texts(self) -> dict[str, str]:
        return {id: item["text"] for id, item in self.items.items()}

    def derived(self) -> list[str]:
        return []

    def past(self, id: str, question: str) -> list[str]:
        return list(self.items[id]["old"])

    def mark(self, ids: Sequence[str], state: str) -> None:
        for id in ids:
            self.items[id]["state"] = state
        self.save()

    def forget(self, ids: Sequence[str]) -> None:
        self.mark(ids, "forgotten")

    def forget_scope(self, scope: str) -> None:
        self.mark(self.of(scope), "forgotten")

    def bring_back(self, ids: Sequence[str]) -> None:
        self.mark(ids, "live")

    def purge(self, ids: Sequence[str]) -> None:
        for id in ids:
            item = self.items.pop(id)
            self.purged += [_digest(text) for text in (item["text"], *item["old"])]
        self.save()

    def purge_scope(self, scope: str) -> None:
        self.purge(self.of(scope))

    def purge_about(self, name: str) -> None:
        self.purge([id for id, item in self.items.items() if name in item["text"]])

    def of(self, scope: str) -> list[str]:
        return [id for id, item in self.items.items() if f"{item['scope']}/".startswith(f"{scope}/")]

    def run_jobs(self) -> None:
        self.save()

    def backup(self, path: Path) -> None:
        shutil.copy(self.folder / "items.json", path)

    def export(self, path: Path) -> None:
        self.backup(path)

    def import_(self, path: Path) -> None:
        new = json.loads(path.read_text("utf-8"))
        self.items |= {id: item for id, item in new.items() if not self.is_blocked(item["text"])}
        self.save()

    def files(self) -> list[Path]:
        return sorted(self.folder.iterdir())

    def traces(self, text: str) -> list[bytes]:
        return []

    def close(self) -> None:
        pass


class KeepsALog(ToyHeld):
    """What was purged stays in a file beside it."""

    def purge(self, ids: Sequence[str]) -> None:
        with (self.folder / "deleted.log").open("a", encoding="utf-8") as log:
            log.writelines(self.items[id]["text"] + "\n" for id in ids)
        super().purge(ids)


class Relearns(ToyHeld):
    """What was purged is learned again from whoever says it, but not from copies."""

    def add(self, text: str, scope: str, *, relearn: bool = False) -> str | None:
        return super().add(text, scope, relearn=True)


class FindsForgotten(ToyHeld):
    """What was forgotten is still found."""

    def found_states(self) -> tuple[str, ...]:
        return ("live", "forgotten")


class TakesTooMuch(ToyHeld):
    """A scope that only begins alike goes too."""

    def of(self, scope: str) -> list[str]:
        return [id for id, item in self.items.items() if item["scope"].startswith(scope)]


def _digest(text: str) -> str:
    return blake2b(folded(text).encode(), digest_size=8).hexdigest()


@cache
def _runs(text: str) -> frozenset[str]:
    plain = folded(text)
    return frozenset(plain[place : place + 3] for place in range(len(plain) - 2)) or frozenset([plain])
