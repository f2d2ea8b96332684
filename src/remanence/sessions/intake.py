"""Bringing in what other programs kept: files, or folders of them, as sessions and memories.

A file is read piece by piece, and stored in batches; how far it was read is written in the same transaction, so that
after a stop it goes on from there, and a file that grew brings only what is new. What is known by its key, or was told
by a hook, is not stored again. A session that got something new is wanted: the next run processes it, whatever its age.
Only what was named is read: no link in a folder is followed, and nothing is unpacked to disk.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path

from remanence.errors import InvalidInput
from remanence.flows.remember import remember
from remanence.model.draft import Draft
from remanence.model.intake import BroughtIn, Intake
from remanence.model.scope import ROOT, scope_problems
from remanence.model.session import STAGE_ONE, Observation
from remanence.places import project_of
from remanence.providers.protocol import Encoder
from remanence.sessions.capture import keep
from remanence.sessions.importers import Head, Noted
from remanence.sessions.importers.lines import goes_on
from remanence.sessions.sifting import Sieve
from remanence.sessions.walking import File, walked
from remanence.store.protocol import Progress, Store

VIA = "transcript"
BATCH = 500
_BATCH_CHARACTERS = 4_000_000
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def look(
    path: str | Path,
    kind: str | None,
    now: datetime,
    *,
    personal: Collection[str] = (),
    progress: Progress | None = None,
) -> Intake:
    """What a file, or the files of a folder, would bring, and what of it is junk; nothing is stored."""
    sieve = Sieve(str(path), personal)
    for file, walk in walked(path, kind, sieve, progress):
        for found in walk.pieces(file, 0, now):
            if isinstance(found, Noted):
                sieve.memory(found, None)
            else:
                sieve.observation(found)
    return sieve.report()


def bring_in(
    store: Store,
    path: str | Path,
    kind: str | None,
    now: datetime,
    new_id: Callable[[datetime], str],
    *,
    encoder: Encoder | None,
    scope: str | None = None,
    personal: Collection[str] = (),
    progress: Progress | None = None,
) -> BroughtIn:
    """Store what is new in a file, or in the files of a folder."""
    if scope is not None and (problems := scope_problems(scope)):
        raise InvalidInput(problems)
    sieve = Sieve(str(path), personal)
    bringing = _Bringing(store, now, new_id, encoder, scope, personal)
    for file, walk in walked(path, kind, sieve, progress):
        whole = f"{file.path}#{file.kind.name}#whole"
        if store.sessions.read_to(whole) == file.version:
            sieve.unchanged += 1
            continue
        bringing.begin(file)
        for found in walk.pieces(file, _start(store, file), now):
            if isinstance(found, Noted):
                bringing.note(sieve.memory(found, scope), found.upto)
            else:
                bringing.see(found.head, sieve.observation(found), found.upto)
        bringing.flush()
        if walk.is_whole:
            store.sessions.note_read(whole, file.version, now)
    return bringing.report(sieve.report())


def _start(store: Store, file: File) -> int:
    """Where to go on; from the beginning where another file stands in its place by now."""
    start = store.sessions.read_to(file.source)
    return start if not file.kind.grows(file.path) or goes_on(file.path, start) else 0


class _Bringing:
    """What is stored of the files, batch by batch."""

    def __init__(
        self,
        store: Store,
        now: datetime,
        new_id: Callable[[datetime], str],
        encoder: Encoder | None,
        scope: str | None,
        personal: Collection[str],
    ) -> None:
        self._store, self._now, self._new_id = store, now, new_id
        self._encoder, self._scope, self._personal = encoder, scope, personal
        self._projects: dict[str | None, str] = {}
        self._source = ""
        self._transcript: str | None = None
        self._seen: list[tuple[Head, Observation]] = []
        self._drafts: list[Draft] = []
        self._upto: int | None = None
        self._characters = 0
        self._sessions: set[str] = set()
        self._observations = self._present = 0
        self._outcomes: Counter[str] = Counter()
        self._receipts: dict[str, None] = {}

    def begin(self, file: File) -> None:
        path = str(file.path)
        self._source, self._transcript = file.source, path if path.isprintable() else None

    def see(self, head: Head, observation: Observation | None, upto: int) -> None:
        """Keep an observation, where it is one to keep; the file is read so far."""
        if observation is not None:
            self._seen.append((head, observation))
            self._characters += len(observation.text) + len(observation.call)
        self._read(upto)

    def note(self, draft: Draft | None, upto: int) -> None:
        """Remember a draft, where it is one to remember; the file is read so far."""
        if draft is not None:
            self._drafts.append(draft)
            self._characters += len(draft.text)
        self._read(upto)

    def _read(self, upto: int) -> None:
        self._upto = upto
        if len(self._seen) + len(self._drafts) >= BATCH or self._characters >= _BATCH_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Store what waits, and how far the file was read. A memory has a key: read again, it is not stored twice."""
        if self._upto is None:
            return
        if self._drafts:
            self._remember()
        with self._store.transaction():
            for head, group in groupby(self._seen, key=lambda one: one[0]):
                self._keep(head, [observation for _, observation in group])
            self._store.sessions.note_read(self._source, self._upto, self._now)
        self._seen, self._drafts, self._characters, self._upto = [], [], 0, None

    def _remember(self) -> None:
        done = remember(self._store, self._encoder, self._drafts, self._now, self._new_id, self._personal)
        self._outcomes.update(one.outcome.value for one in done)
        self._receipts |= dict.fromkeys(one.receipt_id for one in done if one.receipt_id)

    def _keep(self, head: Head, seen: Sequence[Observation]) -> None:
        """Store what is new of a session; what is imported is over, unless it is one that a hook tells of right now."""
        store, known = self._store, self._store.sessions.get(head.id)
        project, latest = self._project(head.folder), max(one.at for one in seen)
        new = keep(store, head.id, project, head.agent, seen, seen[0].at, via=VIA, transcript=self._transcript)
        if known is None or known.ended_at is not None:
            before = latest if known is None or known.ended_at is None else known.ended_at
            store.sessions.end(head.id, max(latest, before) if new else before)
        self._observations += new
        self._present += len(seen) - new
        if new:
            store.queue.want(STAGE_ONE + head.id, self._now)
            self._sessions.add(head.id)

    def _project(self, folder: str | None) -> str:
        if folder not in self._projects:
            self._projects[folder] = ROOT if folder is None else project_in(folder)
        return self._scope or self._projects[folder]

    def report(self, read: Intake) -> BroughtIn:
        return BroughtIn(
            read=read,
            sessions=len(self._sessions),
            observations=self._observations,
            present=self._present,
            memories=dict(sorted(self._outcomes.items())),
            receipts=tuple(self._receipts),
        )


def project_in(folder: str) -> str:
    """The project of a folder that a transcript names; of one that is not on this machine, by its own name."""
    if _WINDOWS.match(folder):
        folder = "/" + folder.replace("\\", "/")
    if folder.startswith("/") and os.path.isdir(folder):  # noqa: PTH112 - a name from elsewhere may be no path at all
        return project_of(folder)
    return project_of("/" + folder.rstrip("/").rpartition("/")[2])
