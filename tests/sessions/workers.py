"""The child processes of the tests of workers: `workers.py JOB ARGUMENTS`, both in JSON, as those of tests/crash are.

`prepare` makes a store with sessions that have rested long enough; `state` is what a run makes of it, without ids.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any

from remanence import Mind
from remanence.model.memory import Memory
from remanence.model.session import SUMMARY
from remanence.settings import Settings
from tests.conftest import dump
from tests.crash.workers import tell, wait

PROJECTS = ("/project/api", "/project/shop")
SHARED = "Always use pnpm for the packages of the shop."
_ID = re.compile(r"(?<=memory://)[0-9a-f-]+")


def opened(path: str | Path, lease_seconds: float = 300.0, **options: Any) -> Mind:
    """A mind by words, on a clock that runs, that does nothing unasked."""
    settings = Settings(
        upkeep__on_open=False,
        memories__stage_one_lease_seconds=lease_seconds,
        memories__stage_two_lease_seconds=lease_seconds,
    )
    return Mind(path, namespace="test", settings=settings, embedder=False, **options)


def prepare(path: Path, sessions: int) -> None:
    """Sessions of two projects: in each a rule of its own, one that all share, a failure and how it was mended."""
    begun = datetime.now(UTC) - timedelta(days=2)
    with opened(path) as mind:
        for number in range(sessions):
            at = begun + timedelta(minutes=number)
            session = mind.sessions.start(PROJECTS[number % 2], id=f"s{number:03}", at=at)
            for said in (
                f"Please look into ticket {number} of the queue.",
                f"Never touch table t{number} of shard {number * 7}, it belongs to team {number * 13}.",
                SHARED,
            ):
                mind.sessions.observe(session, said, at=at)
            for call, gave, failed in (
                (f"make part{number}", f"Error: cannot find module x{number}", True),
                (f"make install-x{number}", "done", False),
                (f"make part{number}", "done", False),
            ):
                mind.sessions.observe(session, gave, tool="Bash", call=call, failed=failed, at=at)


def state(mind: Mind) -> dict[str, Any]:
    """Every memory by its words, receipts by number, the documents without ids, and what else is in their folders."""
    found: list[Memory] = []
    while page := mind.list(state="all", limit=1000, offset=len(found)):
        found += page
    summaries = {one.id: one for one in found if one.kind == SUMMARY}
    memories: Counter[Any] = Counter()
    for one in found:
        assert all(summaries[id].origin == one.origin for id in one.lineage), one
        own = one.origin if one.text != SHARED else "any"
        memories[one.text, one.kind, one.scope, one.state, len(one.lineage), one.confirmations, own] += 1
    folders = [Path(mind.artifacts.folder(project)) for project in PROJECTS]
    return {
        "memories": memories,
        "receipts": len(dump(mind)["receipts"]),
        "documents": [_told(folder / "MEMORY.md") for folder in folders],
        "files": sorted(str(file.relative_to(folder)) for folder in folders for file in folder.rglob("*")),
    }


def _told(document: Path) -> list[str]:
    """Its lines without ids; where the line stands that all sessions share depends on who was first."""
    lines = _ID.sub("ID", document.read_text("utf-8")).splitlines()
    return [line for line in lines if SHARED not in line]


def run(path: str) -> None:
    """Run the pipeline when told to, and tell which sessions were processed."""
    with opened(path) as mind:
        tell("ready")
        wait()
        done = mind.sessions.run()
    tell({"processed": [one.session for one in done.processed], "failed": [task.why for task in done.failed]})


class Asking:
    """A model that tells what it is asked about, and answers when it is told to."""

    model = "asking"

    def complete(self, prompt: str, *, schema: Any = None, **_: Any) -> str:
        stage = 1 if "synopsis" in schema["properties"] else 2
        tell({"asked": stage})
        wait()
        return json.dumps({"synopsis": "", "memories": []} if stage == 1 else {"facts": [], "skills": []})


def ask(path: str, lease_seconds: float, holder: str | None) -> None:
    """Run the pipeline with a model that waits; as on another machine where a name is given."""
    with opened(path, lease_seconds, llm=Asking()) as mind:
        if holder is not None:
            mind.sessions._holder = holder
        done = mind.sessions.run()
    tell({"processed": [one.session for one in done.processed], "written": [one.project for one in done.written]})


def _ends(statements: list[str]) -> list[int]:
    """Where each transaction that writes begins, and where it is committed."""
    found: list[int] = []
    is_open = False
    for number, sql in enumerate(statements, 1):
        if sql.startswith("BEGIN IMMEDIATE") or (is_open and sql.startswith("COMMIT")):
            found.append(number)
            is_open = sql.startswith("BEGIN")
    return found


def forked() -> None:
    """Run the pipeline in forked processes that are killed: at a statement, or after so many seconds."""
    from remanence.sessions import stage_one, stage_two  # noqa: F401, loading them takes longer than many a life here
    from tests.crash.operations import Cut

    while (asked := wait()) is not None:
        path, at, seconds = asked
        child = os.fork()
        if child == 0:
            with Cut(at, kill=True) as cut, opened(path) as mind:
                mind.sessions.run()
            if at == 0 and seconds is None:
                tell(_ends(cut.statements))
            os._exit(0)
        if seconds is not None:
            sleep(seconds)
            os.kill(child, signal.SIGKILL)
        tell(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    {"run": run, "ask": ask, "forked": forked}[sys.argv[1]](*json.loads(sys.argv[2]))
