"""export and import: every memory of a namespace as JSON lines, in any state, with ids, lineage and times as they are.

A line is one memory. An import adds the memories as they are; what is there already stays as it is, and what was
purged stays gone. All lines are checked before the first is written. A Markdown export is for reading only. Neither way
passes a secret; what comes in, is not fully trusted and reads like an instruction is quarantined, unless a person had
accepted it before.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from remanence.errors import InvalidInput, StoreUnavailable
from remanence.flows.door import clean_memory, made_from, reasons_of, secret_problems
from remanence.guard.secrets import redact
from remanence.lifecycle.provenance import admitted
from remanence.model.memory import Memory, State
from remanence.model.plan import Change, Plan, Reason
from remanence.model.record import memory_from, record_problems
from remanence.model.report import Imported
from remanence.model.selection import EVERY_STATE, Selection
from remanence.store.protocol import Progress, Store

FORMATS = ("jsonl", "markdown")
LINE_BYTES = 16 << 20
_CHUNK = 500
_MOST_PROBLEMS = 50


def export(
    store: Store, path: Path, format: str, progress: Progress | None = None, personal: Collection[str] = ()
) -> int:
    """Write every memory to a file, whole or not at all; the number written."""
    if format not in FORMATS:
        raise InvalidInput(f"format {format!r} is not one of {', '.join(FORMATS)}")
    if path.exists() and not path.is_file():
        raise InvalidInput(f"{path} is not a file; give a path of its own")
    if any(path.exists() and path.samefile(own) for own in store.files()):
        raise InvalidInput(f"{path} belongs to the store itself; export to another path")
    store.flush()
    total = store.count(Selection(states=EVERY_STATE))
    write = _write_lines if format == "jsonl" else _write_markdown
    draft = path.with_name(path.name + ".part")
    try:
        handle = os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            number = write(store, file, total, progress, personal)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as reason:
        draft.unlink(missing_ok=True)
        raise StoreUnavailable(f"{path} cannot be written: {reason.strerror}") from None
    return number


def _write_lines(store: Store, file: IO[str], total: int, progress: Progress | None, personal: Collection[str]) -> int:
    number = 0
    for page in store.pages(Selection(states=EVERY_STATE)):
        file.writelines(json.dumps(_clean(memory, personal).to_dict(), ensure_ascii=False) + "\n" for memory in page)
        number += len(page)
        if progress is not None:
            progress(number, total)
    return number


def _write_markdown(
    store: Store, file: IO[str], total: int, progress: Progress | None, personal: Collection[str]
) -> int:
    """Live and archived memories by scope, newest last."""
    number = 0
    file.write(f"# Memories of {store.namespace}\n")
    for scope in sorted({scope for scope, _ in store.state_counts()}):
        mine = Selection(scopes=(scope,), states=(State.LIVE, State.ARCHIVED))
        headed = False
        for page in store.pages(mine):
            for memory in (memory for memory in page if memory.scope == scope):
                file.write("" if headed else f"\n## {scope}\n\n")
                headed = True
                file.write(_item(_clean(memory, personal)))
                number += 1
        if progress is not None:
            progress(number, total)
    return number


def _clean(memory: Memory, personal: Collection[str]) -> Memory:
    """Without a secret that was stored before there was a guard, also in names that would be refused today."""
    scope, kind = redact(memory.scope, personal=personal).text, redact(memory.kind, personal=personal).text
    named = memory if (scope, kind) == (memory.scope, memory.kind) else memory.but(scope=scope, kind=kind)
    return clean_memory(named, personal)[0]


def _item(memory: Memory) -> str:
    text = "\n  ".join(memory.text.splitlines())
    marks = [memory.kind, memory.layer, f"importance {memory.importance:g}", memory.created_at.date().isoformat()]
    marks += [f"#{category}" for category in memory.categories]
    marks += ["pinned"] if memory.pinned else []
    marks += [memory.state] if memory.state is not State.LIVE else []
    return f"- {text}\n  *{' · '.join(marks)}* `{memory.id}`\n"


def import_(
    store: Store, path: Path, now: datetime, progress: Progress | None = None, personal: Collection[str] = ()
) -> Imported:
    """Add the memories of an export; one receipt, in chunks, so a second try goes on where the first stopped."""
    if path.exists() and not path.is_file():
        with tempfile.TemporaryDirectory(prefix="remanence-import-") as folder:
            return import_(store, _spooled(path, Path(folder)), now, progress, personal)
    total = _checked(path, personal)
    receipt_id: str | None = None
    report = Imported(receipt_id=None)
    with _opened(path) as file:
        memories = (memory_from(values, store.namespace) for _, values in _lines(file))
        while chunk := [_looked_at(memory, personal) for memory in islice(memories, _CHUNK)]:
            with store.transaction():
                report, receipt_id = _add(store, chunk, now, report, receipt_id)
            if progress is not None:
                progress(report.read, total)
    return replace(report, receipt_id=receipt_id)


class _Line(NamedTuple):
    """A memory of a line without secrets, how many there were of each kind, and why it is suspicious."""

    memory: Memory
    redacted: Mapping[str, int]
    reasons: tuple[str, ...]


def _looked_at(memory: Memory, personal: Collection[str]) -> _Line:
    clean, redacted = clean_memory(memory, personal)
    return _Line(clean, redacted, reasons_of(clean))


def _add(
    store: Store, chunk: list[_Line], now: datetime, report: Imported, receipt_id: str | None
) -> tuple[Imported, str | None]:
    memories = {line.memory.id: line.memory for line in chunk}
    there = store.get(memories)
    blocked = store.tombstones([memory.text for memory in memories.values()])
    come = []
    for line in chunk:
        memory, poisoned = made_from(store, line.memory, memories)
        come.append(admitted(memory, line.reasons, poisoned))
    fresh = [memory for memory in come if memory.id not in there and memory.text not in blocked]
    if fresh:
        plan = Plan(tuple(Change.add(memory, Reason.IMPORTED) for memory in fresh), verb="import")
        receipt_id = store.apply(plan, now, receipt_id=receipt_id).id
    conflicts = tuple(memory.id for memory in come if memory.id in there and there[memory.id] != memory)
    redacted = Counter(report.redacted)
    for line in chunk:
        redacted += Counter(line.redacted)
    return (
        replace(
            report,
            read=report.read + len(chunk),
            added=report.added + len(fresh),
            present=report.present + len(there),
            conflicts=report.conflicts + conflicts,
            quarantined=report.quarantined + sum(m.state is State.QUARANTINED for m in fresh),
            redacted=dict(redacted),
            blocked=report.blocked + sum(m.text in blocked and m.id not in there for m in memories.values()),
        ),
        receipt_id,
    )


def _spooled(path: Path, folder: Path) -> Path:
    """A pipe can be read only once, and every line is looked at twice: its contents as a file."""
    whole = folder / "import.jsonl"
    try:
        with path.open("rb") as source, whole.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None
    return whole


def _opened(path: Path) -> IO[str]:
    try:
        return path.open(encoding="utf-8")
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be read: {reason.strerror}") from None


def _checked(path: Path, personal: Collection[str]) -> int:
    """The number of lines, when every one of them is a memory; InvalidInput naming each that is not."""
    problems: list[str] = []
    seen: dict[str, int] = {}
    number = 0

    def note(line: int, found: list[str]) -> None:
        problems.extend(f"line {line}: {problem}" for problem in found)

    with _opened(path) as file:
        try:
            for number, values in _lines(file, note):
                found = record_problems(values)
                note(number, found or secret_problems(personal, scope=values["scope"], kind=values["kind"]))
                id = str(values.get("id"))
                if id in seen:
                    note(number, [f"id {id} stands in line {seen[id]} already"])
                seen[id] = number
                if len(problems) > _MOST_PROBLEMS:
                    break
        except UnicodeDecodeError as reason:
            problems.append(f"{path} is not UTF-8: {reason.reason} at byte {reason.start}")
    if len(problems) > _MOST_PROBLEMS:
        problems[_MOST_PROBLEMS:] = ["and perhaps more: the rest was not looked at"]
    if problems:
        raise InvalidInput(problems)
    return len(seen)


def _lines(file: IO[str], note: Callable[[int, list[str]], None] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    while line := file.readline(LINE_BYTES + 1):
        number += 1
        if not line.strip():
            continue
        problem = f"longer than {LINE_BYTES} characters" if len(line) > LINE_BYTES else None
        try:
            values = None if problem else json.loads(line)
        except (ValueError, RecursionError) as reason:
            problem = f"not JSON ({reason})"
        if problem is None and isinstance(values, dict):
            yield number, values
        elif note is not None:
            note(number, [problem or "not a JSON object"])
            if len(line) > LINE_BYTES:
                return
