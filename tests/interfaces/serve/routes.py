"""Every route there is, with something in the place of ids."""

from __future__ import annotations

import re

from remanence.interfaces.calls import CALLS

NOBODY = "01900000-0000-7000-8000-000000000000"
_FILLED = {"id": NOBODY, "receipt_id": "r1", "session": "nobody"}


def filled(path: str, **values: str) -> str:
    """A path of the table with values in the place of its names."""
    return "/v1" + re.sub(r"\{(\w+)\}", lambda name: values.get(name[1]) or _FILLED[name[1]], path)


SPECIAL = (
    ("GET", "/v1/token"),
    ("POST", "/v1/demo"),
    ("DELETE", "/v1/demo"),
    ("POST", "/v1/memories/bulk"),
    ("GET", "/v1/export"),
    ("POST", "/v1/import"),
    ("GET", "/v1/events"),
    ("GET", "/metrics"),
    ("GET", "/mcp"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
)
OPEN = (
    ("GET", "/"),
    ("GET", "/page/page.css"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/v1/openapi.json"),
    ("GET", "/openapi.json"),
)
CLOSED = (*((call.method, filled(call.path)) for call in CALLS.values()), *SPECIAL)
ROUTES = (*CLOSED, *OPEN)
