"""What is promised of reliability and security, line by line, and on which stores each line is to be shown.

A test says which lines it shows with `pytest.mark.promise("R3")`. `FILE` is SQLite, `DATABASE` is PostgreSQL; a line
that has nothing to do with where memories are kept is shown on a file. A number that is not here was never given.
"""

from __future__ import annotations

from dataclasses import dataclass

FILE, DATABASE = "file", "database"
BOTH = (FILE, DATABASE)


@dataclass(frozen=True)
class Promise:
    """One line: what is tried, when it passes, and where."""

    id: str
    tried: str
    passes: str
    stores: tuple[str, ...] = BOTH


_LINES = (
    Promise("R1", "`kill -9` a writer 200× at random during add, sweep, dream", "0 acked lost, 0 half-applied plans"),
    Promise(
        "R2",
        "abort at statement i, for every i, of add / supersede / sweep / dream / purge / migrate",
        "state is before or after; a re-run completes",
    ),
    Promise(
        "R3",
        "8 processes × 1,000 adds to one store, then library + CLI + MCP + REST mixed",
        "every row there, 0 errors, p99 ≤ 100 ms",
    ),
    Promise("R4", "16 readers with 4 writers", "0 “locked”; a read waits for no writer"),
    Promise("R5", "8 processes × 1,000 recalls of one memory", "access count exact"),
    Promise(
        "R6",
        "two sweeps / dreams at once; lease holder frozen past its lease, then thawed",
        "one effect; the stale holder is fenced out; takeover ≤ lease + 5 s",
    ),
    Promise("R7", "lease holder killed", "takeover without manual unlock; a reused process id harmless"),
    Promise("R9", "writes while a dream waits for its LLM", "0 lost; a proposal on a changed row is dropped"),
    Promise(
        "R10",
        "a year of dreams with a proposer that randomly wants to delete 1 % and an injected “delete all”",
        "pinned and unique facts kept; every removal restorable; mass removal refused without `--force`",
    ),
    Promise("R11", "recall every source fact during consolidation", "never unreachable"),
    Promise(
        "R12",
        "disk full; read-only file or folder; corrupted or truncated file; newer schema",
        "one clear line, acked data kept, nothing overwritten, salvage offered",
    ),
    Promise(
        "R16",
        "migrate from every earlier schema, killed at each step, 4 processes at once",
        "one migration, backup first, contents equal",
    ),
    Promise(
        "R17",
        "10k random operations with kills: rows = full text = vectors",
        "difference 0; `rem check --repair` fixes seeded drift",
    ),
    Promise("R18", "embedding model changed", "no mixing, text recall never stops, resumable `rem reembed`"),
    Promise(
        "R19",
        "clock −1 y, +10 y, DST, leap day, year 9999",
        "no exception; scores in [0,1]; a jump never mass-archives",
    ),
    Promise(
        "R20",
        "NaN, ±inf, 1e308, 2^63, bool, “5” as importance, limit, dates",
        "typed error, store unchanged",
    ),
    Promise(
        "R21",
        "Hypothesis state machine against a dict model: every verb, reopening, the clock",
        "10k steps, 0 divergences",
    ),
    Promise("R22", "same seed, clock, embedder, LLM → twice", "identical content"),
    Promise(
        "R23",
        "backup under 4 writers; restore; export → import → export",
        "holds every acked write; equal incl. ids, lineage, times",
    ),
    Promise(
        "R25",
        "PostgreSQL: kill a worker or backend, `stop -m immediate`, pool exhausted",
        "0 acked lost; retries idempotent; leases recover",
        (DATABASE,),
    ),
    Promise(
        "R26",
        "MCP stdio: end of input, parent killed, 100×",
        "exits ≤ 2 s, no orphans; stdout only JSON-RPC",
        (FILE,),
    ),
    Promise(
        "R29",
        "embedder or LLM down, slow, garbage, 429",
        "the write is acked anyway; backlog drains later; bounded retries and spend",
    ),
    Promise(
        "S1",
        "≥ 200 poison texts through each door and through extraction and dream",
        "0 untrusted returned as trusted; 0 leave quarantine by themselves",
    ),
    Promise(
        "S3",
        "instruction detector on attacks and benign texts",
        "recall ≥ 80 %, benign flagged ≤ 5 %, nothing dropped silently",
        (FILE,),
    ),
    Promise(
        "S4",
        "random merges and dreams",
        "trust(derived) ≤ min(sources); hedges kept; purge of a source flags or purges what it made",
    ),
    Promise(
        "S5",
        "memories that try to close the recall frame (tags, fake roles, fences, bidi, zero-width)",
        "exactly one frame, random per call, kept when cut to budget",
        (FILE,),
    ),
    Promise(
        "S6",
        "secrets of 20 kinds in prose",
        "recall ≥ 98 %, false ≤ 1 %, ≤ 2 ms a text; the value in no file, log or provider call",
        (FILE,),
    ),
    Promise(
        "S7",
        "purge: marker in text, tag, source, derived, archive, export, history, with a reader open",
        "in 0 bytes; derived purged or rewritten; pending while a reader holds it, 0 bytes once it is gone",
    ),
    Promise(
        "S8",
        "feed the purged text again; restore an old backup",
        "not learned again unless told so; re-purged at open",
    ),
    Promise(
        "S9",
        "Host × Origin matrix on every route; cross-site POST; no, wrong token; bind 0.0.0.0",
        "foreign → 403/421; 401 in constant time; public bind refused without a token; no `ACAO: *`",
        (FILE,),
    ),
    Promise("S12", "100 XSS payloads in every field, in a real browser", "0 executions; CSP without inline script"),
    Promise(
        "S13",
        "SQL / JSON-path / FTS payloads in keys, values, sort, tags, ids, scope",
        "0 errors ≥ 500, right rows",
    ),
    Promise(
        "S14", "120 traversal names in memory:// URLs, skills, exports", "nothing outside the root touched", (FILE,)
    ),
    Promise("S15", "two namespaces, every route, tool and command", "intersection empty"),
    Promise(
        "S16", "10 MB text, 1 M tags, 100k-deep JSON, endless stream", "refused ≤ 1 s, resident + ≤ 50 MB", (FILE,)
    ),
    Promise(
        "S18",
        "500 hostile inputs (NUL, surrogates, bidi, controls) through each door",
        "no 5xx, no traceback, round-trip equal or refused",
    ),
    Promise("S19", "schemathesis on the OpenAPI document, stateful", "0 failures"),
)
PROMISES = {promise.id: promise for promise in _LINES}
