"""The part `workers` of postgres.py: a backlog of sweeps, shared by 1, 2 and 4 processes of `rem work --all --once`.

Every namespace holds memories that have all expired. A turn dates them, sweeps, takes as many out of recall as the
breaker lets an automatic run take, and takes names from the texts. The database is filled once and copied for each run,
so that all begin with the same backlog; starting a process is part of its time, and measured alone as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ageing import texts
from foundation import Progress
from postgres_contenders import QUIET, Server

from remanence import Mind
from remanence.model.draft import draft_from
from remanence.model.plan import Change, Plan
from remanence.store.postgres.admin import Administration

CREWS = (1, 2, 4)
_LONGEST_SECONDS = 1800.0
_REM = "from remanence.interfaces.cli import main; main()"


def workers(options: argparse.Namespace, tell: Progress) -> dict[str, Any]:
    """Wall time and namespaces a second by number of processes, each a list over the rounds."""
    found: dict[str, Any] = {
        "namespaces": options.worker_namespaces,
        "memories": options.worker_memories,
        "runs": [],
    }
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="remanence-workers-")))
        server = Server(options.url, wall=options.wall)
        stack.callback(server.close)
        template = server.new_database()
        _fill(server.address(template), options, tell)
        for turn in range(options.rounds):
            shift = turn % len(CREWS)
            for number in (*CREWS[shift:], *CREWS[:shift]):
                tell(f"workers: round {turn + 1}, {number} processes")
                database = server.new_database(template)
                server.execute("VACUUM ANALYZE", database=database)
                run = {"round": turn, "processes": number} | _crew(server, database, number, folder)
                if number == CREWS[0]:
                    run["nothing_to_do_seconds"] = _crew(server, database, 1, folder)["seconds"]
                found["runs"].append(run)
                server.drop(database)
    return found


def _fill(address: str, options: argparse.Namespace, tell: Progress) -> None:
    with closing(Administration(address)) as keeper:
        keeper.init(options.partitions)
    now = datetime.now(UTC)
    for namespace in range(options.worker_namespaces):
        tell(f"workers: filling namespace {namespace + 1} of {options.worker_namespaces}")
        with Mind(address, namespace=f"w{namespace}", embedder=False, settings=QUIET) as mind:
            changes = []
            for number in range(options.worker_memories):
                values = {
                    "text": texts(namespace * options.worker_memories + number),
                    "scope": f"/project/{number % 20}",
                    "created_at": now - timedelta(days=1 + number % 60),
                    "expires_at": now - timedelta(minutes=1),
                }
                changes.append(Change.add(draft_from(values).memory(mind._new_id(now), mind.namespace, now)))
            mind._store.apply(Plan(tuple(changes), verb="remember"), now)


def _crew(server: Server, database: str, number: int, folder: Path) -> dict[str, Any]:
    """That many processes at once, until none has anything left; those still running at the end are ended."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("REMANENCE_")}
    environment |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    environment |= {"REMANENCE_DB": server.address(database), "REMANENCE_EMBEDDER": "none"}
    command = [sys.executable, "-c", _REM, "work", "--all", "--once", "--json"]
    children: list[subprocess.Popen[str]] = []
    before, usage, start = server.cpu(), os.times(), time.perf_counter()
    try:
        for _ in range(number):
            children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        said = [child.communicate(timeout=_LONGEST_SECONDS)[0] for child in children]
        seconds, after = time.perf_counter() - start, os.times()
        if failed := [child.returncode for child in children if child.returncode]:
            raise RuntimeError(
                f"{len(failed)} of {number} workers ended with {failed[0]}; what they said stands above."
            )
    finally:
        for child in children:
            if child.poll() is None:
                child.kill()
                child.wait()
    served = _served(said)
    own = (after.children_user + after.children_system) - (usage.children_user + usage.children_system)
    return {
        "seconds": seconds,
        "served": len(served),
        "served_each": [len(_served([one])) for one in said],
        "left_recall": sum(report["archived"] + report["forgotten"] for one in served if (report := one["report"])),
        "cpu": own,
        "server_cpu": server.cpu() - before,
    }


def _served(said: Sequence[str]) -> list[dict[str, Any]]:
    """What the workers told of each turn."""
    return [one for text in said for one in json.loads(text)["served"]]
