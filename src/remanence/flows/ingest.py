"""ingest: a source tree as memories of the codebase layer, one for each source file and one for each folder.

A file's memory tells what it defines, a folder's what is in it. Ingested again, only what changed gets a new version;
what moved keeps its line of versions, by git or because the very same definitions stand elsewhere; what is gone for
certain, or defines nothing any more, is archived, and comes back with its file. A file that is there and was not read
keeps its memory. All of it under one receipt. Memories belong to a tree by its folder's name and their scope, never by
where it lies on a machine. What is pinned, and what a person forgot, is left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from remanence.errors import InvalidInput, LeaseLost, StoreUnavailable
from remanence.flows.apply import apply
from remanence.flows.door import refuse_secrets
from remanence.guard.secrets import redact
from remanence.lifecycle.admission import next_version, superseded
from remanence.model import checks
from remanence.model.draft import Draft
from remanence.model.ingested import CODE_FILE, CODE_TREE, KINDS, Ingested
from remanence.model.lease import Lease
from remanence.model.memory import Layer, Memory, Source, State, is_untried
from remanence.model.plan import Change, Plan, Reason
from remanence.model.scope import ROOT, scope_problems
from remanence.model.selection import Selection
from remanence.providers.protocol import Encoder
from remanence.store.protocol import Progress, Store

if TYPE_CHECKING:
    from remanence.codebase.tree import Tree

VERB = "ingest"
GONE, BACK, MOVED, CHANGED = "file is gone", "file is back", "file moved", "file changed"
EMBEDDED_AT_ONCE = 256
"""More new texts than this are written first and get their vectors later, as the store's backlog."""
_IMPORTANCE = 0.5
_LEASE_SECONDS = 300.0
_STATES = (State.LIVE, State.QUARANTINED, State.ARCHIVED, State.FORGOTTEN)
_WHOLE_JOURNAL = 2**31 - 1
_TREE_CHARACTERS = 2000
_STRANGE_FROM = 5
"""From so many files on, a tree of which none is known is taken for another one of the same name."""

Key = tuple[str, str]


@dataclass(slots=True)
class _Work:
    """What is to change, and how much of each sort."""

    changes: list[Change] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


def ingest(
    store: Store,
    path: str | Path,
    now: datetime,
    new_id: Callable[[datetime], str],
    *,
    scope: str = ROOT,
    encoder: Encoder | None = None,
    personal: Collection[str] = (),
    progress: Progress | None = None,
    dry_run: bool = False,
    holder: str = VERB,
) -> Ingested:
    """Bring the codebase memories of a scope in line with the source tree at this path."""
    from remanence.codebase.roots import root_of
    from remanence.codebase.tree import Tree

    problems = [*scope_problems(scope), *checks.flag_problems(dry_run, "dry_run")]
    if problems:
        raise InvalidInput(problems)
    refuse_secrets(personal, scope=scope)
    tree = Tree(root_of(path))
    refuse_secrets(personal, folder=tree.root.name)
    told = _told(store, tree, scope, now, new_id, progress)
    if dry_run:
        work = _work(store, tree, scope, told, personal)
        return _result(tree, work, None, {}, dry_run=True)
    with _held(store, holder, now) as lease:
        work = _work(store, tree, scope, told, personal)
        if not work.changes:
            return _result(tree, work, None, {})
        number = sum(change.memory is not None for change in work.changes)
        receipt = apply(
            store,
            Plan(tuple(work.changes), verb=VERB),
            now,
            lease=lease,
            personal=personal,
            encoder=encoder if number <= EMBEDDED_AT_ONCE else None,
        )
    if receipt.skipped:
        work.skipped["changed meanwhile"] += len(receipt.skipped)
    added = [change.memory for change in receipt.changes if change.memory is not None]
    work.counts["quarantined"] = sum(memory.state is State.QUARANTINED for memory in added)
    return _result(tree, work, receipt.id, receipt.redacted)


@contextmanager
def _held(store: Store, holder: str, now: datetime) -> Iterator[Lease]:
    """One ingest at a time, or two would add the same files twice."""
    lease = store.claim(VERB, holder, now, _LEASE_SECONDS)
    if lease is None:
        other = store.job(VERB).holder or "another process"
        raise StoreUnavailable(f"{other} is ingesting into this store just now. Try again when it is done")
    try:
        yield lease
    finally:
        with suppress(LeaseLost):
            store.finish(lease, now)


def _result(
    tree: Tree, work: _Work, receipt_id: str | None, redacted: dict[str, int], *, dry_run: bool = False
) -> Ingested:
    return Ingested(
        root=str(tree.root.folder),
        receipt_id=receipt_id,
        files=len(tree.files),
        skipped=dict(sorted((work.skipped + tree.skipped).items())),
        redacted=redacted,
        dry_run=dry_run,
        **work.counts,
    )


def _told(
    store: Store,
    tree: Tree,
    scope: str,
    now: datetime,
    new_id: Callable[[datetime], str],
    progress: Progress | None,
) -> dict[Key, Memory]:
    """What there is to tell of the tree now: a memory for each source file with definitions and each folder."""
    from remanence.codebase.signatures import outline, top_names
    from remanence.codebase.tree import MOST_BYTES

    told: dict[Key, Memory] = {}

    def tell(kind: str, path: str, text: str, concepts: tuple[str, ...] = ()) -> None:
        draft = Draft(
            text=text,
            scope=scope,
            kind=kind,
            layer=Layer.CODEBASE,
            source=Source.INGEST,
            importance=_IMPORTANCE,
            concepts=concepts,
            files=(path,) if len(path) <= checks.TAG_CHARACTERS else (),
        )
        memory = draft.memory(new_id(now), store.namespace, now)
        told[kind, path] = memory.but(metadata={"tree": tree.root.name, "path": path, "digest": _digest(text)})

    sources = list(tree.files)
    for number, path in enumerate(sources):
        if tree.files[path] > MOST_BYTES:
            tree.skipped["larger than 1 MiB"] += 1
        elif found := tree.definitions(path):
            tell(CODE_FILE, path, outline(path, found), top_names(found))
        tree.forget(path)
        if progress is not None and (number % 50 == 0 or number + 1 == len(sources)):
            progress(number + 1, len(sources))
    for folder, entries in _entries(tree).items():
        tell(CODE_TREE, folder or ".", _folder_text(tree.root.name, folder, entries))
    return told


def _entries(tree: Tree) -> dict[str, list[str]]:
    """What is in each folder: files by name, folders with a stroke behind."""
    entries: dict[str, list[str]] = {folder: [] for folder in sorted(tree.folders)} if tree.files else {}
    for folder in entries:
        if folder:
            above, _, name = folder.rpartition("/")
            entries[above].append(name + "/")
    for path in tree.files:
        above, _, name = path.rpartition("/")
        entries[above].append(name)
    return entries


def _folder_text(tree_name: str, folder: str, entries: Sequence[str]) -> str:
    where = f"{tree_name}/{folder}/" if folder else f"{tree_name}/"
    lines, room = [where], _TREE_CHARACTERS - len(where) - 40
    for place, entry in enumerate(sorted(entries)):
        room -= len(entry) + 1
        if room < 0:
            lines.append(f"… and {len(entries) - place} more")
            break
        lines.append(entry)
    return "\n".join(lines)


def _work(
    store: Store,
    tree: Tree,
    scope: str,
    told: dict[Key, Memory],
    personal: Collection[str],
) -> _Work:
    """The changes that bring what is stored in line with what there is to tell."""
    from remanence.codebase.signatures import is_cut

    known = _stored(store, tree, scope)
    stored, work = known.standing, _Work()
    work.counts["cut"] = sum(is_cut(memory.text) for memory in told.values())
    told = {key: _cleaned(new, stored.get(key), personal) for key, new in told.items()}
    _refuse_a_stranger(tree, scope, told, stored)
    missing = {key: old for key, old in stored.items() if key not in told and old.state is State.LIVE}
    gone = {key: old for key, old in missing.items() if _is_gone(tree, *key)}
    work.counts["unchanged"] += len(missing) - len(gone)
    purged = store.tombstones([memory.text for memory in told.values()])
    places = _moves(tree, told, stored, gone)
    moved = {new: old for old, new in places.items()}
    for key, new in told.items():
        old = stored.get(key) or stored.get(moved.get(key, key))
        if new.text in purged:
            work.skipped["purged before"] += 1
        elif new.text in known.waiting.get(key, ()):
            work.counts["unchanged"] += 1  # it waits for review as it is
        elif old is None:
            work.changes.append(Change.add(new, Reason.ASKED))
            work.counts["added"] += 1
        else:
            _renew(work, old, new, is_returning=old.id in known.returning)
    for key, old in gone.items():
        if old.pinned:
            work.skipped["pinned"] += 1
        elif key not in places:
            work.changes.append(Change.of(old, GONE, state=State.ARCHIVED))
            work.counts["removed"] += 1
    return work


def _is_gone(tree: Tree, kind: str, path: str) -> bool:
    """Whether there is surely nothing more to tell of a file or folder: a list may be cut, a file unreadable."""
    if kind == CODE_TREE:
        return tree.lacks(path, folder=True)
    return tree.lacks(path) or tree.definitions(path) == ()


def _cleaned(new: Memory, old: Memory | None, personal: Collection[str]) -> Memory:
    """The memory as the door will have it, so that a text with a secret in it is not new each time."""
    if old is not None and old.text == new.text:
        return new
    text = redact(new.text, personal=personal).text
    return new if text == new.text else new.but(text=text, metadata=new.metadata | {"digest": _digest(text)})


def _digest(text: str) -> str:
    """Of what is told of a file, without the first line, which says where it is."""
    return blake2b(text.partition("\n")[2].encode(), digest_size=16).hexdigest()


def _renew(work: _Work, old: Memory, new: Memory, *, is_returning: bool) -> None:
    """What becomes of a memory whose file is there: left alone, brought back, or followed by a new version."""
    is_same = old.text == new.text
    if is_same and old.state is not State.ARCHIVED:
        work.counts["unchanged"] += 1
    elif old.pinned:
        work.skipped["pinned"] += 1
    elif old.state is State.FORGOTTEN:
        work.skipped["forgotten by a person"] += 1
    elif is_same:
        if is_returning:
            work.changes.append(Change.of(old, BACK, state=State.LIVE))
            work.counts["restored"] += 1
        else:
            work.counts["unchanged"] += 1  # a sweep put it away, and may
    elif old.state is State.QUARANTINED:
        work.changes.append(Change.add(new, CHANGED))  # it waits for review as it was
        work.counts["changed"] += 1
    else:
        is_moved = old.metadata.get("path") != new.metadata.get("path")
        reason = MOVED if is_moved else CHANGED
        kept = {name: getattr(old, name) for name in ("categories", "importance", "exempt", "confirmations")}
        new = next_version(old, new.but(lineage=(old.id,) if is_moved else (), **kept))
        work.changes += (Change.add(new, reason), superseded(old, new, reason))
        work.counts["changed"] += 1


@dataclass(slots=True)
class _Known:
    """The memory that stands for each file and folder of the tree: a live one, else the newest of those in quarantine.

    `waiting` are the texts in quarantine; `returning` was archived because its file was gone.
    """

    standing: dict[Key, Memory] = field(default_factory=dict)
    waiting: dict[Key, set[str]] = field(default_factory=dict)
    returning: set[str] = field(default_factory=set)


def _stored(store: Store, tree: Tree, scope: str) -> _Known:
    known, away = _Known(), []
    for page in store.pages(Selection(scopes=(scope,), kinds=KINDS, layers=(Layer.CODEBASE,), states=_STATES)):
        for memory in page:
            path = memory.metadata.get("path")
            if memory.scope != scope or memory.metadata.get("tree") != tree.root.name or not isinstance(path, str):
                continue
            if memory.state in (State.ARCHIVED, State.FORGOTTEN):
                away.append(memory)
                continue
            key = (memory.kind, path)
            known.standing[key] = max(known.standing.get(key, memory), memory, key=_standing)
            if memory.state is State.QUARANTINED:
                known.waiting.setdefault(key, set()).add(memory.text)
    last = _last_words(store, [memory.id for memory in away])
    for memory in sorted(away, key=lambda memory: (memory.created_at, memory.id), reverse=True):
        verb, reason = last.get(memory.id, ("", ""))
        if memory.state is State.FORGOTTEN and verb == "undo" and not is_untried(memory):
            continue  # an ingest that was taken back is as if it had not been
        if memory.state is State.ARCHIVED and reason == GONE:
            known.returning.add(memory.id)
        known.standing.setdefault((memory.kind, memory.metadata["path"]), memory)
    return known


def _standing(memory: Memory) -> tuple[bool, datetime, str]:
    return memory.state is State.LIVE, memory.created_at, memory.id


def _last_words(store: Store, ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """By which verb each memory changed last, and why."""
    last: dict[str, tuple[str, str]] = {}
    for start in range(0, len(ids), 500):
        for entry in store.journal(_WHOLE_JOURNAL, memory_ids=ids[start : start + 500]):
            last.setdefault(entry.memory_id, (entry.verb, entry.reason))
    return last


def _refuse_a_stranger(tree: Tree, scope: str, told: dict[Key, Memory], stored: dict[Key, Memory]) -> None:
    """Two trees of one name in one scope would take each other's memories away."""
    known = {path for (kind, path), memory in stored.items() if kind == CODE_FILE and memory.state is State.LIVE}
    here = {path for kind, path in told if kind == CODE_FILE}
    if len(known) < _STRANGE_FROM or not known.isdisjoint(here):
        return
    if any(tree.history.knows(path) for path in known):
        return
    raise InvalidInput(
        f"scope {scope} holds another tree named {tree.root.name!r}: none of its {len(known)} files is in "
        f"{tree.root.folder}. Give this one a scope of its own, with --scope"
    )


def _moves(tree: Tree, told: dict[Key, Memory], stored: dict[Key, Memory], gone: dict[Key, Memory]) -> dict[Key, Key]:
    """Files that are gone, each with the new one it became: git says so, or their definitions are the very same."""
    fresh = {key for key in told if key not in stored}
    moves: dict[Key, Key] = {}
    by_digest: dict[str, list[Key]] = {}
    for key in sorted(fresh):
        by_digest.setdefault(str(told[key].metadata["digest"]), []).append(key)
    gone_digests = Counter(str(memory.metadata.get("digest")) for memory in gone.values())
    for (kind, path), memory in sorted(gone.items()) if fresh else ():
        if kind != CODE_FILE or memory.pinned:
            continue
        place = (CODE_FILE, tree.history.moved_to(path) or "")
        digest = str(memory.metadata.get("digest"))
        same = [key for key in by_digest.get(digest, ()) if key[0] == CODE_FILE]
        if place not in fresh and len(same) == 1 and gone_digests[digest] == 1:
            place = same[0]
        if place in fresh:
            moves[kind, path] = place
            fresh.discard(place)
    return moves
