"""What a dream without a language model keeps, frees and costs.

`locomo` asks the questions of LoCoMo of a store before and after dreams, with the cluster threshold as it is and lower,
with single steps and with all; `facts` does the same on FactConsolidation; `scale` measures each step on made-up stores
of 10,000 and 100,000 memories, each in a process of its own. `--profile` says where the time of one step goes.

    python benchmarks/dream.py --data DIR --only locomo,facts --json quality.json
    python benchmarks/dream.py --only scale --sizes 10000,100000 --json scale.json
    python benchmarks/dream.py --only scale --sizes 100000 --notes "one scope" --profile cluster

Vectors of the data sets' texts are kept in the temporary folder (`python benchmarks/dataset.py --clear` removes them).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dataset
import dream_quality as quality
import dream_scale as scale

from remanence.errors import InvalidInput
from remanence.simulator.datasets import files

PARTS = ("locomo", "facts", "scale")
COSINES = (0.8, 0.7, 0.6)
ALL = "curve,cluster,cards,bridges,beliefs,drift,prune"
WITHOUT_CARDS = "curve,cluster,bridges,beliefs,drift,prune"
LOCOMO = {
    **{f"cluster above {cosine}": quality.clusters(cosine) for cosine in COSINES},
    "cluster and cards": quality.steps("cluster,cards"),
    "all but cards": quality.steps(WITHOUT_CARDS),
    "all steps": quality.steps(ALL),
}
FACTS = {
    **{f"cluster above {cosine}": quality.clusters(cosine) for cosine in COSINES},
    "all steps": quality.steps(ALL),
}


def locomo_table(rows: dict[str, dict[str, Any]]) -> str:
    start = rows["undreamt"]
    lines = [
        f"| store | dreams | live | live tokens | to undreamt, % | share@10 | questions worse / better "
        f"| share in {quality.BUDGET_TOKENS} tokens | tokens of ten hits | of them dreamt |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in rows.items():
        ratio = 100 * row["live_tokens"] / start["live_tokens"]
        moved = f"{row['worse']} / {row['better']}" if row is not start else ""
        lines.append(
            f"| {name} | {row['dreams']} | {row['live']:,} | {row['live_tokens']:,} | {ratio:.1f} | {row['share']:.1f} "
            f"| {moved} | {row['share_in_budget']:.1f} | {row['answer_tokens']:.0f} | {row['made_among_hits']:.2f} |"
        )
    return "\n".join(lines)


def facts_table(rows: dict[str, dict[str, Any]]) -> str:
    lines = [
        "| store | list | dreams | live | live tokens | first hit is current | among ten | something dreamt is first |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, tasks in rows.items():
        for task, row in tasks.items():
            lines.append(
                f"| {name} | {task} | {row['dreams']} | {row['live']:,} | {row['live_tokens']:,} | {row['first']:.0f} "
                f"| {row['any']:.0f} | {row['made_first']} |"
            )
    return "\n".join(lines)


def scale_table(rows: Sequence[dict[str, Any]]) -> str:
    lines = [
        "| notes | memories | step | CPU, s | peak, MB | claims | changes | plan, KB | … applied, CPU s |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        if "failed" in row:
            lines.append(f"| {row['notes']} | {row['size']:,} | {row['step']} | {row['failed']} | | | | | |")
            continue
        applied = f"{row['apply_cpu']:.1f}" if "apply_cpu" in row else ""
        lines.append(
            f"| {row['notes']} | {row['size']:,} | {row['step']} | {row['cpu']:.1f} | {row['peak_mb']:.0f} "
            f"| {row['claims']:,} | {row['changes']:,} | {row['plan_bytes'] / 1000:,.0f} | {applied} |"
        )
    return "\n".join(lines)


def tell(line: str) -> None:
    """A line of progress, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r{line:<70}", end="", file=sys.stderr, flush=True)


def run(given: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    cached = dataset.default_folder()
    with tempfile.TemporaryDirectory(prefix="remanence-dream-") as temporary:
        folder = Path(temporary)
        if {"locomo", "facts"} & set(given.only):
            wanted = {"locomo": "locomo", "facts": "factconsolidation"}
            files.present(given.data, tuple(name for part, name in wanted.items() if part in given.only))
            embedder = quality.Vectors(cached)
            if "locomo" in given.only:
                found["locomo"] = quality.conversations(
                    given.data, folder, chosen(LOCOMO, given.variants), embedder, tell, given.conversations
                )
                print(f"\n{locomo_table(found['locomo'])}\n", flush=True)
            if "facts" in given.only:
                found["facts"] = quality.facts(given.data, folder, chosen(FACTS, given.variants), embedder, tell)
                print(f"\n{facts_table(found['facts'])}\n", flush=True)
        if "scale" in given.only:
            found["scale"] = []
            for notes in given.notes:
                for size in given.sizes:
                    rows = scale.measure(notes, size, folder, given.steps, given.minutes, given.profile, tell)
                    found["scale"] += rows
                    print(f"\n{scale_table(rows)}\n", flush=True)
    return found


def chosen(variants: dict[str, quality.Variant], names: list[str] | None) -> dict[str, quality.Variant]:
    return {name: one for name, one in variants.items() if names is None or name in names}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with locomo/ and factconsolidation/")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument(
        "--variants", type=lambda text: text.split(";"), help="dreams by their name in the tables, with ;"
    )
    parser.add_argument("--conversations", type=int, help="only so many of LoCoMo: a quick look")
    parser.add_argument("--sizes", type=lambda text: [int(one) for one in text.split(",")], default=[10_000, 100_000])
    parser.add_argument(
        "--notes", nargs="+", choices=scale.NOTES, default=list(scale.NOTES), help="which made-up stores"
    )
    parser.add_argument("--steps", type=lambda text: text.split(","), default=list(scale.STEPS))
    parser.add_argument(
        "--minutes", type=float, default=20.0, help="the longest a step of `scale` may take by the wall"
    )
    parser.add_argument("--profile", metavar="STEP", help="where the time of this step goes; costs time itself")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        print(json.dumps(scale.work(given.work)))
        return 0
    if unknown := [part for part in given.only if part not in PARTS]:
        parser.error(f"no part is called {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
    if given.data is None and {"locomo", "facts"} & set(given.only):
        parser.error("say where the data is: --data DIR; or measure --only scale")
    try:
        found = run(given)
    except InvalidInput as wrong:
        parser.error(str(wrong))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
