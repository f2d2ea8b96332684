"""How well extraction finds the facts of labelled texts: precision, recall and F1 per kind of text and in all.

`dev` is there to tune to; `check` and `second` were written afterwards and are only to be measured; `final` is the last
measure, whose failures nobody reads. Nothing is timed.

    python -m benchmarks.extraction --set check
    python -m benchmarks.extraction --set dev --verbose --json out.json
    python -m benchmarks.extraction --with package.module:function    # text -> statements, instead of the product's
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.extraction.scoring import Case, Pairing, Score, label_faults, macro_f1, pair, words_in

SETS = ("dev", "check", "second", "final")
Extractor = Callable[[str], Sequence[str]]


def cases_of(name: str) -> list[Case]:
    """The labelled texts of a set; a set with faulty labels is not measured with."""
    path = Path(__file__).with_name(f"{name}.json")
    cases: list[Case] = json.loads(path.read_text(encoding="utf-8"))
    if faults := label_faults(cases):
        raise SystemExit("\n".join([f"{path.name} has {len(faults)} faulty labels; correct them first.", *faults]))
    return cases


def product() -> Extractor:
    from remanence import Mind

    mind = Mind(":memory:", embedder=False)
    return lambda text: [fact.text for fact in mind.extract(text).facts]


def named(reference: str) -> Extractor:
    module, _, function = reference.partition(":")
    if not function:
        raise SystemExit(f'"{reference}" names no function; write it as "package.module:function".')
    found: Extractor = getattr(importlib.import_module(module), function)
    return found


def measure(cases: Iterable[Case], extract: Extractor) -> list[dict[str, Any]]:
    """Per text: what was said, and how it pairs with what was labelled."""
    measured = []
    for case in cases:
        said = [str(each) for each in extract(case["text"])]
        measured.append({"case": case, "said": said, "pairing": pair(said, case["facts"])})
    return measured


def markdown(name: str, measured: list[dict[str, Any]]) -> str:
    """The table per kind, and all."""
    heads = [
        "texts",
        "facts",
        "statements",
        "hits",
        "precision",
        "recall",
        "F1",
        "macro F1",
        "words",
        "words of a fact",
    ]
    lines = [f"## Extraction, `{name}`", "", "| kind | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(heads)]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for each in measured:
        kinds.setdefault(each["case"]["kind"], []).append(each)
    rows = [*((kind, kinds[kind]) for kind in sorted(kinds)), ("**all**", measured)]
    lines += [f"| {kind} | " + " | ".join(_cells(group)) + " |" for kind, group in rows]
    lines += ["", "`words` is the mean length of a statement. An optional fact and its statement are not counted."]
    return "\n".join(lines)


def _cells(group: list[dict[str, Any]]) -> list[str]:
    figures = _figures(group)
    counts = [f"{figures[name]:,}" for name in ("texts", "facts", "statements", "hits")]
    shares = [f"{figures[name]:.3f}" for name in ("precision", "recall", "f1", "macro_f1")]
    return [*counts, *shares, *(f"{figures[name]:.1f}" for name in ("words", "words_of_a_fact"))]


def _figures(group: list[dict[str, Any]]) -> dict[str, Any]:
    scores = [each["pairing"].score for each in group]
    total = sum(scores, Score())
    said = [words_in(text) for each in group for text in each["said"]]
    labelled = [words_in(fact["text"]) for each in group for fact in each["case"]["facts"] if not fact.get("optional")]
    return {
        "texts": len(group),
        "facts": total.gold,
        "statements": total.predicted,
        "hits": total.hit,
        "precision": round(total.precision, 4),
        "recall": round(total.recall, 4),
        "f1": round(total.f1, 4),
        "macro_f1": round(macro_f1(scores), 4),
        "words": round(mean(said), 2) if said else 0.0,
        "words_of_a_fact": round(mean(labelled), 2) if labelled else 0.0,
    }


def differences(measured: Iterable[dict[str, Any]]) -> Iterable[str]:
    """Per text that is not right: facts missed with their terms, statements that are false."""
    for each in measured:
        case, said, pairing = each["case"], each["said"], each["pairing"]
        if not pairing.missed and not pairing.false:
            continue
        yield f"\n{case['name']} ({case['kind']}), F1 {pairing.score.f1:.2f}"
        yield from (f"  missed  {case['facts'][at]['text']}   {case['facts'][at]['terms']}" for at in pairing.missed)
        yield from (f"  false   {said[at]}" for at in pairing.false)


def plain(name: str, measured: list[dict[str, Any]]) -> dict[str, Any]:
    texts = []
    for each in measured:
        case, pairing = each["case"], each["pairing"]
        texts.append({"name": case["name"], "kind": case["kind"], **_of_text(case, each["said"], pairing)})
    return {"set": name, "all": _figures(measured), "texts": texts}


def _of_text(case: Case, said: list[str], pairing: Pairing) -> dict[str, Any]:
    return {
        "f1": round(pairing.score.f1, 4),
        "missed": [case["facts"][at]["text"] for at in pairing.missed],
        "false": [said[at] for at in pairing.false],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__.split("\n")[0])
    parser.add_argument("--set", choices=SETS, default="dev", help="which texts (default: dev)")
    parser.add_argument("--verbose", action="store_true", help="print what each text missed and what was false")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures, and those of every text, here")
    parser.add_argument("--with", dest="function", metavar="MODULE:FUNCTION", help="text -> statements, to be measured")
    options = parser.parse_args(arguments)
    extract = named(options.function) if options.function else product()
    measured = measure(cases_of(options.set), extract)
    if options.verbose:
        print("\n".join(differences(measured)) + "\n")
    print(markdown(options.set, measured))
    if options.json:
        options.json.write_text(json.dumps(plain(options.set, measured), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
