"""How much of what is asked later survives a budget: the tables and plots of docs/benchmarks.md, made anew.

Runs what `rem bench forgetting` runs on LoCoMo, LongMemEval and made-up years, and writes its section of a page
between two marks, with the date, the commit, the seed and the digests of the files; the plots go beside the page.

    python benchmarks/forgetting.py --data DIR [--page docs/benchmarks.md] [--json out.json] [--quick]

Without --page the section is printed. --quick leaves the product itself and accesses out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import sections

import remanence
from remanence.interfaces.cli.bench import chosen_embedder
from remanence.interfaces.cli.forgetting import drawn
from remanence.policies import reading
from remanence.simulator.contenders.encoder import Cached
from remanence.simulator.contenders.ours import make_mind
from remanence.simulator.forgetting import contenders, run
from remanence.simulator.forgetting.product import Product

NAME = "forgetting"
TITLES = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval, user turns",
    run.PERSONA: "its persona sessions",
    "talks": "talks of the package",
    "unseen-talks": "unseen talks",
    run.WORLDS: "made-up years",
}
HOW = (
    "`python benchmarks/forgetting.py --data DIR --page docs/benchmarks.md`, or `rem bench forgetting --data DIR` for "
    "the whole table."
)
PROTOCOL = """Sessions go by in order; after each the store must fit its share of the final characters, and what is
dropped is gone. Then the questions are asked by BM25. Skill is (policy - chance) / (oracle - chance) on the share of
evidence among the first ten, by turn on LoCoMo, by session on LongMemEval, where a session counts while a turn that
holds the answer is there. In made-up years nothing is asked: found is the share of later uses whose memory is still
there, week after week. In brackets 95 % by bootstrap over conversations or years."""
FITTED = f"""`{contenders.OURS}` ships, fitted on LongMemEval and talks; rows `{run.REFIT}…` are fitted in this
run on the set they name, so each set has a row that never saw it."""


def section(report: run.Report, images: Sequence[tuple[str, str]]) -> str:
    """The section of the page."""
    sets = list(dict.fromkeys(score.dataset for score in report.scores))
    digests = ", ".join(f"{file['name']} {file['sha256'][:12]}" for file in report.files)
    lines = [
        "## Forgetting",
        "",
        f"{sections.today()}, {HOW} Commit {sections.commit()}, seed {report.seed}; {digests}.",
        "",
        PROTOCOL,
        "",
    ]
    lines += [f"- {note}" for note in report.notes] + [""]
    for access in dict.fromkeys(score.access for score in report.scores):
        lines += [f"### 30 % kept, access model: {access}", "", *_table(report, sets, access, 0.3), ""]
    lines += ["### Mean over 50, 30, 20 and 10 % kept, access model: none", "", *_table(report, sets, "none", None), ""]
    fits = "; ".join(_weights(name, found) for name, found in report.weights.items())
    lines += [
        f"{FITTED} {fits}.",
        "",
        *(f"![{title}]({path})" for title, path in images),
    ]
    return "\n".join(lines) + "\n"


def _weights(name: str, found: object) -> str:
    assert isinstance(found, dict)
    return f"{name}: " + ", ".join(f"{signal} {weight:g}" for signal, weight in found.items())


def _table(report: run.Report, sets: Sequence[str], access: str, budget: float | None) -> list[str]:
    """Contenders by the sum of their skills; of those that choose alike the first stands for all."""
    found = {(s.dataset, s.contender): s for s in report.scores if s.access == access and s.budget == budget}
    there = [name for name in sets if any(dataset == name for dataset, _ in found)]
    names = dict.fromkeys(contender for _, contender in found)
    ranked = sorted(names, key=lambda name: -sum(found[d, name].skill for d in there if (d, name) in found))
    alike: dict[tuple[object, ...], list[str]] = {}
    for name in ranked:
        key = tuple(
            (round(found[d, name].share, 6), round(found[d, name].evidence_kept, 6)) if (d, name) in found else None
            for d in there
        )
        alike.setdefault(key, []).append(name)
    head = "| contender | " + " | ".join(f"{TITLES[d]}: found | skill" for d in there) + " |"
    rows = [head, "|---|" + "--:|--:|" * len(there)]
    for same in alike.values():
        cells = []
        for dataset in there:
            score = found.get((dataset, same[0]))
            cells.append("| " if score is None else f"{score.share:.3f} | {score.skill:.2f}{_between(score)}")
        rows.append(f"| {', '.join(same)} | {' | '.join(cells)} |")
    return rows


def _between(score: run.Score) -> str:
    return "" if score.low is None or score.high is None else f" [{score.low:.2f}, {score.high:.2f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description="The benchmark of forgetting, as tables and plots.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder of the data sets")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the section into this page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="without the product itself and without accesses")
    options = parser.parse_args()
    policies = {name: reading.preset(name) for name in reading.PRESETS}
    embedder = chosen_embedder()
    made = Product(partial(make_mind, embedder=embedder and Cached(embedder)), policies[contenders.OURS])
    report = run.forgetting(
        options.data,
        list(contenders.NAMES),
        policies,
        version=remanence.__version__,
        access=("none",) if options.quick else ("none", "dialogue", "questions"),
        seed=options.seed,
        product=None if options.quick else made,
        product_talks=run.PRODUCT_TALKS,
        jobs=os.cpu_count() or 1,
        progress=lambda done, total: print(f"\r{done} of {total}", end="", flush=True),
    )
    print()
    if options.json is not None:
        options.json.write_text(json.dumps(report.to_dict(), indent=1) + "\n", "utf-8")
    images: list[tuple[str, str]] = []
    if options.page is not None:
        for dataset in dict.fromkeys(score.dataset for score in report.scores):
            name = f"forgetting-{dataset.replace(', ', '-').replace(' ', '-')}.svg"
            (options.page.parent / "images" / name).write_text(drawn(report, dataset), "utf-8")
            images.append((f"Found of what is asked later, by what is kept: {TITLES[dataset]}", f"images/{name}"))
    text = section(report, images)
    if options.page is None:
        print(text)
        return
    sections.write(options.page, NAME, text)


if __name__ == "__main__":
    main()
