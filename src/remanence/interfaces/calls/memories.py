"""Calls on memories: writing, reading, leaving and coming back, plans, care."""

from __future__ import annotations

from remanence.interfaces.calls.call import DESTROY, READ, WRITE, Rule, call_of
from remanence.interfaces.calls.tool import TOOL
from remanence.interfaces.shapes import NOT_BOTH, REMEMBERED, REVISED, Shape

_ONE_END: Rule = (NOT_BOTH, "ttl and expires_at both say when it expires: give one of them")
# What was live at a moment is found by words alone.
_THEN: Rule = (
    {
        "anyOf": [
            {"not": {"required": ["as_of"]}},
            {
                "required": ["query"],
                "not": {
                    "anyOf": [
                        {"required": ["like"]},
                        {"required": ["include"], "properties": {"include": {"const": "archived"}}},
                    ]
                },
            },
        ]
    },
    "as_of shows what was live then, by words: it wants a query, and neither like nor archived ones",
)
_ASKING = ("query", "like", "files", "since", "until")
_RECALLED = (
    "scope:scopes limit layers kinds categories:any_categories sources include as_of since until budget_tokens "
    "reinforce like files:any_files least"
)
_FILTERS = "ids scope:scopes older_than categories:any_categories kinds query"
_DOOMED: Shape = {"anyOf": [{"required": [name]} for name in ("ids", "scope", "about")]}
_SOME: Rule = ({"minProperties": 1}, "forget needs at least one of ids, scope, older_than, categories, kinds or query")


CALLS = (
    # -- writing
    call_of(
        "remember",
        "POST /memories",
        REMEMBERED.replace("text", "text*", 1),
        "Remembered",
        WRITE,
        "new",
        rules=(_ONE_END,),
    ),
    call_of(
        "remember_many",
        "POST /memories/batch",
        "items*",
        "list[Remembered]",
        WRITE,
        "new",
        long=True,
        help="Store many: texts, or objects with remember's fields; one transaction a batch.",
    ),
    call_of(
        "revise",
        "PATCH /memories/{id}",
        f"id* {REVISED}",
        "Remembered",
        WRITE,
        "new",
        rules=(({"minProperties": 1}, "nothing to revise: give at least one field"), _ONE_END),
    ),
    call_of("extract", "POST /extract", "text:passage*", "Extraction", READ, "open"),
    call_of(
        "absorb",
        "POST /absorb",
        REMEMBERED.replace("text", "text:passage*", 1),
        "Absorbed",
        WRITE,
        "new",
        long=True,
        rules=(_ONE_END,),
    ),
    call_of(
        "memory_tool",
        "POST /memory_tool",
        "action* arguments",
        "dict",
        WRITE,
        "whole",
        help="The one tool an agent's host gives to its model; see docs/howto/tools.md.",
        rules=((TOOL, "the action has no arguments, and it wants some: see docs/howto/tools.md"),),
    ),
    # -- reading
    call_of(
        "recall",
        "POST /recall",
        f"query {_RECALLED}",
        "Hits",
        rules=(
            (
                {"anyOf": [{"required": [name]} for name in _ASKING]},
                f"recall wants at least one of {', '.join(_ASKING)}",
            ),
            _THEN,
        ),
    ),
    call_of(
        "context",
        "POST /context",
        f"query* budget_tokens {_RECALLED.replace('budget_tokens ', '')}",
        "str",
        rules=(_THEN,),
    ),
    call_of(
        "why_not",
        "POST /memories/{id}/why_not",
        f"query* id* {_RECALLED.replace(' as_of', '')}",
        "WhyNot",
        help="Why a memory does not come when this is asked, or at which place it does.",
    ),
    call_of("get", "GET /memories/{id}", "id*", "Memory"),
    call_of(
        "list",
        "GET /memories",
        "scope:scopes state kind layer limit offset source since until ids:any_ids order words",
        "list[Memory]",
        paged="place",
    ),
    call_of("count", "GET /count", "scope:scopes state kind layer source since until", "int"),
    call_of("counts", "GET /counts", "of:sort* scope:scopes state kind layer source since until", "dict"),
    call_of("history", "GET /memories/{id}/history", "id* limit before", "list[Event]"),
    call_of(
        "lineage",
        "GET /memories/{id}/lineage",
        "id* limit",
        "Lineage",
        help="What a memory was made from, what was made from it, and its versions.",
    ),
    call_of("explain", "GET /memories/{id}/explain", "id*", "Explanation"),
    call_of(
        "journal",
        "GET /journal",
        "limit before after",
        "list[Entry]",
        READ,
        "whole",
        paged="journal",
    ),
    call_of(
        "receipts",
        "GET /receipts",
        "limit verb before:receipt",
        "list[Brief]",
        READ,
        "whole",
        paged="receipts",
        help="Past receipts in brief, newest first.",
    ),
    call_of(
        "receipt",
        "GET /receipts/{receipt_id}",
        "receipt_id*",
        "Receipt",
        READ,
        "receipt",
        help="A past receipt with its changes.",
    ),
    call_of(
        "past",
        "GET /past",
        "days",
        "Past",
        READ,
        "whole",
        help="How many memories there were on each of the last days, and how many came and left.",
    ),
    call_of("stats", "GET /stats", "", "Stats", READ, "whole"),
    call_of(
        "tiers",
        "GET /tiers",
        "",
        "dict",
        READ,
        "whole",
        help="How many live memories are hot, warm, cold and evictable now.",
    ),
    call_of(
        "sizes",
        "GET /sizes",
        "",
        "list[Held]",
        READ,
        "whole",
        help="What each set with a size target holds of what it may.",
    ),
    # -- one memory, by hand
    *(
        call_of(verb, f"POST /memories/{{id}}/{verb}", "id*", "Memory", WRITE)
        for verb in ("pin", "unpin", "promote", "demote", "confirm", "used")
    ),
    call_of("challenge", "POST /memories/{id}/challenge", "id* by", "Memory", WRITE),
    call_of("feedback", "POST /memories/{id}/feedback", "id* useful", "Memory", WRITE),
    # -- leaving and coming back
    call_of("forget", "POST /forget", _FILTERS, "Receipt", WRITE, rules=(_SOME,)),
    call_of(
        "plan_forget",
        "POST /forget/plan",
        _FILTERS,
        "Plan",
        rules=(_SOME,),
        help="What forget would do, without doing it.",
    ),
    call_of(
        "restore",
        "POST /restore",
        "ids receipt",
        "Receipt",
        WRITE,
        "receipt",
        rules=(
            (
                {"oneOf": [{"required": ["ids"]}, {"required": ["receipt"]}]},
                "restore needs ids or a receipt, one of the two",
            ),
        ),
    ),
    call_of(
        "purge",
        "POST /purge",
        "ids scope:scopes about reason* plan",
        "Certificate",
        DESTROY,
        "whole",  # it follows what was made from a memory, wherever that stands
        long=True,
        rules=((_DOOMED, "purge needs ids, a scope, or the name of whom it is about"),),
    ),
    call_of(
        "plan_purge",
        "POST /purge/plan",
        "ids scope:scopes about",
        "Plan",
        READ,
        "whole",
        long=True,
        help="What purge would destroy and bring back, without doing it; a plan like this is never applied.",
        rules=((_DOOMED, "plan_purge needs ids, a scope, or the name of whom it is about"),),
    ),
    call_of("undo", "POST /receipts/{receipt_id}/undo", "receipt_id*", "Receipt", WRITE, "receipt"),
    # -- plans
    call_of(
        "sweep",
        "POST /sweep",
        "scope:scopes full limit:most max_evict",
        "Plan",
        long=True,
        help="What the policy's rules would do now, as a plan; apply does it.",
    ),
    call_of(
        "dedup",
        "POST /dedup",
        "scope:scopes",
        "Plan",
        long=True,
        help="Duplicates by words and by meaning: which older memories a newer one replaces, as a plan; apply does it.",
    ),
    call_of(
        "dream",
        "POST /dream",
        "scope:scopes steps",
        "Plan",
        long=True,
        help="What the steps of the dream propose, as a plan; apply does it.",
    ),
    call_of(
        "compact",
        "POST /compact",
        "topic* scope:scopes",
        "Plan",
        long=True,
        help="One summary a scope of what is remembered about a topic, as a plan.",
    ),
    call_of(
        "consolidate",
        "POST /consolidate",
        "tiers scope:scopes",
        "Plan",
        long=True,
        help="Facts of session summaries, insights and procedures, as a plan.",
    ),
    call_of(
        "apply",
        "POST /apply",
        "plan* only strict force",
        "Receipt",
        WRITE,
        "plan",
        long=True,
        help="Apply a plan that was made here, or those of its changes that `only` names (memory id, action).",
    ),
    call_of("forecast", "POST /forecast", "policy days", "Forecast", READ, "whole", long=True),
    # -- care
    call_of(
        "upkeep",
        "POST /upkeep",
        "if_overdue",
        "Report",
        WRITE,
        "whole",
        long=True,
        help="What a daily timer calls: due sweep, jobs, dream if due.",
    ),
    call_of(
        "check",
        "POST /check",
        "repair",
        "Checkup",
        WRITE,
        "whole",
        long=True,
        help="Look for damage; with repair, make derived rows anew.",
    ),
    call_of(
        "scan",
        "POST /scan",
        "redact",
        "Scan",
        DESTROY,
        "whole",
        long=True,
        help="Secrets in this store; with redact the memories come anew without them.",
    ),
    call_of(
        "meaning.reembed",
        "POST /reembed",
        "",
        "Drained",
        WRITE,
        "whole",
        long=True,
        help="Give every memory a vector of the model in use.",
    ),
)
