"""The drain: events that hooks left beside a store come in, in their order, and transcripts are read on from there.

A batch is one transaction, and its files are removed after it: a drain that was killed finds them again, and what they
tell is known by its keys. So several processes may drain at once. A session's transcript is read before its events come
in, since it tells more, and in the right order; how far it was read is written with what it told. Events that were
left before capturing was switched off come in too, so that nothing lies about that no list shows and no purge reaches;
but then no transcript is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from remanence.model.session import STAGE_ONE, Observation
from remanence.places import project_of
from remanence.sessions import spool as spooled
from remanence.sessions.capture import cleaned, keep, session_problems
from remanence.sessions.envelope import ASIDE, COMPACT, END, STOP
from remanence.sessions.events import Told, read
from remanence.sessions.importers import Head, Piece, Reader
from remanence.sessions.importers.lines import goes_on
from remanence.store.protocol import Store

HOOK, TRANSCRIPT = "hook", "transcript"
"""The ways by which something is told; importing a transcript is the same way as reading it here."""
_BATCH_EVENTS, _BATCH_PIECES = 100, 500
_LARGEST_TRANSCRIPT = 2 << 30
_LOOKED_AT = 64 << 10
_READ_AT = (COMPACT, STOP, ASIDE, END)
_SECOND_NS = 1_000_000_000


class Drained(NamedTuple):
    """How many events were worked off, how many observations were new, and how many files were broken.

    An event whose transcript is so long that it goes on next time is counted each time.
    """

    events: int = 0
    observations: int = 0
    broken: int = 0


def drain(
    store: Store,
    spool: str,
    now: datetime,
    *,
    personal: Collection[str] = (),
    most: int = 5_000,
    enabled: bool = True,
) -> Drained:
    """Take in what waits for this namespace: so many events, and as many pieces of transcripts, at most."""
    if not spooled.is_ours(spool):
        return Drained()
    spooled.sweep(spool, int(now.timestamp()) * _SECOND_NS)
    names = spooled.waiting(spool, store.namespace)[:most]
    events = new = broken = 0
    following = _Following(store, now, personal, most)
    for start in range(0, len(names), _BATCH_EVENTS):
        batch, bad = _loaded(store, spool, names[start : start + _BATCH_EVENTS], now)
        broken += bad
        for told in _last_of_each(batch) if enabled else ():
            new += following.follow(told)
            if not following.is_whole:
                return Drained(events + 1, new, broken)
        new += _taken_in(store, batch, now, personal)
        events += sum(spooled.remove(spool, name) for name, _ in batch)
    return Drained(events, new, broken)


def _loaded(store: Store, spool: str, names: list[str], now: datetime) -> tuple[list[tuple[str, Told]], int]:
    """The events of these files by name, without those of others; and how many were put aside."""
    found: list[tuple[str, Told]] = []
    broken = 0
    for name in names:
        try:
            event = spooled.load(spool, name)
            if event is None or event.get("namespace") != store.namespace:
                continue
            told = read(event, name, now)
            if problems := session_problems(told.id, told.project, told.agent):
                raise ValueError(problems[0])
        except ValueError:
            spooled.put_aside(spool, name)
            broken += 1
        except OSError:
            continue  # it cannot be read just now
        else:
            found.append((name, told))
    return found, broken


def _last_of_each(batch: list[tuple[str, Told]]) -> list[Told]:
    """Of each session the last event at which its transcript is read."""
    return list({told.id: told for _, told in batch if told.kind in _READ_AT and told.transcript}.values())


def _taken_in(store: Store, batch: list[tuple[str, Told]], now: datetime, personal: Collection[str]) -> int:
    """Store what a batch tells, all of it or nothing; how many observations were new."""
    clean = [
        (told, [kept for one in told.observations if (kept := cleaned(one, personal)) is not None]) for _, told in batch
    ]
    new = 0
    with store.transaction():
        for told, seen in clean:
            # A session in which nothing was observed is not worth a row.
            if not seen and store.sessions.get(told.id) is None:
                continue
            new += _kept(store, Head(told.id, told.agent), told.project, seen, told.at, HOOK, told.transcript)
            if told.kind == END:
                store.sessions.end(told.id, told.at)
            elif told.kind == COMPACT:
                store.queue.want(STAGE_ONE + told.id, now)
    return new


def _kept(
    store: Store, head: Head, project: str, seen: list[Observation], at: datetime, via: str, transcript: str | None
) -> int:
    """Store what was observed; what comes late does not make a session go on that has ended since."""
    known = store.sessions.get(head.id)
    path = transcript if transcript is not None and transcript.isprintable() else None
    new = keep(store, head.id, project, head.agent, seen, at, via=via, transcript=path)
    if known is not None and known.ended_at is not None and known.ended_at >= at:
        store.sessions.end(head.id, known.ended_at)
    return new


class _Following:
    """Reads transcripts on from where they were read to, so many pieces in all."""

    def __init__(self, store: Store, now: datetime, personal: Collection[str], most: int) -> None:
        self._store, self._now, self._personal = store, now, personal
        self.left = most
        self.is_whole = True
        """Whether the last one was read to its end."""

    def follow(self, told: Told) -> int:
        """Store what a session's transcript tells that is new; how many observations."""
        path = transcript_of(told)
        if path is None or self.left <= 0:
            self.is_whole = path is None
            return 0
        source, new = str(path), 0
        start = upto = self._store.sessions.read_to(source)
        read = _reader(told.agent).read(path, start if goes_on(path, start) else 0, self._now)
        pieces = (found for found in read if isinstance(found, Piece))
        self.is_whole = False
        while self.left > 0 and not self.is_whole:
            batch = list(islice(pieces, min(_BATCH_PIECES, self.left)))
            self.left -= len(batch)
            self.is_whole = len(batch) < _BATCH_PIECES and self.left > 0
            if batch:
                new, upto = new + self._stored(batch, told, source), batch[-1].upto
        # Where a call waits for its result all that follows is read again: no use in that until there is more.
        self.is_whole = self.is_whole or upto == start
        return new

    def _stored(self, batch: list[Piece], told: Told, source: str) -> int:
        groups: list[tuple[Head, list[Observation]]] = []
        for piece in batch:
            if not groups or groups[-1][0] != piece.head:
                groups.append((piece.head, []))
            if (kept := cleaned(piece.observation, self._personal)) is not None:
                groups[-1][1].append(kept)
        new = 0
        with self._store.transaction():
            for head, seen in groups:
                project = told.project if head.id == told.id or not head.folder else project_of(head.folder)
                if seen and not session_problems(head.id, project, head.agent):
                    at = max(one.at for one in seen)
                    new += _kept(self._store, head, project, seen, at, TRANSCRIPT, source)
            self._store.sessions.note_read(source, batch[-1].upto, self._now)
        return new


def _reader(host: str) -> Reader:
    from remanence.sessions.importers import claude_code, codex

    return {claude_code.AGENT: claude_code, codex.AGENT: codex}[host]


def transcript_of(told: Told) -> Path | None:
    """The transcript that an event names, if it is one: a file of this user's, of objects, that names the session.

    It does so by what it is called, or near its beginning.
    """
    name = told.transcript
    if name is None or "\0" in name or os.path.normpath(name) != name or not name.startswith("/"):
        return None
    path = Path(name)
    if path.suffix != ".jsonl":
        return None
    is_called_so = path.stem == told.id or path.stem.endswith(f"-{told.id}")
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_size > _LARGEST_TRANSCRIPT:
            return None
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT)
        is_of_objects = start[:16].lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{")
        return path if is_of_objects and (is_called_so or f'"{told.id}"'.encode() in start) else None
    except (OSError, ValueError):
        return None
