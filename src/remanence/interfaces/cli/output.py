"""What a command prints: one JSON document with --json, tables and plain lines for people otherwise.

A memory's text may hold anything, so characters that steer a terminal (escapes, bidi marks) are shown, never sent.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from remanence.interfaces.wire import to_json
from remanence.model.hit import Hit, Remembered
from remanence.model.memory import Memory
from remanence.model.plan import Certificate, Entry, Event, Plan, Receipt
from remanence.model.report import Checkup, Imported, Stats

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_SHOWN_CHANGES = 20


def write_json(value: Any) -> None:
    sys.stdout.buffer.write((to_json(value) + "\n").encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, markup=False, emoji=False)


def safe(text: str) -> str:
    """Text without characters that steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or not _steers(c) else f"\\u{ord(c):04x}" for c in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cs")


def one_line(text: str, longest: int = 160) -> str:
    line = safe(" ".join(text[: 4 * longest].split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def show(value: Any, out: Console) -> None:
    """Print an answer for a person."""
    if isinstance(value, list):
        _show_list(value, out)
    else:
        kind = next((kind for kind in _SHOW if isinstance(value, kind)), None)
        _SHOW[kind](value, out) if kind else out.print(str(value))


def _show_list(values: Sequence[Any], out: Console) -> None:
    if not values:
        out.print("Nothing found.")
    elif isinstance(values[0], Remembered):
        for value in values:
            _remembered(value, out)
    else:
        out.print(_TABLES[type(values[0])](values))


def _table(*names: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name in ("id", "when", "receipt"))
    return table


def _hits(hits: Sequence[Hit]) -> Table:
    table = _table("rank", "text", "scope", "kind", "id")
    for hit in hits:
        memory = hit.memory
        mark = " (archived)" if hit.archived else ""
        table.add_row(f"{hit.rank:.3g}", one_line(memory.text) + mark, safe(memory.scope), safe(memory.kind), memory.id)
    return table


def _memories(memories: Sequence[Memory]) -> Table:
    table = _table("when", "text", "scope", "kind", "state", "id")
    for memory in memories:
        when = f"{memory.created_at:%Y-%m-%d}"
        state = memory.state + (", pinned" if memory.pinned else "")
        table.add_row(when, one_line(memory.text), safe(memory.scope), safe(memory.kind), state, memory.id)
    return table


def _entries(entries: Sequence[Entry]) -> Table:
    table = _table("when", "receipt", "verb", "", "action", "reason", "id")
    for entry in entries:
        when = f"{entry.at:%Y-%m-%d %H:%M:%S}"
        row = (when, entry.receipt_id, entry.verb, entry.action.mark, entry.action, entry.reason, entry.memory_id)
        table.add_row(*row)
    return table


def _events(events: Sequence[Event]) -> Table:
    table = _table("when", "receipt", "", "action", "reason", "version", "text")
    for event in events:
        memory = event.memory
        text = one_line(memory.text, 100) if memory else "(purged)"
        version = str(memory.version) if memory else ""
        entry = event.entry
        when = f"{entry.at:%Y-%m-%d %H:%M:%S}"
        table.add_row(when, entry.receipt_id, entry.action.mark, entry.action, entry.reason, version, text)
    return table


_TABLES: dict[type, Callable[[Any], Any]] = {Hit: _hits, Memory: _memories, Entry: _entries, Event: _events}


def _memory(memory: Memory, out: Console) -> None:
    out.print(safe(memory.text))
    table = _table("field", "value")
    for name, value in memory.to_dict().items():
        if name != "text" and value not in (None, [], {}):
            table.add_row(name, safe(value if isinstance(value, str) else to_json(value)))
    out.print(table)


def _remembered(result: Remembered, out: Console) -> None:
    if result.memory is None:
        out.print("x blocked: this text was purged before. Add --relearn to store it all the same.")
        return
    mark = {"added": "+", "superseded": "~", "duplicate": "="}.get(result.outcome, "!")
    out.print(f"{mark} {result.outcome} {result.memory.id}  {safe(result.memory.scope)}")
    if result.memory.supersedes and result.outcome == "superseded":
        out.print(f"  in the place of {result.memory.supersedes} (version {result.memory.version})")
    if result.memory.challenged_by:
        out.print(f"  challenged by {result.memory.challenged_by}: they contradict each other")
    for id in result.similar[:5]:
        out.print(f"  similar to {id}")


def _plan(plan: Plan, out: Console) -> None:
    out.print(f"{plan.verb}: {len(plan)} changes, nothing done yet")
    for change in plan.changes[:_SHOWN_CHANGES]:
        out.print(f"{change.action.mark} {change.memory_id}  {change.action}  {change.reason}")
    if len(plan) > _SHOWN_CHANGES:
        out.print(f"  and {len(plan) - _SHOWN_CHANGES} more")


def _receipt(receipt: Receipt, out: Console) -> None:
    number = len(receipt.applied)
    out.print(f"{receipt.verb}: {number} {'memory' if number == 1 else 'memories'} changed, receipt {receipt.id}")
    for id, reason in list(receipt.skipped.items())[:_SHOWN_CHANGES]:
        out.print(f"  skipped {id}: {safe(reason)}")
    if number:
        out.print(f"Take it back with: rem undo {receipt.id}")


def _certificate(certificate: Certificate, out: Console) -> None:
    state = "pending: a reader holds the log" if certificate.pending else "verified"
    if certificate.copies_found:
        state = f"{certificate.copies_found} copies are still in the files"
    out.print(f"x purged {len(certificate.purged)} memories, {state}")
    for name in ("older_versions", "derived", "kept_newer_versions", "backups"):
        for item in getattr(certificate, name):
            out.print(f"  {name.replace('_', ' ')}: {item}")


def _checkup(checkup: Checkup, out: Console) -> None:
    for problem in checkup.repaired:
        out.print(f"repaired  {problem}")
    for problem in checkup.problems:
        hint = (
            "mend with: rem check --repair" if problem.repairable else "restore a backup, or rem check --salvage FILE"
        )
        out.print(f"damaged   {problem}; {hint}")
    out.print(f"{'OK' if checkup.ok else 'NOT OK'}: {checkup.checked} memories checked")


def _stats(stats: Stats, out: Console) -> None:
    table = _table("what", "how many")
    for name in ("memories", "tokens", "layers", "kinds", "scopes"):
        for item, number in list(getattr(stats, name).items())[:12]:
            table.add_row(f"{name} {safe(item)}", f"{number:,}")
    table.add_row("receipts", f"{stats.receipts:,}")
    table.add_row("purged texts", f"{stats.tombstones:,}")
    table.add_row("file", f"{stats.file_bytes:,} bytes at {stats.location}")
    out.print(f"namespace {safe(stats.namespace)}, schema {stats.schema}")
    out.print(table)
    if stats.purge_pending:
        out.print("A purge is pending: another process still reads the old log. Close it, then run: rem check")


def _imported(report: Imported, out: Console) -> None:
    out.print(
        f"{report.read} read: {report.added} added, {report.present} there already, {report.blocked} purged before"
    )
    for id in report.conflicts[:_SHOWN_CHANGES]:
        out.print(f"  differs from what is there, which was kept: {id}")
    if report.receipt_id:
        out.print(f"Take it back with: rem undo {report.receipt_id}")


_SHOW: dict[type, Callable[[Any, Any], None]] = {
    Memory: _memory,
    Remembered: _remembered,
    Plan: _plan,
    Receipt: _receipt,
    Certificate: _certificate,
    Checkup: _checkup,
    Stats: _stats,
    Imported: _imported,
}


@contextmanager
def progress(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal; nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
