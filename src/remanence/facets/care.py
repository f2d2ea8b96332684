"""The verbs of Mind that care for the store as a whole: damage, copies, exports, secrets that are in it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from remanence.errors import InvalidInput
from remanence.facets.absorbing import Absorbing
from remanence.facets.artifacts import Artifacts
from remanence.facets.meaning import Meaning
from remanence.facets.policies import Policies
from remanence.flows import transfer
from remanence.model import checks
from remanence.model.report import Checkup, Imported, Scan, Stats
from remanence.settings import Settings
from remanence.store.protocol import Progress, Store


class Care:
    """What a person does for a store now and then."""

    artifacts: Artifacts
    absorbing: Absorbing
    meaning: Meaning
    policies: Policies
    settings: Settings
    _store: Store
    _now: Callable[[], datetime]
    _personal: Collection[str]
    _wait_seconds: float

    def stats(self) -> Stats:
        """What the namespace holds, and what the file costs."""
        today, limit = self._now().date().isoformat(), self.settings.llm__tokens_per_day
        return replace(
            self.policies.stats(self._store.stats()),
            embedder=self.meaning.model,
            llm=self.absorbing.model,
            spent_today=self._store.purse.spent(today),
            tokens_per_day=limit,
            tokens_per_run=self.settings.llm__tokens_per_run,
            spending=tuple(self._store.purse.days(30)),
        )

    def check(self, *, repair: bool = False, progress: Progress | None = None) -> Checkup:
        """Look for damage; with repair, make derived rows anew."""
        return self._store.check(repair=repair, progress=progress)

    def scan(self, *paths: str | Path, redact: bool = False, progress: Progress | None = None) -> Scan:
        """Secrets in this store and in these files; with `redact` the store's memories come anew without them."""
        from remanence.flows import scan

        personal = self._personal
        found = scan.scan(self._store, [file_path(path) for path in paths], personal, progress)
        if not redact:
            return found
        redacted = scan.redact_all(self._store, found, self._now(), personal, self._wait_seconds)
        self.artifacts.refresh()
        return redacted

    def export(self, path: str | Path, *, format: str | None = None, progress: Progress | None = None) -> int:
        """Every memory as JSON lines; or the live and archived as a Markdown mirror (format="markdown", or a .md)."""
        path = file_path(path)
        chosen = format or ("markdown" if path.suffix == ".md" else "jsonl")
        return transfer.export(self._store, path, chosen, progress, self._personal)

    def import_(self, path: str | Path, *, progress: Progress | None = None) -> Imported:
        """Add the memories of a JSON lines export."""
        return transfer.import_(self._store, file_path(path), self._now(), progress, self._personal)

    def backup(self, path: str | Path) -> Path:
        """A whole copy of the store, while others go on writing."""
        made = file_path(path)
        self._store.backup(made)
        return made


def file_path(path: str | Path) -> Path:
    """A path that can be one."""
    if not isinstance(path, (str, Path)) or checks.string_problems(str(path), "path", 4096):
        raise InvalidInput(f"{str(path)[:80]!r} is not a path")
    return Path(path)
