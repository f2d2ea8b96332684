"""The parameters that verbs share: what a memory is given, what a recall may be told, which filters there are.

A parameter's name is the library's own. `many` ones may be given several times. Only the table is read to build help,
so nothing heavy is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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


def given(name: str, help: str, form: str = "text", **rest: Any) -> Parameter:
    return Parameter(name=name, help=help, form=form, **rest)


ID = given("id", "The memory's id.", positional=True, required=True)
IDS = given("ids", "Ids of memories.", positional=True, many=True)
SCOPES = given("scope", "Only this scope and what is below it.", "scope", many=True)
KIND = given("kind", "Only this kind.")
LAYER = given("layer", "Only this layer.", choices=LAYERS)
KINDS = given("kinds", "Only these kinds.", many=True, aliases=("kind",))
CATEGORIES = given("categories", "Only with one of these categories.", many=True, aliases=("category",))
SOURCE = given("source", "Only from this source.", choices=SOURCES)
SINCE = given("since", "Born then or later: 'last week', 7d, yesterday, a date, ISO 8601 with a zone.", "when")
UNTIL = given("until", "Born then or earlier, the end of a span: 'last week' ends on Sunday.", "when")
STATE = given("state", "Only in this state; 'all' for every state.", choices=STATES, default="live")

FIELDS = {
    one.name: one
    for one in (
        given("scope", "Where it belongs, such as /project/api.", "scope"),
        given("kind", "What it is: fact, preference, decision, bug, …"),
        given("layer", "How durable it is.", choices=LAYERS),
        given("categories", "Free tags.", many=True, aliases=("category",)),
        given("concepts", "Entities it speaks of.", many=True, aliases=("concept",)),
        given("files", "Paths it refers to.", many=True, aliases=("file",)),
        given("importance", "How much it matters, from 0 to 1.", "number"),
        given("source", "Who says so.", choices=SOURCES),
        given("valence", "How it feels, from -1 to 1.", "number"),
        given("confidence", "How sure it is, from 0 to 1.", "number"),
        given("ttl", "How long it holds: 12h, 30d, 2w, 6m (months), 1y.", "duration"),
        given("expires_at", "When it expires, ISO 8601 with a zone.", "moment"),
        given("pinned", "No automatic pass ever touches it.", "flag"),
        given("exempt", "It never decays.", "flag"),
        given("metadata", "A JSON object of your own.", "json"),
        given("created_at", "When it was said, ISO 8601 with a zone.", "moment"),
        given("origin", "Where it comes from: a session, tool, URL or importer."),
        given("lineage", "Ids of memories it was made from.", many=True),
        given("key", "Your own key: a second call with the same key changes nothing."),
        given("relearn", "Store it even if it was purged before.", "flag"),
    )
}
"""What remember is given besides its text, in the library's order."""
NEW = {
    "scope": "Where it belongs, such as /project/api; / when left out, and for rem in a git folder its project.",
    "kind": "What it is: fact when left out, preference, decision, bug, …",
    "layer": "How durable it is; episodic when left out, procedural of a procedure.",
    "importance": "How much it matters, from 0 to 1; 0.5, moved by its surprise, when left out.",
    "source": "Who says so; human when left out, and ai through MCP and REST.",
    "valence": "How it feels, from -1 to 1; 0 when left out.",
    "confidence": "How sure it is, from 0 to 1; 1 when left out.",
    "created_at": "When it was said, ISO 8601 with a zone; now when left out.",
}
OF_EACH_FACT = NEW | {
    "kind": "What every fact is; read from each when left out.",
    "importance": "Of every fact, from 0 to 1; guessed when left out.",
    "source": "Who says so; human when left out, and ai through MCP and REST; the facts themselves are extracted.",
    "ttl": "How long every fact holds: 12h, 30d, 2w, 6m (months), 1y.",
    "lineage": "Ids of memories the text was made from.",
}


def fields(helps: dict[str, str]) -> tuple[Parameter, ...]:
    return tuple(replace(one, help=helps.get(name, one.help)) for name, one in FIELDS.items())


def changed() -> tuple[Parameter, ...]:
    """What revise may change, in the library's order; a flag may be taken away too."""
    first = ("importance", "scope", "categories")
    never = ("created_at", "lineage", "key", "relearn")
    names = (*first, *(name for name in FIELDS if name not in first + never))
    fields = (FIELDS[name] for name in names)
    return tuple(replace(one, form="either") if one.form == "flag" else one for one in fields)


RECALLED = (
    SCOPES,
    given("limit", "At most so many, 1 to 1000.", "integer", default=10),
    given("layers", "Only these layers.", many=True, choices=LAYERS, aliases=("layer",)),
    KINDS,
    CATEGORIES,
    given("sources", "Only from these sources.", many=True, choices=SOURCES, aliases=("source",)),
    given("include", "'archived' finds archived memories too.", choices=("live", "archived"), default="live"),
    given("as_of", "As it was then, found by words: ISO 8601 with a zone, a date, or 2d for two days ago.", "when"),
    SINCE,
    UNTIL,
)
REINFORCED = (
    given("reinforce", "Count this recall as an access.", "flag", default=True),
    given("like", "Those that are like the memory with this id."),
    given("files", "Those that name this file come first.", many=True, aliases=("file",)),
    given("least", "Only what answers at least so well, 0 to 1; 0.25 for few and certain hits.", "number"),
)
