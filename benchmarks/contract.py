"""The forgetting contract, held against the product and against other memories for agents.

`rem bench contract` looks at the product alone; here peers take part, each in a process of its own under a Python that
has it installed, with the same scenes and the same looks (src/remanence/simulator/contract). They have no language
model and an embedder by feature hashing (peers.py); only their published interface is used. What that does not offer
counts as "cannot". Ours has the bundled embedder, since dreams compare by meaning.

    python benchmarks/contract.py --peers mem0,langgraph --peer-python mem0=PYTHON --peer-python langgraph=PYTHON
    python benchmarks/contract.py --peers mem0 --peer-python mem0=PYTHON --json out.json --markdown out.md --verbose

A peer's Python may also stand in the environment, as PEER_PYTHON_MEM0. It needs numpy and the peer: mem0ai (and
faiss-cpu for mem0-faiss), or langgraph-checkpoint-sqlite on a Python whose SQLite loads extensions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from contract_peers.serve import PEERS

import remanence
from remanence.interfaces.cli import contract as shown
from remanence.interfaces.cli import output
from remanence.interfaces.wire import to_json
from remanence.simulator.contract import Cannot, Contender, Held, Report, run

SERVE = Path(__file__).parent / "contract_peers" / "serve.py"


class Remote:
    """A peer's memory in a process of its own; acts are requests, and what it cannot do is raised here."""

    def __init__(self, name: str, python: str, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [python, str(SERVE), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "HOME": str(folder.parent)},  # what a peer leaves there goes with the scene
        )
        self._is_open = False

    def ask(self, do: str, **arguments: Any) -> Any:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process ended at {do!r}; run {SERVE.name} by hand to see why")
        reply = json.loads(line)
        if "cannot" in reply:
            raise Cannot(reply["cannot"])
        if "error" in reply:
            raise RuntimeError(f"{do} failed: {reply['error']}")
        return reply["value"]

    def begin(self) -> Remote:
        self.ask("open", folder=str(self._folder))
        self._is_open = True
        return self

    def add(self, text: str, scope: str, *, relearn: bool = False) -> str | None:
        return self.ask("add", text=text, scope=scope, relearn=relearn)

    def add_many(self, texts: Sequence[str], scope: str) -> list[str | None]:
        return self.ask("add_many", texts=list(texts), scope=scope)

    def succeed(self, text: str, scope: str) -> str | None:
        return self.ask("succeed", text=text, scope=scope)

    def replace(self, id: str, text: str) -> str:
        return self.ask("replace", id=id, text=text)

    def absorb(self, text: str, scope: str) -> dict[str, str]:
        return self.ask("absorb", text=text, scope=scope)

    def capture(self, turns: Sequence[tuple[str, str]], scope: str, session: str) -> None:
        self.ask("capture", turns=list(turns), scope=scope, session=session)

    def search(self, question: str, scope: str | None = None) -> list[str]:
        return self.ask("search", question=question, scope=scope)

    def answers(self, question: str) -> Mapping[str, Sequence[str]]:
        return self.ask("answers", question=question)

    def kept_texts(self) -> dict[str, str]:
        return self.ask("kept_texts")

    def derived(self) -> Sequence[str]:
        return self.ask("derived")

    def past(self, id: str, question: str) -> Sequence[str]:
        return self.ask("past", id=id, question=question)

    def forget(self, ids: Sequence[str]) -> None:
        self.ask("forget", ids=list(ids))

    def forget_scope(self, scope: str) -> None:
        self.ask("forget_scope", scope=scope)

    def bring_back(self, ids: Sequence[str]) -> None:
        self.ask("bring_back", ids=list(ids))

    def purge(self, ids: Sequence[str]) -> None:
        self.ask("purge", ids=list(ids))

    def purge_scope(self, scope: str) -> None:
        self.ask("purge_scope", scope=scope)

    def purge_about(self, name: str) -> None:
        self.ask("purge_about", name=name)

    def run_jobs(self) -> None:
        self.ask("run_jobs")

    def backup(self, path: Path) -> None:
        self.ask("backup", path=str(path))

    def export(self, path: Path) -> None:
        self.ask("export", path=str(path))

    def import_(self, path: Path) -> None:
        self.ask("import_", path=str(path))

    def files(self) -> Sequence[Path]:
        return sorted(self._folder.iterdir())

    def traces(self, text: str) -> Sequence[bytes]:
        return [bytes.fromhex(trace) for trace in self.ask("traces", text=text)]

    def close(self) -> None:
        if self._process.poll() is None:
            if self._is_open:
                self.ask("close")
            self._process.communicate()


class Away:
    """A peer as a contender: every memory it opens is a new process."""

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        self._python = python

    @cached_property
    def version(self) -> str:
        with tempfile.TemporaryDirectory(prefix="remanence-contract-") as folder:
            asked = Remote(self.name, self._python, Path(folder) / "none")
            try:
                return str(asked.ask("version"))
            finally:
                asked.close()

    def opened(self, folder: Path) -> Held:
        return Remote(self.name, self._python, folder).begin()

    def restored(self, copy: Path, folder: Path) -> Held:
        raise Cannot("it has no backup of its own")


def markdown(report: Report) -> str:
    """The table of promises, and below it who took part and how many each kept."""
    rows = shown.table(report)
    head, *body = [f"| {' | '.join(row)} |" for row in rows]
    lines = [head, f"|---|{'--:|' * (len(rows[0]) - 1)}", *body, ""]
    lines += [f"- `{name}`: {version}" for name, version in report.contenders.items()]
    return "\n".join([*lines, "", *shown.summary(report)]) + "\n"


def options_from(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", default="", help=f"of {', '.join(PEERS)}; by commas")
    parser.add_argument("--peer-python", action="append", default=[], metavar="NAME=PYTHON", help="who has this peer")
    parser.add_argument("--without-ours", action="store_true", help="the peers alone")
    parser.add_argument("--json", metavar="FILE", help="the whole report")
    parser.add_argument("--markdown", metavar="FILE", help="the table")
    parser.add_argument("--verbose", action="store_true", help="every probe")
    options = parser.parse_args(arguments)
    options.peers = [name for name in options.peers.split(",") if name]
    given = dict(part.partition("=")[::2] for part in options.peer_python)
    options.pythons = {}
    for name in options.peers:
        python = given.get(name) or os.environ.get(f"PEER_PYTHON_{name.upper().replace('-', '_')}")
        if name not in PEERS:
            parser.error(f"unknown peer {name}; known are {', '.join(PEERS)}")
        if not python:
            parser.error(f"which Python has {name}? Say it with --peer-python {name}=PYTHON")
        options.pythons[name] = python
    return options


def main() -> None:
    options = options_from(sys.argv[1:])
    runners: list[Contender] = []
    if not options.without_ours:
        from remanence.interfaces.cli.bench import chosen_embedder

        runners += run.contenders(["ours"], f"remanence {remanence.__version__}", chosen_embedder())
    runners += [Away(name, python) for name, python in options.pythons.items()]
    with output.progress("Looking", quiet=False) as progress:
        report = run.contract(runners, version=remanence.__version__, progress=progress)
    shown.show(report, output.console(), verbose=options.verbose)
    if options.json:
        Path(options.json).write_text(to_json(report) + "\n", encoding="utf-8")
    if options.markdown:
        Path(options.markdown).write_text(markdown(report), encoding="utf-8")


if __name__ == "__main__":
    main()
