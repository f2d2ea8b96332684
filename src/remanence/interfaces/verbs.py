"""The table of verbs: each with its words, its parameters and its call on Mind. Doors are built from it.

A parameter's name is the library's own. `many` ones may be given several times. Only the table is read to build help,
so nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remanence.mind import Mind

LAYERS = ("working", "episodic", "semantic", "procedural", "codebase")
SOURCES = ("human", "ai", "ingest", "extracted", "dream")
STATES = ("live", "superseded", "archived", "forgotten", "quarantined", "all")
ORDERS = ("newest", "oldest", "importance", "recalled", "recalls")
SORTS = ("scope", "kind", "layer", "source", "state")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a verb.

    `form`: text, number, integer, flag, either (a flag that may also be denied, or left out), moment, when (in words),
    duration, scope, json.
    """

    name: str
    help: str
    form: str = "text"
    positional: bool = False
    required: bool = False
    many: bool = False
    default: Any = None
    choices: tuple[str, ...] | None = None
    aliases: tuple[str, ...] = ()


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


def _p(name: str, help: str, form: str = "text", **rest: Any) -> Parameter:
    return Parameter(name=name, help=help, form=form, **rest)


_ID = _p("id", "The memory's id.", positional=True, required=True)
_IDS = _p("ids", "Ids of memories.", positional=True, many=True)
_SCOPES = _p("scope", "Only this scope and what is below it; may be given several times.", "scope", many=True)
_KIND = _p("kind", "Only this kind.")
_LAYER = _p("layer", "Only this layer.", choices=LAYERS)
_KINDS = _p("kinds", "Only these kinds.", many=True, aliases=("kind",))
_CATEGORIES = _p("categories", "Only with one of these categories.", many=True, aliases=("category",))
_SOURCE = _p("source", "Only from this source.", choices=SOURCES)
_SINCE = _p("since", "Born then or later: 'last week', 7d, yesterday, a date, ISO 8601 with a zone.", "when")
_UNTIL = _p("until", "Born then or earlier, the end of a span: 'last week' ends on Sunday.", "when")
_STATE = _p("state", "Only in this state; 'all' for every state.", choices=STATES, default="live")

_FIELDS = {
    one.name: one
    for one in (
        _p("scope", "Where it belongs, such as /project/api.", "scope"),
        _p("kind", "What it is: fact, preference, decision, bug, …"),
        _p("layer", "How durable it is.", choices=LAYERS),
        _p("categories", "Free tags.", many=True, aliases=("category",)),
        _p("concepts", "Entities it speaks of.", many=True, aliases=("concept",)),
        _p("files", "Paths it refers to.", many=True, aliases=("file",)),
        _p("importance", "How much it matters, from 0 to 1.", "number"),
        _p("source", "Who says so.", choices=SOURCES),
        _p("valence", "How it feels, from -1 to 1.", "number"),
        _p("confidence", "How sure it is, from 0 to 1.", "number"),
        _p("ttl", "How long it holds: 12h, 30d, 2w, 6m (months), 1y.", "duration"),
        _p("expires_at", "When it expires, ISO 8601 with a zone.", "moment"),
        _p("pinned", "No automatic pass ever touches it.", "flag"),
        _p("exempt", "It never decays.", "flag"),
        _p("metadata", "A JSON object of your own.", "json"),
        _p("created_at", "When it was said, ISO 8601 with a zone.", "moment"),
        _p("origin", "Where it comes from: a session, tool, URL or importer."),
        _p("lineage", "Ids of memories it was made from.", many=True),
        _p("key", "Your own key: a second call with the same key changes nothing."),
        _p("relearn", "Store it even if it was purged before.", "flag"),
    )
}
"""What remember is given besides its text, in the library's order."""
_NEW = {
    "scope": "Where it belongs, such as /project/api; / when left out, and for rem in a git folder its project.",
    "kind": "What it is: fact when left out, preference, decision, bug, …",
    "layer": "How durable it is; episodic when left out, procedural of a procedure.",
    "importance": "How much it matters, from 0 to 1; 0.5, moved by its surprise, when left out.",
    "source": "Who says so; human when left out, and ai through MCP and REST.",
    "valence": "How it feels, from -1 to 1; 0 when left out.",
    "confidence": "How sure it is, from 0 to 1; 1 when left out.",
    "created_at": "When it was said, ISO 8601 with a zone; now when left out.",
}
_OF_EACH_FACT = _NEW | {
    "kind": "What every fact is; read from each when left out.",
    "importance": "Of every fact, from 0 to 1; guessed when left out.",
    "source": "Who says so; human when left out, and ai through MCP and REST; the facts themselves are extracted.",
    "ttl": "How long every fact holds: 12h, 30d, 2w, 6m (months), 1y.",
    "lineage": "Ids of memories the text was made from.",
}


def _fields(helps: dict[str, str]) -> tuple[Parameter, ...]:
    return tuple(replace(one, help=helps.get(name, one.help)) for name, one in _FIELDS.items())


def _changed() -> tuple[Parameter, ...]:
    """What revise may change, in the library's order; a flag may be taken away too."""
    first = ("importance", "scope", "categories")
    never = ("created_at", "lineage", "key", "relearn")
    names = (*first, *(name for name in _FIELDS if name not in first + never))
    fields = (_FIELDS[name] for name in names)
    return tuple(replace(one, form="either") if one.form == "flag" else one for one in fields)


_RECALLED = (
    _SCOPES,
    _p("limit", "At most so many, 1 to 1000.", "integer", default=10),
    _p("layers", "Only these layers.", many=True, choices=LAYERS, aliases=("layer",)),
    _KINDS,
    _CATEGORIES,
    _p("sources", "Only from these sources.", many=True, choices=SOURCES, aliases=("source",)),
    _p("include", "'archived' finds archived memories too.", choices=("live", "archived"), default="live"),
    _p("as_of", "As it was then, found by words: ISO 8601 with a zone, a date, or 2d for two days ago.", "when"),
    _SINCE,
    _UNTIL,
)
_REINFORCED = (
    _p("reinforce", "Count this recall as an access.", "flag", default=True),
    _p("like", "Those that are like the memory with this id."),
    _p("files", "Those that name this file come first.", many=True, aliases=("file",)),
    _p("least", "Only what answers at least so well, 0 to 1; 0.25 for few and certain hits.", "number"),
)

VERBS: tuple[Verb, ...] = (
    Verb(
        name="remember",
        help="Store a statement, or the next version of an older one.",
        method="remember",
        parameters=(
            _p("text", "The statement; '-' reads it from standard input.", positional=True, required=True),
            *_fields(_NEW),
        ),
    ),
    Verb(
        name="recall",
        help="The memories that answer a query, best first.",
        method="recall",
        parameters=(
            _p(
                "query", "What to look for, in words; '-' reads it from standard input.", positional=True, required=True
            ),
            *_RECALLED,
            _p("budget_tokens", "Only as many as fit into so many tokens.", "integer"),
            *_REINFORCED,
        ),
    ),
    Verb(
        name="context",
        help="Recalled memories in a frame that marks them as data, ready for a prompt.",
        method="context",
        parameters=(
            _p("query", "What to look for, in words.", positional=True, required=True),
            _p("budget_tokens", "The frame with all in it has at most so many tokens.", "integer", default=2000),
            *_RECALLED,
            *_REINFORCED,
        ),
    ),
    Verb(
        name="extract",
        help="The atomic facts of a text, each standing alone; nothing is stored.",
        method="extract",
        parameters=(_p("text", "The text; '-' reads it from standard input.", positional=True, required=True),),
    ),
    Verb(
        name="absorb",
        help="Take a text apart and remember each fact, with lineage to the text.",
        method="absorb",
        parameters=(
            _p("text", "The text; '-' reads it from standard input.", positional=True, required=True),
            # --file names the file to read, so these have no shorter name.
            *(replace(one, aliases=()) if one.name == "files" else one for one in _fields(_OF_EACH_FACT)),
        ),
    ),
    Verb(
        name="show",
        help="One memory with all its fields, in whatever state.",
        method="get",
        parameters=(_ID,),
    ),
    Verb(
        name="list",
        help="Memories, newest first or in another order, or those that hold some words.",
        method="list",
        parameters=(
            _SCOPES,
            _STATE,
            _KIND,
            _LAYER,
            _p("limit", "At most so many, 1 to 1000.", "integer", default=100),
            _p("offset", "Skip so many first.", "integer", default=0),
            _SOURCE,
            _SINCE,
            _UNTIL,
            _p(
                "order",
                "By birth, by importance, the last recalled first, or the most recalled first.",
                choices=ORDERS,
                default="newest",
            ),
            _p("words", "Only those that hold these words, best first, in whatever state."),
        ),
    ),
    Verb(
        name="count",
        help="How many memories there are.",
        method="count",
        parameters=(_SCOPES, _STATE, _KIND, _LAYER, _SOURCE, _SINCE, _UNTIL),
    ),
    Verb(
        name="counts",
        help="How many memories there are of each scope, kind, layer, source or state, the most first.",
        method="counts",
        parameters=(
            _p("of", "What is told apart.", positional=True, required=True, choices=SORTS),
            *(_SCOPES, _STATE, _KIND, _LAYER, _SOURCE, _SINCE, _UNTIL),
        ),
    ),
    Verb(
        name="revise",
        help="Make a new version of a memory with some fields changed; the others stay.",
        method="revise",
        parameters=(
            _ID,
            _p("text", "The new text; '-' reads it from standard input."),
            *_changed(),
        ),
    ),
    Verb(
        name="forget",
        help="Take memories out of every recall, softly, by filter.",
        method="forget",
        parameters=(
            _IDS,
            _SCOPES,
            _p("older_than", "Only older than this: 12h, 30d, 6m.", "duration"),
            _CATEGORIES,
            _KINDS,
            _p("query", "Only those that hold every one of these words."),
        ),
    ),
    Verb(
        name="restore",
        help="Bring memories back into recall, by id or receipt.",
        method="restore",
        parameters=(_IDS, _p("receipt", "All that this receipt took out of recall.")),
    ),
    Verb(
        name="purge",
        help="Destroy memories for good, and prove it.",
        method="purge",
        parameters=(
            _IDS,
            _SCOPES,
            _p("about", "Every memory, in whatever state, that names this person or thing."),
            _p("reason", "Why; kept in the journal.", required=True),
        ),
    ),
    Verb(name="pin", help="Keep a memory from every automatic change.", method="pin", parameters=(_ID,)),
    Verb(name="unpin", help="Let a memory age again.", method="unpin", parameters=(_ID,)),
    Verb(
        name="promote",
        help="Move a memory one layer up: working, episodic, semantic.",
        method="promote",
        parameters=(_ID,),
    ),
    Verb(
        name="demote",
        help="Move a memory one layer down: semantic, episodic, working.",
        method="demote",
        parameters=(_ID,),
    ),
    Verb(
        name="confirm",
        help="Count one more confirmation; a challenge is settled by it.",
        method="confirm",
        parameters=(_ID,),
    ),
    Verb(
        name="challenge",
        help="Mark a memory as doubted.",
        method="challenge",
        parameters=(_ID, _p("by", "Id of the memory that contradicts it.")),
    ),
    Verb(
        name="used",
        help="Say that a memory was of use: it ranks higher and fades more slowly. It counts as an access too, unless "
        "one was counted within the last hour; of an archived memory it says that it was missed.",
        method="used",
        parameters=(_ID,),
    ),
    Verb(
        name="feedback",
        help="Say whether a memory was of use: yes is the same as used, no makes it rank lower and fade sooner.",
        method="feedback",
        parameters=(_ID, _p("useful", "It was of use, or it was not.", "flag", default=True)),
    ),
    Verb(
        name="undo",
        help="Take back what a receipt applied; undoing an undo is redo.",
        method="undo",
        parameters=(_p("receipt_id", "The receipt's id, such as r12.", positional=True, required=True),),
    ),
    Verb(
        name="history",
        help="What happened to a memory and its versions, oldest first; of a long life the last part.",
        method="history",
        parameters=(
            _ID,
            _p("limit", "At most so many lines, the last ones, 1 to 1000.", "integer", default=1000),
            _p("before", "Only what came before this place in the journal, such as r12.0."),
        ),
    ),
    Verb(
        name="lineage",
        help="What a memory was made from, what was made from it, and its versions.",
        method="lineage",
        parameters=(_ID, _p("limit", "At most so many memories, 1 to 1000.", "integer", default=200)),
    ),
    Verb(
        name="receipts",
        help="What was done, a line for each receipt, newest first; rem undo takes one back.",
        method="receipts",
        parameters=(
            _p("limit", "At most so many, 1 to 1000.", "integer", default=50),
            _p("verb", "Only of this verb: sweep, dream, forget, …"),
            _p("before", "Only those before this receipt, such as r12."),
        ),
    ),
    Verb(
        name="past",
        help="How many memories there were on each of the last days, and how many came and left.",
        method="past",
        parameters=(_p("days", "So many days back, 1 to 3650.", "integer", default=90),),
    ),
    Verb(
        name="journal",
        help="What happened, newest first.",
        method="journal",
        parameters=(_p("limit", "At most so many lines, 1 to 1000.", "integer", default=50),),
    ),
    Verb(
        name="sweep",
        help="What the policy's rules would do now, grouped by rule; --apply does it.",
        method="sweep",
        parameters=(
            _SCOPES,
            _p("full", "Read every memory instead of those that are due; the plan is the same.", "flag"),
            _p("limit", "At most so many leave, the least worthy.", "integer"),
            _p("max_evict", "At most so many by a rule that takes a few a run, 1 to 1000.", "integer"),
        ),
    ),
    Verb(
        name="dedup",
        help="Duplicates by words and by meaning: which older memories a newer one replaces; --apply does it.",
        method="dedup",
        parameters=(_SCOPES,),
    ),
    Verb(
        name="explain",
        help="Why a memory stays or fades, and what becomes of it when.",
        method="explain",
        parameters=(_ID,),
    ),
    Verb(
        name="forecast",
        help="What leaves in the next days, when and why; nothing is touched.",
        method="forecast",
        parameters=(
            _p("policy", "Under this policy: a preset or a file; default: the one in force."),
            _p("days", "So many days ahead, 1 to 3650.", "integer", default=90),
        ),
    ),
    Verb(name="stats", help="What the namespace holds, and what the store takes.", method="stats"),
)
