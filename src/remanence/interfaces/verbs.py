"""The table of verbs: each with its words, its parameters and its call on Mind. Doors are built from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from remanence.interfaces.parameters import (
    CATEGORIES,
    ID,
    IDS,
    KIND,
    KINDS,
    LAYER,
    NEW,
    OF_EACH_FACT,
    ORDERS,
    RECALLED,
    REINFORCED,
    SCOPES,
    SINCE,
    SORTS,
    SOURCE,
    STATE,
    UNTIL,
    Parameter,
    changed,
    fields,
    given,
)

if TYPE_CHECKING:
    from remanence.mind import Mind


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb: what every door calls it, and what it does on a Mind."""

    name: str
    help: str
    method: str
    parameters: tuple[Parameter, ...] = ()

    def call(self, mind: Mind, arguments: dict[str, Any]) -> Any:
        method: Callable[..., Any] = getattr(mind, self.method)
        positional = [p.name for p in self.parameters if p.positional and not p.many]
        named = {name: value for name, value in arguments.items() if name not in positional}
        return method(*(arguments.get(name) for name in positional), **named)


VERBS: tuple[Verb, ...] = (
    Verb(
        name="remember",
        help="Store a statement, or the next version of an older one.",
        method="remember",
        parameters=(
            given("text", "The statement; '-' reads it from standard input.", positional=True, required=True),
            *fields(NEW),
        ),
    ),
    Verb(
        name="recall",
        help="The memories that answer a query, best first.",
        method="recall",
        parameters=(
            given(
                "query", "What to look for, in words; '-' reads it from standard input.", positional=True, required=True
            ),
            *RECALLED,
            given("budget_tokens", "Only as many as fit into so many tokens.", "integer"),
            *REINFORCED,
        ),
    ),
    Verb(
        name="context",
        help="Recalled memories in a frame that marks them as data, ready for a prompt.",
        method="context",
        parameters=(
            given("query", "What to look for, in words.", positional=True, required=True),
            given("budget_tokens", "The frame with all in it has at most so many tokens.", "integer", default=2000),
            *RECALLED,
            *REINFORCED,
        ),
    ),
    Verb(
        name="extract",
        help="The atomic facts of a text, each standing alone; nothing is stored.",
        method="extract",
        parameters=(given("text", "The text; '-' reads it from standard input.", positional=True, required=True),),
    ),
    Verb(
        name="absorb",
        help="Take a text apart and remember each fact, with lineage to the text.",
        method="absorb",
        parameters=(
            given("text", "The text; '-' reads it from standard input.", positional=True, required=True),
            # --file names the file to read, so these have no shorter name.
            *(replace(one, aliases=()) if one.name == "files" else one for one in fields(OF_EACH_FACT)),
        ),
    ),
    Verb(
        name="show",
        help="One memory with all its fields, in whatever state.",
        method="get",
        parameters=(ID,),
    ),
    Verb(
        name="list",
        help="Memories, newest first or in another order, or those that hold some words.",
        method="list",
        parameters=(
            SCOPES,
            STATE,
            KIND,
            LAYER,
            given("limit", "At most so many, 1 to 1000.", "integer", default=100),
            given("offset", "Skip so many first.", "integer", default=0),
            SOURCE,
            SINCE,
            UNTIL,
            given(
                "order",
                "By birth, by importance, the last recalled first, or the most recalled first.",
                choices=ORDERS,
                default="newest",
            ),
            given("words", "Only those that hold these words, best first whatever the order, in the state asked for."),
        ),
    ),
    Verb(
        name="count",
        help="How many memories there are.",
        method="count",
        parameters=(SCOPES, STATE, KIND, LAYER, SOURCE, SINCE, UNTIL),
    ),
    Verb(
        name="counts",
        help="How many memories there are of each scope, kind, layer, source or state, the most first.",
        method="counts",
        parameters=(
            given("of", "What is told apart.", positional=True, required=True, choices=SORTS),
            *(SCOPES, STATE, KIND, LAYER, SOURCE, SINCE, UNTIL),
        ),
    ),
    Verb(
        name="revise",
        help="Make a new version of a memory with some fields changed; the others stay.",
        method="revise",
        parameters=(
            ID,
            given("text", "The new text; '-' reads it from standard input."),
            *changed(),
        ),
    ),
    Verb(
        name="forget",
        help="Take memories out of every recall, softly, by filter.",
        method="forget",
        parameters=(
            IDS,
            SCOPES,
            given("older_than", "Only older than this: 12h, 30d, 6m.", "duration"),
            CATEGORIES,
            KINDS,
            given("query", "Only those that hold every one of these words."),
        ),
    ),
    Verb(
        name="restore",
        help="Bring memories back into recall, by id or receipt.",
        method="restore",
        parameters=(IDS, given("receipt", "All that this receipt took out of recall.")),
    ),
    Verb(
        name="purge",
        help="Destroy memories for good, and prove it.",
        method="purge",
        parameters=(
            IDS,
            SCOPES,
            given("about", "Every memory, in whatever state, that names this person or thing."),
            given("reason", "Why; kept in the journal.", required=True),
        ),
    ),
    Verb(name="pin", help="Keep a memory from every automatic change.", method="pin", parameters=(ID,)),
    Verb(name="unpin", help="Let a memory age again.", method="unpin", parameters=(ID,)),
    Verb(
        name="promote",
        help="Move a memory one layer up: working, episodic, semantic.",
        method="promote",
        parameters=(ID,),
    ),
    Verb(
        name="demote",
        help="Move a memory one layer down: semantic, episodic, working.",
        method="demote",
        parameters=(ID,),
    ),
    Verb(
        name="confirm",
        help="Count one more confirmation; a challenge is settled by it.",
        method="confirm",
        parameters=(ID,),
    ),
    Verb(
        name="challenge",
        help="Mark a memory as doubted.",
        method="challenge",
        parameters=(ID, given("by", "Id of the memory that contradicts it.")),
    ),
    Verb(
        name="used",
        help="Say that a memory was of use: it ranks higher and fades more slowly. It counts as an access too, unless "
        "one was counted within the last hour; of an archived memory it says that it was missed.",
        method="used",
        parameters=(ID,),
    ),
    Verb(
        name="feedback",
        help="Say whether a memory was of use: yes is the same as used, no makes it rank lower and fade sooner.",
        method="feedback",
        parameters=(ID, given("useful", "It was of use, or it was not.", "flag", default=True)),
    ),
    Verb(
        name="undo",
        help="Take back what a receipt applied; undoing an undo is redo.",
        method="undo",
        parameters=(given("receipt_id", "The receipt's id, such as r12.", positional=True, required=True),),
    ),
    Verb(
        name="history",
        help="What happened to a memory and its versions, oldest first; of a long life the last part.",
        method="history",
        parameters=(
            ID,
            given("limit", "At most so many lines, the last ones, 1 to 1000.", "integer", default=1000),
            given("before", "Only what came before this place in the journal, such as r12.0."),
        ),
    ),
    Verb(
        name="lineage",
        help="What a memory was made from, what was made from it, and its versions.",
        method="lineage",
        parameters=(ID, given("limit", "At most so many memories, 1 to 1000.", "integer", default=200)),
    ),
    Verb(
        name="receipts",
        help="What was done, a line for each receipt, newest first; rem undo takes one back.",
        method="receipts",
        parameters=(
            given("limit", "At most so many, 1 to 1000.", "integer", default=50),
            given("verb", "Only of this verb: sweep, dream, forget, …"),
            given("before", "Only those before this receipt, such as r12."),
        ),
    ),
    Verb(
        name="past",
        help="How many memories there were on each of the last days, and how many came and left.",
        method="past",
        parameters=(given("days", "So many days back, 1 to 3650.", "integer", default=90),),
    ),
    Verb(
        name="journal",
        help="What happened, newest first.",
        method="journal",
        parameters=(given("limit", "At most so many lines, 1 to 1000.", "integer", default=50),),
    ),
    Verb(
        name="sweep",
        help="What the policy's rules would do now, grouped by rule; --apply does it.",
        method="sweep",
        parameters=(
            SCOPES,
            given("full", "Read every memory instead of those that are due; the plan is the same.", "flag"),
            given("limit", "At most so many leave, the least worthy.", "integer"),
            given("max_evict", "At most so many by a rule that takes a few a run, 1 to 1000.", "integer"),
        ),
    ),
    Verb(
        name="dedup",
        help="Duplicates by words and by meaning: which older memories a newer one replaces; --apply does it.",
        method="dedup",
        parameters=(SCOPES,),
    ),
    Verb(
        name="explain",
        help="Why a memory stays or fades, and what becomes of it when.",
        method="explain",
        parameters=(ID,),
    ),
    Verb(
        name="forecast",
        help="What leaves in the next days, when and why; nothing is touched.",
        method="forecast",
        parameters=(
            given("policy", "Under this policy: a preset or a file; default: the one in force."),
            given("days", "So many days ahead, 1 to 3650.", "integer", default=90),
        ),
    ),
    Verb(name="stats", help="What the namespace holds, and what the store takes.", method="stats"),
)
