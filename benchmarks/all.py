"""All of docs/benchmarks.md in one run: each part of parts.py in turn, its section written between its marks, then the
table of goals. What cannot run here is passed over, and said at the end.

    python benchmarks/all.py --data DIR                         # everything: about an hour on two quiet cores
    python benchmarks/all.py --quick --page /tmp/page.md        # a few minutes: does all of it work here?
    python benchmarks/all.py --only recall-cost,ageing --sizes 1000,10000
    python benchmarks/all.py --list                             # the parts, and what each would run

`make bench` runs this with DATA=DIR, QUICK=1, SIZES=1000,10000, PEERS=1 and ARGS="...". A short run writes a page
beside the real one, since its figures say nothing. Figures are kept in .venv/bench, a file a part.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import browsers
import goals
import peer_environments
import sections
from parts import PARTS, QUICK_SIZES, Part

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
PAGE = TREE / "docs" / "benchmarks.md"
RESULTS = TREE / ".venv" / "bench"
GOALS = "goals"
AT_ONCE = 2
_QUICK = 1200
_LONGEST = 3 * 3600


@dataclass(slots=True)
class Outcome:
    """How a part went: why it did not run, or how long it took."""

    part: Part
    why: str = ""
    seconds: float = 0.0
    command: str = ""
    body: str = ""


@dataclass(slots=True)
class Run:
    """What was asked for."""

    page: Path
    results: Path
    data: Path | None = None
    quick: bool = False
    sizes: str = ""
    pythons: dict[str, Path] = field(default_factory=dict)

    def lacking(self, part: Part) -> str:
        """What a part needs and is not here."""
        for need in part.needs:
            if need == "data" and self.data is None:
                return "it needs the public data sets: DATA=DIR"
            if need == "browser" and browsers.executable() is None:
                return f"it needs a browser: one of {', '.join(browsers.NAMES)}"
            if need not in ("data", "browser") and importlib.util.find_spec(need) is None:
                return f"it needs the package {need}"
        return ""

    def words(self, part: Part) -> list[str]:
        """The command of a part. Of an option given twice the last counts, so a short run says its own at the end."""
        sizes = self.sizes or (QUICK_SIZES if self.quick else part.sizes)
        peers = part.peers if self.pythons else ""
        told = peers.format(
            names=",".join(self.pythons),
            pythons=" ".join(f"--peer-python {name}={python}" for name, python in self.pythons.items()),
        )
        filled = part.command.format(
            data=self.data,
            json=self.results / f"{part.name}.json",
            markdown=self.results / f"{part.name}.md",
            page=self.own_page(part),
            sizes=sizes.replace(",", " ") if " " in part.sizes else sizes,
            peers=told,
        )
        return shlex.split(f"{filled} {part.quick if self.quick else ''}")

    def own_page(self, part: Part) -> Path:
        """The page of a part that makes its section itself: others write at the same time."""
        return self.results / f"{part.name}.page.md"

    def ran(self, part: Part) -> Outcome:
        """Run one part."""
        if why := self.lacking(part):
            return Outcome(part, why)
        words = self.words(part)
        shown = shlex.join(words).replace(str(self.data), "DIR")
        shown = re.sub(r" --(json|markdown|page) \S+", "", shown)
        if words[0] == "rem":
            command = [sys.executable, "-m", "remanence.interfaces.cli", *words[1:]]
        elif words[0] == "-m":
            command, shown = [sys.executable, *words], f"python {shown}"
        else:
            command, shown = [sys.executable, str(HERE / words[0]), *words[1:]], f"python benchmarks/{shown}"
        written = self.results / f"{part.name}.md"
        written.unlink(missing_ok=True)
        if part.writes:
            self.own_page(part).write_text("\n".join(sections.marks(part.name)) + "\n", "utf-8")
        began = time.monotonic()
        longest = _QUICK if self.quick else _LONGEST
        code, told, wrong = finished(command, longest)
        if code is None:
            return Outcome(part, f"stopped after {longest / 60:.0f} minutes", command=shown)
        took = time.monotonic() - began
        if code:
            last = (wrong.strip() or told.strip() or f"ended with {code}").splitlines()[-1]
            return Outcome(part, last[:300], took, shown)
        if part.writes:
            whole = sections.inside(self.own_page(part).read_text("utf-8"), part.name)
            return Outcome(part, "", took, shown, whole)
        body = written.read_text("utf-8") if written.exists() else told
        return Outcome(part, "", took, shown, plain(body, fenced=part.text and not written.exists()))


def finished(command: Sequence[str], longest: float) -> tuple[int | None, str, str]:
    """How a command ended, and what it wrote; None for one that took too long, and was ended with all it started."""
    with subprocess.Popen(
        command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            told, wrong = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, *process.communicate()
        return process.returncode, told, wrong


def plain(body: str, *, fenced: bool) -> str:
    """What a script printed, as the inside of a section: without progress, without a heading of its own."""
    lines = [line.rpartition("\r")[2].rstrip() for line in body.strip().splitlines()]
    if fenced:
        return "\n".join(["```text", *lines, "```"])
    kept = [line for line in lines if not re.match(r"##? ", line)]
    return "\n".join(f"#{line}" if line.startswith("### ") else line for line in kept).strip()


def section(outcome: Outcome, circumstances: str) -> str:
    """What stands between the marks of a part."""
    if outcome.part.writes:
        return outcome.body
    took = f"took {outcome.seconds / 60:.1f} minutes"
    return f"{sections.today()}, `{outcome.command}`: {circumstances}; {took}.\n\n{outcome.body}"


def circumstances() -> str:
    """Commit, seeds, machine and how busy it is."""
    found = re.search(r"model name\s*: (.*)", _read("/proc/cpuinfo"))
    model = found[1].strip() if found else platform.processor() or "unknown processor"
    return (
        f"commit {sections.commit()}; seeds are fixed in the scripts; Python {platform.python_version()} on "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores ({model}), load {os.getloadavg()[0]:.1f}"
    )


def _read(path: str) -> str:
    return Path(path).read_text("utf-8", "replace") if Path(path).exists() else ""


def write(run: Run, outcome: Outcome) -> None:
    """Put a section into its place; of one that could not be made the last one stays."""
    if outcome.why:
        return
    for image in (run.results / "images").glob("*.svg"):
        if run.page.parent != run.results:
            shutil.copy(image, run.page.parent / "images")
    try:
        sections.write(run.page, outcome.part.name, section(outcome, circumstances()))
    except ValueError as missing:
        outcome.why = str(missing)


def write_goals(run: Run, outcomes: Sequence[Outcome]) -> None:
    lines = [
        "## Goals",
        "",
        f"{sections.today()}, by `make bench`: {circumstances()}. A figure is of the section it names.",
        "",
        goals.table(run.results),
    ]
    if left := [outcome for outcome in outcomes if outcome.why]:
        lines += ["", "Not measured in this run: " + "; ".join(f"{one.part.title} ({one.why})" for one in left) + "."]
    sections.write(run.page, GOALS, "\n".join(lines))


def all_parts(run: Run, chosen: Sequence[Part]) -> list[Outcome]:
    """What measures no time two at a time, then what does, alone."""
    outcomes: list[Outcome] = []

    def done(outcome: Outcome) -> None:
        outcomes.append(outcome)
        write(run, outcome)
        told = f"not run: {outcome.why}" if outcome.why else f"{outcome.seconds / 60:.1f} min"
        print(f"[{len(outcomes)} of {len(chosen)}] {outcome.part.name}: {told}", flush=True)

    together = [part for part in chosen if not part.alone]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for outcome in pool.map(run.ran, together):
            done(outcome)
    for part in chosen:
        if part.alone:
            print(f"{part.name} ...", flush=True)
            done(run.ran(part))
    return outcomes


def peers() -> dict[str, Path]:
    """The Pythons of those peers that could be installed."""
    found = {}
    for name in peer_environments.PACKAGES:
        try:
            found[name] = peer_environments.made(name)
        except RuntimeError as why:
            print(f"without {name}: {why}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of the public data sets")
    parser.add_argument("--page", type=Path, help="the page to write; default docs/benchmarks.md, a copy when quick")
    parser.add_argument("--only", help="some of the parts, by commas")
    parser.add_argument("--but", help="all parts but these, by commas")
    parser.add_argument("--sizes", default="", help="numbers of memories, by commas, for the parts that have sizes")
    parser.add_argument("--quick", action="store_true", help="small sizes and one round: does it work here?")
    parser.add_argument("--peers", action="store_true", help="install the peers, and measure them beside us")
    parser.add_argument("--list", action="store_true", help="show the parts and their commands, and end")
    options = parser.parse_args()
    names = {part.name: part for part in PARTS}
    wanted = options.only.split(",") if options.only else list(names)
    left = options.but.split(",") if options.but else []
    if unknown := [name for name in (*wanted, *left) if name not in names]:
        parser.error(f"no part is called {', '.join(unknown)}; the parts are {', '.join(names)}")
    chosen = [part for part in PARTS if part.name in wanted and part.name not in left]
    results = RESULTS / "quick" if options.quick else RESULTS
    page = options.page or (results / "benchmarks.md" if options.quick else PAGE)
    run = Run(page.resolve(), results, options.data and options.data.resolve(), options.quick, options.sizes)
    if options.list:
        for part in chosen:
            print(f"{part.name:<16} {part.minutes:>4.0f} min  {shlex.join(run.words(part))}")
        print(f"{'together':<16} {expected(chosen):>4.0f} min")
        return 0
    (results / "images").mkdir(parents=True, exist_ok=True)
    if page != PAGE and not page.exists():
        shutil.copy(PAGE, page)
    (page.parent / "images").mkdir(exist_ok=True)
    run.pythons = peers() if options.peers else {}
    began = time.monotonic()
    outcomes = all_parts(run, chosen)
    write_goals(run, outcomes)
    print(f"{page}: {len(chosen)} parts in {(time.monotonic() - began) / 60:.0f} minutes")
    print(goals.table(results))
    for outcome in outcomes:
        if outcome.why:
            print(f"not measured: {outcome.part.name}: {outcome.why}")
    return 0


def expected(chosen: Sequence[Part]) -> float:
    """Minutes on two quiet cores: what measures no time shares them."""
    return sum(part.minutes / (1 if part.alone else AT_ONCE) for part in chosen)


if __name__ == "__main__":
    sys.exit(main())
