"""What a command prints: one JSON document with --json, tables and plain lines for people otherwise.

A memory's text may hold anything, so characters that steer a terminal (escapes, bidi marks) are shown, never sent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remanence import settings
from remanence.errors import InvalidInput
from remanence.interfaces.cli import absorbing, claims, fates, guarding, looking_back, sessions
from remanence.interfaces.cli.words import counted, one_line, safe
from remanence.interfaces.wire import to_json
from remanence.model.dream import DreamRun
from remanence.model.explanation import Forecast
from remanence.model.extraction import Extraction, Fact
from remanence.model.hit import Hit, Remembered
from remanence.model.journal import POLICY, Brief, Entry, Event, Past
from remanence.model.lineage import Lineage
from remanence.model.memory import Memory
from remanence.model.plan import Certificate, Plan, Receipt
from remanence.model.policy import Policy
from remanence.model.report import Checkup, Imported, Report, Scan, Stats
from remanence.model.session import SessionRun
from remanence.places import is_database, shown

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN_CHANGES = 20
_NAMED_ON_A_CERTIFICATE = (
    *("older_versions", "derived", "sources", "restored", "kept_newer_versions", "same_words_kept", "backups"),
    "not_reached",
)


def write_json(value: Any) -> None:
    sys.stdout.buffer.write((to_json(value) + "\n").encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True, markup=False, emoji=False)


def show(value: Any, out: Console) -> None:
    """Print an answer for a person."""
    if isinstance(value, list):
        _show_list(value, out)
    else:
        kind = next((kind for kind in _SHOW if isinstance(value, kind)), None)
        _SHOW[kind](value, out) if kind else out.print(str(value))


def nothing(db: str | None, namespace: str | None) -> None:
    """Which store it is that holds nothing, as one mistyped or not the usual one does, and how to begin."""
    settled = settings.load()
    where, wall = shown(db or settled.location()), namespace or settled.namespace
    console().print(f"Nothing is remembered in {safe(where)}, namespace {safe(wall)}. Begin with: rem remember TEXT")


def _show_list(values: Sequence[Any], out: Console) -> None:
    if not values:
        out.print("Nothing found.")
    elif isinstance(values[0], Remembered):
        for value in values:
            _remembered(value, out)
    else:
        names, row = _ROWS[type(values[0])]
        _rows(names, [row(value) for value in values], out)


def _rows(names: tuple[str, ...], rows: list[tuple[str, ...]], out: Console) -> None:
    """A table where it fits; on a narrower terminal each text on a line of its own, the rest below it."""
    from rich.cells import cell_len, set_cell_size

    widths = [max(cell_len(cell) for cell in column) for column in zip(names, *rows, strict=True)]
    if out.is_terminal and sum(widths) + 2 * len(names) > out.width:
        at = names.index("text") if "text" in names else len(names) - 1
        for row in rows:
            rest = " · ".join(cell for i, cell in enumerate(row) if cell and i != at)
            if row[at]:
                out.print(row[at], style="bold")
            out.print(f"  {rest}" if row[at] else rest, style="dim")
        return
    for number, row in enumerate((names, *rows)):
        line = "  ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        out.print(line.rstrip(), style=None if number else "bold")


def _hit(hit: Hit) -> tuple[str, ...]:
    memory = hit.memory
    text = one_line(memory.text) + (" (archived)" if hit.archived else "")
    return f"{hit.rank:.3g}", text, safe(memory.scope), safe(memory.kind), memory.id


def missed(hits: Sequence[Hit]) -> None:
    """Archived memories that would have been among the hits, and how to bring them back."""
    out = console(stderr=True)
    out.print(f"In the archive, {counted(len(hits))} would have been among these:")
    for hit in hits:
        out.print(f"  {one_line(hit.memory.text)}")
    out.print(f"Bring back with: rem restore {' '.join(hit.memory.id for hit in hits)}")


def _listed(memory: Memory) -> tuple[str, ...]:
    when = f"{memory.created_at:%Y-%m-%d}"
    state = memory.state + (", pinned" if memory.pinned else "")
    return when, one_line(memory.text), safe(memory.scope), safe(memory.kind), state, memory.id


def _entry(entry: Entry) -> tuple[str, ...]:
    when = f"{entry.at:%Y-%m-%d %H:%M:%S}"
    reason = entry.reason + (f": {one_line(entry.note, 60)}" if entry.note else "")
    return when, entry.receipt_id, entry.verb, entry.action.mark, entry.action.value, reason, entry.memory_id


def _event(event: Event) -> tuple[str, ...]:
    entry, memory = event.entry, event.memory
    text = one_line(memory.text) if memory else "(purged)"
    when = f"{entry.at:%Y-%m-%d %H:%M:%S}"
    version = f"v{memory.version}" if memory else ""
    return when, entry.receipt_id, entry.verb, entry.action.mark, entry.action.value, entry.reason, version, text


_ROWS: dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[str, ...]]]] = {
    Hit: (("rank", "text", "scope", "kind", "id"), _hit),
    Memory: (("when", "text", "scope", "kind", "state", "id"), _listed),
    Entry: (("when", "receipt", "verb", "", "action", "reason", "id"), _entry),
    Event: (("when", "receipt", "verb", "", "action", "reason", "version", "text"), _event),
    Brief: (looking_back.BRIEF, looking_back.brief),
    Fact: (("text", "kind", "importance"), lambda fact: (one_line(fact.text), fact.kind, f"{fact.importance:g}")),
}


def _memory(memory: Memory, out: Console) -> None:
    out.print(safe(memory.text))
    for name, value in memory.to_dict().items():
        if name != "text" and value not in (None, [], {}):
            out.print(f"  {name:<18}{safe(value if isinstance(value, str) else to_json(value))}")


def _remembered(result: Remembered, out: Console) -> None:
    if result.memory is None:
        out.print("x blocked: this text was purged before. To store it all the same: rem remember … --relearn")
        return
    mark = {"added": "+", "superseded": "~", "duplicate": "="}.get(result.outcome, "!")
    out.print(f"{mark} {result.outcome} {result.memory.id}  {safe(result.memory.scope)}")
    if result.memory.supersedes and result.outcome == "superseded":
        out.print(f"  in the place of {result.memory.supersedes} (version {result.memory.version})")
    if result.memory.challenged_by:
        out.print(f"  challenged by {result.memory.challenged_by}: they contradict each other")
    if result.screened:
        why = ", ".join(map(safe, result.screened))
        out.print(f"  because it {why}; settle with: rem review accept {result.memory.id}, or reject")
    if result.redacted:
        out.print(f"  redacted: {', '.join(f'{number} {kind}' for kind, number in result.redacted.items())}")
    for id in result.similar[:5]:
        out.print(f"  similar to {id}")


def _receipt(receipt: Receipt, out: Console) -> None:
    number = len(receipt.applied)
    if receipt.verb == POLICY and not number:
        out.print(f"policy: {safe(receipt.note or '')}, receipt {receipt.id}")
        out.print(f"Take it back with: rem undo {receipt.id}")
        return
    out.print(f"{receipt.verb}: {counted(number)} changed, receipt {receipt.id}")
    for id, reason in list(receipt.skipped.items())[:_SHOWN_CHANGES]:
        out.print(f"  skipped {id}: {safe(reason)}")
    if number:
        out.print(f"Take it back with: rem undo {receipt.id}")


def _certificate(certificate: Certificate, out: Console) -> None:
    state = "pending: somebody still reads what was there before" if certificate.pending else "verified"
    if certificate.copies_found:
        state = f"{certificate.copies_found} copies are still in the files"
    out.print(f"x purged {counted(len(certificate.purged))}, {state}")
    for name in _NAMED_ON_A_CERTIFICATE:
        for item in getattr(certificate, name):
            out.print(f"  {name.replace('_', ' ')}: {item}")


def show_checkup(checkup: Checkup, out: Console, saved_by: str = "rem check --salvage FILE") -> None:
    """What a check found; `saved_by` is the command that saves what can still be read of such a store."""
    for problem in checkup.repaired:
        out.print(f"repaired  {problem}")
    for problem in checkup.problems:
        hint = (
            "mend with: rem check --repair"
            if problem.repairable
            else f"restore a backup, or save what can be read: {saved_by}"
        )
        out.print(f"damaged   {problem}; {hint}")
    out.print(f"{'OK' if checkup.ok else 'NOT OK'}: {counted(checkup.checked)} checked")


STATS_WIDTH = 30
"""Characters for what a figure is called; a longer name moves its own figure alone."""


def _stats(stats: Stats, out: Console) -> None:
    out.print(f"namespace {safe(stats.namespace)}, schema {stats.schema}")
    rows = [
        (f"{name} {safe(item)}", f"{number:,}")
        for name in ("memories", "tokens", "layers", "kinds", "scopes")
        for item, number in list(getattr(stats, name).items())[:12]
    ]
    rows = rows or [("memories", "0")]
    rows += [("receipts", f"{stats.receipts:,}"), ("purged texts", f"{stats.tombstones:,}")]
    rows.append(("policy", safe(stats.policy) + ("" if stats.sweeping else ": sweeps are switched off")))
    rows += [
        (f"slowed {safe(kind)}", f"{factor:g} times slower, since archived ones were missed")
        for kind, factor in stats.slowed.items()
    ]
    rows.append(("due now", f"{stats.due:,}"))
    rows.append(("last upkeep", f"{stats.upkeep_at:%Y-%m-%d %H:%M} UTC" if stats.upkeep_at else "never"))
    rows.append(("embedder", safe(stats.embedder or "none: recall goes by words alone")))
    rows += [("vectors", f"{number:,} of {safe(model)}") for model, number in stats.vectors.items()]
    rows.append(("waiting to be embedded", f"{stats.waiting:,}"))
    rows.append(("language model", safe(stats.llm or "none: texts are taken apart by rules")))
    limit = "" if stats.tokens_per_day is None else f" of {stats.tokens_per_day:,}"
    most = "" if stats.tokens_per_run is None else f"; at most {stats.tokens_per_run:,} a run"
    rows.append(("model tokens today", f"{stats.spent_today:,}{limit}{most}"))
    rows += [
        (f"model tokens {spent.day}", f"{spent.tokens:,} in {spent.calls:,} calls of {safe(spent.model)}")
        for spent in stats.spending[:3]
    ]
    rows.append(("recalls of 30 days", f"{stats.recalls:,}"))
    rows.append(("archived ones missed", f"{stats.regrets:,}"))
    kept_in = "database" if is_database(stats.location) else "file"
    rows.append((kept_in, f"{stats.file_bytes:,} bytes at {safe(stats.location)}"))
    for name, number in rows:
        out.print(f"  {name:<{STATS_WIDTH - 1}} {number}")
    for size in stats.sizes:
        out.print(f"! {safe(size)}")
    if others := sum(number for model, number in stats.vectors.items() if stats.embedder not in (None, model)):
        out.print(f"! {counted(others)} have a vector of another model, found by words alone until: rem reembed")
    if stats.purge_pending:
        out.print("A purge is pending: somebody still reads what was there before. Once that ends, run: rem check")


def _imported(report: Imported, out: Console) -> None:
    out.print(
        f"{report.read} read: {report.added} added, {report.present} there already, {report.blocked} purged before"
    )
    if report.quarantined:
        out.print(f"  {counted(report.quarantined)} quarantined; see: rem review")
    if report.redacted:
        out.print(f"  redacted: {', '.join(f'{number} {kind}' for kind, number in report.redacted.items())}")
    for id in report.conflicts[:_SHOWN_CHANGES]:
        out.print(f"  differs from what is there, which was kept: {id}")
    if report.receipt_id:
        out.print(f"Take it back with: rem undo {report.receipt_id}")


def _counts(counts: Mapping[str, int], out: Console) -> None:
    for name, number in counts.items():
        out.print(f"{number:>9,}  {safe(name)}")
    if not counts:
        out.print("Nothing matches.")


_SHOW: dict[type, Callable[[Any, Any], None]] = {
    DreamRun: claims.run,
    SessionRun: sessions.show_run,
    Memory: _memory,
    Remembered: _remembered,
    Plan: fates.plan,
    Forecast: fates.forecast,
    Report: fates.report,
    Policy: fates.policy,
    Receipt: _receipt,
    Certificate: _certificate,
    Checkup: show_checkup,
    Stats: _stats,
    Past: looking_back.past,
    Lineage: looking_back.lineage,
    Imported: _imported,
    Extraction: absorbing.show_extraction,
    Scan: guarding.show_scan,
    dict: _counts,
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


def write_file(path: str, text: str) -> None:
    """Write what somebody wants as a file: a plot, a page."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as reason:
        raise InvalidInput(f"{path} cannot be written: {reason.strerror}") from None
