"""The shape of every argument a served mind takes, as JSON Schema, by its name: one name means the same in every call.

A shape is exact: what it admits is accepted, but for ids and names that do not exist. Texts of another kind (a policy's
own numbers, when in words) are described as closely as a schema can; the library has the last word.
"""

from __future__ import annotations

from typing import Any

from remanence.interfaces.parameters import LAYERS, ORDERS, SORTS, SOURCES, STATES
from remanence.model import checks
from remanence.model.session import TAKEN

Shape = dict[str, Any]

# What can be seen: text of blanks, controls and marks of direction alone is blank.
_UNSEEN = (
    r"\s\u0000-\u0020\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb"
    # Those beyond 16 bits stand there themselves, since dialects write them in different ways.
    "\U000110bd\U000110cd\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
_SEEN = rf"^[^\u0000]*[^{_UNSEEN}][^\u0000]*$"
_LABEL = r"^[^\u0000]*[^\s\u0000\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000][^\u0000]*$"
_SEGMENT = r"[!-.0-~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0481\u3041-\u3096\u4e00-\u9fa5]"
_PLAIN = _SEGMENT.replace(".0-~", "~")  # and the slash
_NAME = r"^[^\u0000]*[0-9A-Za-z\u00df-\u00f6\u0400-\u0481\u3041-\u3096\u4e00-\u9fa5][^\u0000]*$"
_ID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_DURATION = r"^[1-9][0-9]{0,5}[hdwmy]$"
# A text that is taken apart: one with more control characters than these is binary, unless it is long.
_CONTROL = r"\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd"
_PASSAGE = rf"^[^{_CONTROL}]*([{_CONTROL}][^{_CONTROL}]*){{0,8}}$"
_SLUG = r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}"


def _label(longest: int = checks.KEY_CHARACTERS, **rest: Any) -> Shape:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _LABEL, **rest}


def _printable(longest: int = checks.KEY_CHARACTERS, **rest: Any) -> Shape:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": rf"^{_PLAIN}+( {_PLAIN}+)*$", **rest}


def _text(**rest: Any) -> Shape:
    return {"type": "string", "minLength": 1, "maxLength": checks.TEXT_BYTES, "pattern": _SEEN, **rest}


def _number(low: float, high: float) -> Shape:
    return {"type": "number", "minimum": low, "maximum": high}


def _integer(low: int, high: int = checks.SMALL_INTEGER, **rest: Any) -> Shape:
    return {"type": "integer", "minimum": low, "maximum": high, **rest}


def _many(one: Shape, most: int, *, least: int = 0) -> Shape:
    return {"type": "array", "items": one, "minItems": least, "maxItems": most}


def _one_or_many(one: Shape, most: int = 1000) -> Shape:
    return {"anyOf": [one, _many(one, most, least=1)]}


def _choice(*words: str) -> Shape:
    return {"type": "string", "enum": list(words)}


FLAG: Shape = {"type": "boolean"}
SCOPE: Shape = {
    "type": "string",
    "minLength": 1,
    "maxLength": 1024,
    "pattern": rf"^(/|(/{_SEGMENT}+)+)$",
    "examples": ["/project/api"],
}
ID: Shape = {"type": "string", "pattern": _ID, "examples": ["01900000-0000-7000-8000-000000000000"]}
DURATION: Shape = {"type": "string", "pattern": _DURATION, "examples": ["30d"]}
MOMENT: Shape = {"type": "string", "format": "date-time", "examples": ["2026-03-01T09:00:00Z"]}
WHEN: Shape = {"anyOf": [MOMENT, DURATION, {"type": "string", "format": "date"}, _choice("today", "last week")]}
TAGS = _many(_label(checks.TAG_CHARACTERS), checks.TAGS)
LAYER = _choice(*LAYERS)
PRESETS = ("balanced", "halflife", "relevance", "layered", "tiered")
POLICY: Shape = {
    "anyOf": [
        _choice(*PRESETS),
        {
            "type": "object",
            "description": "A policy of your own: `extends: PRESET` and what differs, as in a policy's file.",
            "properties": {"extends": _choice(*PRESETS)},
            "minProperties": 1,
        },
    ]
}
PROJECT: Shape = {**SCOPE, "description": "The project's scope, such as /project/api."}
SESSION = _label(examples=["b1946ac9"])
NEW_SESSION: Shape = {**SESSION, "pattern": rf"^{_SEGMENT}+$", "not": {"enum": list(TAKEN)}}
METADATA: Shape = {
    "type": "object",
    "propertyNames": {"pattern": r"^[^\u0000]*$"},
    "description": "A JSON object of your own, nested at most 16 deep, 64 KiB, without NUL characters.",
}

SHAPES: dict[str, Shape] = {
    "text": _text(examples=["The staging database runs PostgreSQL in Dublin"]),
    "passage": {"type": "string", "maxLength": checks.TEXT_BYTES, "pattern": _PASSAGE},
    "query": _text(examples=["where does the staging database run"]),
    "topic": _label(),
    "scope": SCOPE,
    "scopes": _one_or_many(SCOPE),
    "kind": _label(),
    "new_kind": _printable(),
    "kinds": _one_or_many(_label()),
    "layer": LAYER,
    "layers": _one_or_many(LAYER, 5),
    "categories": TAGS,
    "any_categories": _one_or_many(_label()),
    "concepts": TAGS,
    "files": TAGS,
    "any_files": _one_or_many(_label(), checks.TAGS),
    "importance": _number(0, 1),
    "valence": _number(-1, 1),
    "confidence": _number(0, 1),
    "least": _number(0, 1),
    "ttl": DURATION,
    "older_than": DURATION,
    "expires_at": MOMENT,
    "created_at": MOMENT,
    "at": MOMENT,
    "as_of": WHEN,
    "since": WHEN,
    "until": WHEN,
    "pinned": FLAG,
    "exempt": FLAG,
    "metadata": METADATA,
    "origin": _label(1000),
    "source": _choice(*SOURCES),
    "sources": _one_or_many(_choice(*SOURCES), 5),
    "lineage": _many(ID, 1000),
    "key": _label(),
    "relearn": FLAG,
    "limit": _integer(1, 1000),
    "most": _integer(1, checks.SMALL_INTEGER),
    "max_evict": _integer(1, 1000),
    "offset": _integer(0),
    "cursor": {"type": "string", "minLength": 1, "maxLength": 200, "description": "`next` of the page before."},
    "include": _choice("live", "archived"),
    "budget_tokens": _integer(1),
    "guidance_tokens": _integer(0),
    "reinforce": FLAG,
    "like": ID,
    "id": ID,
    "by": ID,
    "ids": _many(ID, 10_000, least=1),
    "any_ids": _one_or_many(ID),
    "state": _choice(*STATES),
    "order": _choice(*ORDERS),
    "sort": _choice(*SORTS),
    "words": _text(examples=["staging database"]),
    "useful": FLAG,
    "reason": _label(1000, examples=["asked by its owner"]),
    "receipt": {"type": "string", "pattern": r"^r[0-9]{1,18}$", "examples": ["r12"]},
    "receipt_id": {"type": "string", "pattern": r"^r[0-9]{1,18}$", "examples": ["r12"]},
    "verb": _label(examples=["sweep"]),
    "about": {**_label(1000, examples=["Maria Keller"]), "pattern": _NAME},
    "before": {"type": "string", "pattern": r"^r[0-9]{1,18}(\.[0-9]{1,18})?$", "examples": ["r12.0"]},
    "after": {"type": "string", "pattern": r"^r[0-9]{1,18}(\.[0-9]{1,18})?$", "examples": ["r12.0"]},
    "full": FLAG,
    "steps": _many(_choice("curve", "cluster", "cards", "bridges", "beliefs", "drift", "prune"), 7, least=1),
    "tiers": _many(_choice("semantic", "reflect", "procedural", "decay"), 4, least=1),
    "plan": _label(64, description="The `key` of a plan that was made less than an hour ago."),
    "only": _many(_label(300), 100_000),
    "claims": _many(_label(64), 10_000, least=1),
    "strict": FLAG,
    "force": FLAG,
    "policy": POLICY,
    "name": _label(1000),
    "days": _integer(1, 3650),
    "budgets": {
        **_many({"type": "number", "minimum": 0.001, "maximum": 1}, 20, least=1),
        "description": "Shares of the tokens that are kept: 0.3 keeps 30 %.",
    },
    "repair": FLAG,
    "redact": FLAG,
    "project": PROJECT,
    "project_name": _label(),
    "status": _choice("pending", "done", "cancelled"),
    "parent": ID,
    "outcome": _text(),
    "action_ids": _many(ID, 1000, least=1),
    "older_than_days": _number(0, 36_500),
    "everything": FLAG,
    "session": SESSION,
    "new_session": NEW_SESSION,
    "sessions": _many(SESSION, 1000, least=1),
    "agent": _label(),
    "role": _choice("user", "assistant", "tool", "system"),
    "said": {"type": "string", "maxLength": checks.TEXT_BYTES},
    "tool": _label(),
    "call": {"type": "string", "maxLength": checks.TEXT_BYTES},
    "failed": FLAG,
    "review": _choice("historical", "archive"),
    "url": {
        "type": "string",
        "maxLength": 200,
        "pattern": r"^memory://(root(/(MEMORY\.md|memory_summary\.md|skills(/" + _SLUG + r"/SKILL\.md)?))?|"
        r"[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?)$",
        "examples": ["memory://root/MEMORY.md"],
    },
    "action": _choice("add", "extract", "absorb", "recall", "list", "explain", "forget", "restore"),
    "arguments": {"type": "object"},
    "if_overdue": FLAG,
}
REMEMBERED = (
    "text scope kind:new_kind layer categories concepts files importance source valence confidence ttl expires_at "
    "pinned exempt metadata created_at origin lineage key relearn"
)
"""What remember is given, in the library's order."""
REVISED = (
    "text importance scope categories kind:new_kind layer concepts files source valence confidence ttl expires_at "
    "pinned exempt metadata origin"
)
"""What revise may change, likewise."""
NOT_BOTH: Shape = {"not": {"required": ["ttl", "expires_at"]}}
DRAFT: Shape = {
    "type": "object",
    "properties": {
        name: SHAPES[shape or name] for name, _, shape in (word.partition(":") for word in REMEMBERED.split())
    },
    "required": ["text"],
    "additionalProperties": False,
    **NOT_BOTH,
}
SHAPES["items"] = {"type": "array", "items": {"anyOf": [SHAPES["text"], DRAFT]}, "minItems": 1, "maxItems": 10_000}
