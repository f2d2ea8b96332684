"""How soon the page is there, and how soon an answer, letter by letter: wall time in a real browser.

    python benchmarks/page.py [--sizes 10000,100000] [--rounds 9] [--markdown OUT]

For each size one store, one server, one Chromium. A round is a fresh profile with an empty cache: from the address to
the first paint, to the whole overview, then questions typed letter by letter into the search, each letter timed from
the key to the drawn results. Medians and the 95th of a hundred, in milliseconds. The stored vectors are hashes that go
by the bundled embedder's name; it embeds the questions. An idle machine is wanted: beside other work these are no
figures.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import browsers
import dataset
from serving import Server, filled

QUESTIONS = 2
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
)
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_TYPED = """(text) => new Promise((resolve) => {
  const field = document.getElementById("search");
  const busy = () => document.querySelector("#main [aria-busy=true]") !== null;
  let began = false;
  const start = performance.now();
  const look = () => {
    if (busy()) began = true;
    else if (began) return resolve(performance.now() - start);
    setTimeout(look, 1);
  };
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  look();
})"""


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    executable = browsers.executable()
    if executable is None:
        raise SystemExit(f"None of {', '.join(browsers.NAMES)} is installed. Run: make browser")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


def looked(chromium: Any, server: Server, questions: list[str], took: dict[str, list[float]]) -> None:
    """One round, in an empty profile."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/#token={server.token}")
    page.locator("#main .figure").first.wait_for()
    page.locator("#main .waiting").first.wait_for(state="detached")
    took["the overview, whole"].append(page.evaluate("() => performance.now()"))
    took["first paint"].append(page.evaluate(_PAINTED))
    took["bytes of the page"].append(
        page.evaluate(
            "() => performance.getEntriesByType('resource').filter((one) => one.name.includes('/page/'))"
            ".reduce((sum, one) => sum + one.decodedBodySize, 0)"
        )
    )
    page.goto(f"http://127.0.0.1:{server.port}/#/memories")
    page.locator("#main [data-row]").first.wait_for()
    for question in questions:
        for end in range(1, len(question) + 1):
            if question[end - 1] != " ":
                took["a letter of a question"].append(page.evaluate(_TYPED, question[:end]))
    context.close()


def measured(size: int, rounds: int, data: Path) -> dict[str, list[float]]:
    took: dict[str, list[float]] = defaultdict(list)
    questions = [row["words"] for row in dataset.queries(QUESTIONS, size, data, "page")]
    with filled(size, "bundled", data) as copy, browser() as chromium:
        server = Server(copy(), "bundled")
        try:
            looked(chromium, server, questions, defaultdict(list))  # the model is loaded, and files are in memory
            for number in range(rounds):
                sys.stderr.write(f"\r{size:,}: round {number + 1} of {rounds} ")
                looked(chromium, server, questions, took)
        finally:
            server.close()
    sys.stderr.write("\n")
    return took


def table(found: dict[int, dict[str, list[float]]]) -> str:
    lines = ["| memories | | median | 95 % within |", "|--:|---|--:|--:|"]
    for size, took in found.items():
        for name, values in took.items():
            if name == "bytes of the page":
                lines.append(f"| {size:,} | its files | {values[0] / 1000:,.0f} KB | |")
                continue
            late = sorted(values)[min(len(values) - 1, round(len(values) * 0.95))]
            lines.append(f"| {size:,} | {name} | {statistics.median(values):,.0f} ms | {late:,.0f} ms |")
    return "\n".join(
        [*lines, "", f"Load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000", help="memories, with commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--markdown", type=Path, help="write the table there")
    options = parser.parse_args()
    data = dataset.default_folder()
    found = {int(size): measured(int(size), options.rounds, data) for size in options.sizes.split(",")}
    told = table(found)
    print(told)
    if options.markdown:
        options.markdown.write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
