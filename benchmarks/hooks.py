"""What a hook costs its host, and how fast what it left is taken in.

    python benchmarks/hooks.py [--rounds 25] [--events 5000] [--markdown OUT]

CPU (user and system) of whole `rem hook` processes, interleaved with `python -c pass` and `python -S -c pass` as the
floor; medians, smallest and largest in brackets. Modules are compiled once before, as they are where the package is
installed. The drain is timed by the CPU of this process, on a file, with nothing cached.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from remanence import Mind
from remanence.places import GUIDANCE, artifacts_of, folder_of, spool_of
from remanence.sessions import spool as spooled
from remanence.sessions.drain import drain
from remanence.sessions.envelope import enveloped
from remanence.settings import Settings

SESSION = "6f0f2f0e-3c11-4c55-9a51-0a4f2f1f9b10"
CALL = "toolu_01A09q90qw90lq917835lq9xY"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CODE = "export const total = (items) => items.reduce((sum, one) => sum + one.cents * one.number, 0);\n"
WAITING = (0, 1_000, 10_000)


class Call(NamedTuple):
    """One thing to measure: a process with its words, its input, and how many events wait beside its store."""

    name: str
    words: list[str]
    given: bytes = b""
    waiting: int = 0
    enabled: bool = True


def tool(text: str) -> dict[str, Any]:
    response = {"stdout": text, "stderr": "", "interrupted": False}
    return {
        "tool_name": "Bash",
        "tool_input": {"command": "cat total.ts"},
        "tool_use_id": CALL,
        "tool_response": response,
    }


def calls(folder: Path) -> list[Call]:
    rem = Path(sys.executable).with_name("rem")
    program = [str(rem)] if rem.exists() else [sys.executable, "-P", "-m", "remanence.interfaces.cli"]

    def hook(name: str, event: str, fields: dict[str, Any], waiting: int = 0, enabled: bool = True) -> Call:
        about = {"session_id": SESSION, "cwd": str(folder), "transcript_path": f"/t/{SESSION}.jsonl"}
        words = [*program, "hook", event, "--host", "claude-code"]
        return Call(name, words, json.dumps({**about, **fields}).encode(), waiting, enabled)

    short, long = tool(CODE), tool(CODE * 80)
    made = [
        Call("python -S -c pass", [sys.executable, "-S", "-c", "pass"]),
        Call("python -c pass", [sys.executable, "-c", "pass"]),
        hook("switched off", "PostToolUse", short, enabled=False),
        hook("SessionStart, 20 KB of guidance", "SessionStart", {"source": "startup"}),
        hook("UserPromptSubmit", "UserPromptSubmit", {"prompt": "Use pnpm, never npm."}),
        hook("PostToolUse, 100 characters", "PostToolUse", short),
        hook("PostToolUse, 7,000 characters", "PostToolUse", long),
        hook("PostToolUse, 1,000,000 characters", "PostToolUse", tool(CODE * 11_000)),
        hook("PostToolUse, with a secret", "PostToolUse", tool(f"GITHUB_TOKEN={SECRET}\n")),
        hook("PostToolUse, 7,000 characters with a secret", "PostToolUse", tool(f"GITHUB_TOKEN={SECRET}\n{CODE * 80}")),
        hook("PreCompact", "PreCompact", {"trigger": "auto"}),
        hook("Stop", "Stop", {"last_assistant_message": "All green."}),
        hook("SubagentStop", "SubagentStop", {"agent_id": "a1"}),
        hook("SessionEnd", "SessionEnd", {"reason": "other"}),
    ]
    made += [hook(f"PostToolUse, {number:,} waiting", "PostToolUse", short, number) for number in WAITING[1:]]
    made += [
        hook(f"PostToolUse with a secret, {number:,} waiting", "PostToolUse", tool(f"GITHUB_TOKEN={SECRET}\n"), number)
        for number in WAITING[1:]
    ]
    return made


def store_of(folder: Path, waiting: int) -> Path:
    return folder / f"{waiting}.db"


def prepare(folder: Path) -> None:
    """Stores with as many events waiting as are wanted, and guidance that is ready."""
    for number in WAITING:
        store = str(store_of(folder, number))
        spooled.prepare(spool_of(store))
        for at in range(number):
            (Path(spool_of(store)) / f"{at:019d}-1-0.e35e00df.json").write_bytes(b"{}")
        place = Path(folder_of(artifacts_of(store, "default"), f"/project/{folder.name}"))
        place.mkdir(parents=True)
        (place / GUIDANCE).write_text("<memories b>\n" + "- (2026-03-01, ai, 0a1b) " + CODE * 220 + "</memories b>\n")


def cpu_ms(call: Call, folder: Path, compiled: Path) -> float:
    """Run it once; the CPU it took."""
    store = store_of(folder, call.waiting)
    environment = {
        **{"HOME": str(folder), "PATH": os.environ["PATH"], "PYTHONPYCACHEPREFIX": str(compiled)},
        **{"REMANENCE_MEMORIES__ENABLED": str(call.enabled).lower(), "REMANENCE_MEMORIES__BACKGROUND": "false"},
        "REMANENCE_DB": str(store),
    }
    before = set(os.listdir(spool_of(str(store))))  # noqa: PTH208 - as many as there may be
    process = subprocess.Popen(
        call.words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, cwd=folder
    )
    assert process.stdin is not None
    try:
        process.stdin.write(call.given)
        process.stdin.close()
    except BrokenPipeError:
        pass
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, call.name
    for name in set(os.listdir(spool_of(str(store)))) - before:  # noqa: PTH208
        (Path(spool_of(str(store))) / name).unlink()
    return (used.ru_utime + used.ru_stime) * 1000


def hooks(rounds: int) -> list[str]:
    took: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "shop"
        folder.mkdir()
        prepare(folder)
        every = calls(folder)
        for number in range(rounds + 2):
            for call in every[number % len(every) :] + every[: number % len(every)]:
                spent = cpu_ms(call, folder, Path(name) / "compiled")
                if number >= 2:  # the first ones compile
                    took.setdefault(call.name, []).append(spent)
    floor = statistics.median(took["python -c pass"])
    lines = ["| `rem hook` | CPU, ms | above `python -c pass`, ms |", "|---|--:|--:|"]
    for call in every:
        spent_ms = took[call.name]
        middle = statistics.median(spent_ms)
        lines.append(f"| {call.name} | {middle:.1f} ({min(spent_ms):.1f}–{max(spent_ms):.1f}) | {middle - floor:.1f} |")
    return lines


def drained(events: int) -> list[str]:
    """How many events a second come in: prompts, calls with 1 KB, and a transcript's pieces."""
    lines = ["| drain | events | CPU, ms each | a second |", "|---|--:|--:|--:|"]
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    kinds = {
        "prompts": ("UserPromptSubmit", {"prompt": "Use pnpm, never npm, in package {}."}),
        "tool calls, 1 KB": ("PostToolUse", tool(CODE * 10)),
        "tool calls, 7 KB": ("PostToolUse", tool(CODE * 80)),
    }
    for label, (event, fields) in kinds.items():
        with tempfile.TemporaryDirectory() as name:
            store = Path(name) / "memory.db"
            spool = spool_of(str(store))
            for number in range(events):
                own = {"prompt": f"Use pnpm, never npm, in package {number}.", "tool_use_id": f"call_{number}"}
                payload = {"session_id": f"s{number % 20}", **fields, **(own if event != "PostToolUse" else {})}
                payload["tool_use_id"] = own["tool_use_id"]
                made = enveloped("claude-code", event, payload, "/project/shop") or {}
                spooled.put(spool, {**made, "namespace": "default", "at": number}, number)
            with Mind(store, embedder=False, settings=Settings(upkeep__on_open=False)) as mind:
                begun = time.process_time()
                done = drain(mind._store, spool, now, most=events)
                spent = time.process_time() - begun
            assert done.observations == events, done
            lines.append(f"| {label} | {events:,} | {1000 * spent / events:.2f} | {events / spent:,.0f} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--events", type=int, default=5_000)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    said = "\n".join([*hooks(given.rounds), "", *drained(given.events)]) + "\n"
    sys.stdout.write(said)
    if given.markdown is not None:
        given.markdown.write_text(said, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
