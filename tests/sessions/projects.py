"""Projects with memories as stage 1 leaves them, and what stands in their files."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from remanence import Mind
from remanence.model.draft import draft_from
from remanence.model.memory import Memory
from remanence.model.plan import Change, Plan
from tests.conftest import START

API = "/project/api"
FIX = "`pnpm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5433`; fixed by `docker compose up -d db`."
SYNOPSIS = "Moved the API to pnpm and repaired the tests that need the database."
LEARNED = (
    ("We decided to keep prices in integer cents, because floats gave wrong totals.", "decision", "decision"),
    ("Never push straight to main, open a pull request instead.", "preference", "constraint"),
    ("I prefer small commits with a message in the imperative.", "preference", "preference"),
    (FIX, "gotcha", "fix"),
    ("Before committing: 1. run `pnpm lint --fix` 2. run `pnpm test`", "workflow", "workflow"),
    ("The gateway listens on port 8443 behind the proxy.", "fact", "fact"),
)


def put(mind: Mind, text: str, kind: str = "fact", scope: str = API, **fields: Any) -> Memory:
    """A memory, as stage 1 would make it."""
    memory = mind.remember(text, kind=kind, scope=scope, **{"source": "extracted"} | fields).memory
    assert memory is not None
    return memory


def learned(mind: Mind, session: str = "s1", scope: str = API) -> list[Memory]:
    """What one session left: its synopsis, and what was learned in it."""
    origin = f"session:{session}"
    synopsis = put(mind, f"{SYNOPSIS} ({session})", "session_summary", scope, origin=origin)
    rest = [
        put(mind, text, kind, scope, origin=origin, lineage=(synopsis.id,), metadata={"signal": signal})
        for text, kind, signal in LEARNED
    ]
    return [synopsis, *rest]


def filled(mind: Mind, number: int, scope: str = API, **fields: Any) -> None:
    """Many memories, straight into the store: what the door does with repetitions is no part of these tests."""
    kinds = ("fact", "decision", "preference", "gotcha", "workflow", "bug", "session_summary")
    changes = []
    for n in range(number):
        at = START - timedelta(minutes=n)
        text = f"Service {n % 97} keeps {n} rows of table t{n} in region {n % 13}, since the load doubled."
        given = {"text": text, "scope": scope, "kind": kinds[n % 7], "source": "extracted"}
        draft = draft_from(given | {"importance": round(0.2 + (n % 71) / 100, 2)} | fields)
        changes.append(Change.add(draft.memory(mind._new_id(at), mind.namespace, at), "filled"))
    mind._store.apply(Plan(tuple(changes), verb="fill"), START)


def folder_of(mind: Mind, project: str = API) -> Path:
    return Path(mind.artifacts.folder(project))


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its name in it."""
    found = sorted(folder.rglob("*")) if folder.is_dir() else []
    return {str(one.relative_to(folder)): one.read_bytes() for one in found if one.is_file()}


def marks(folder: Path) -> dict[str, tuple[int, int]]:
    """By what one sees that a file was touched."""
    found = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return {str(one.relative_to(folder)): (one.stat().st_ino, one.stat().st_mtime_ns) for one in found}


def frames(text: str) -> list[str]:
    """What stands between markers; of a sound block this is one text, and no marker is elsewhere."""
    parts = text.split("<memories ")
    found = []
    for part in parts[1:]:
        boundary, _, rest = part.partition(">\n")
        assert boundary.isalnum() and len(boundary) == 24, boundary
        inside, end, after = rest.partition(f"\n</memories {boundary}>")
        assert end, "the frame is not closed"
        assert boundary not in inside + after
        found.append(inside)
    assert text.count("</memories") == len(found)
    return found
