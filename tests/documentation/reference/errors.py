"""The reference page of errors: each with its code, exit code, HTTP status, and when it is raised."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from remanence import errors
from remanence.interfaces.serve.problems import TITLES
from remanence.interfaces.wire import exit_code, status

HEAD = """# Errors

{written}

Everything that remanence raises on purpose is a `RemanenceError` of `remanence.errors`. A message says what happened,
with the value; the limit that forbids it; the next command. All problems of an input are named at once
(`error.problems`). `rem --json` prints an error as `{{"error": code, "message": …}}` on standard error, REST answers
with `application/problem+json` that has the same `code`, and a tool of MCP with `isError` and the same two fields.
Other exceptions are defects: please report them.

```python
from remanence import Mind, errors

with Mind(":memory:") as mind:
    try:
        mind.recall("deploys", limit=0)
    except errors.InvalidInput as error:
        print(error.code, error.problems)
```
"""


def page(written: str) -> str:
    lines = [HEAD.format(written=written), "```text", *_tree(), "```", ""]
    lines += ["## Each error", "", "| error | code | `rem` exits with | HTTP | when |", "|---|---|---|---|---|"]
    for error in _below(errors.RemanenceError):
        made = error("x")
        when = " ".join(inspect.cleandoc(error.__doc__ or "").split())
        lines.append(f"| `{error.__name__}` | `{error.code}` | {exit_code(made)} | {status(made)} | {when} |")
    lines += ["", "`rem` exits with 0 when it is done. A child goes by its parent's numbers unless it has its own.", ""]
    lines += ["## Refused at the server's door", "", _DOOR, "", "| HTTP | |", "|---|---|"]
    lines += [f"| {number} | {title} |" for number, title in TITLES.items()]
    return "\n".join([*lines, ""])


_DOOR = (
    "A server also refuses what no verb sees: a request that is too large, too fast, for another host, or that nobody "
    "can read. These are all the statuses it answers with:"
)


def _below(error: type[errors.RemanenceError]) -> Iterator[type[errors.RemanenceError]]:
    yield error
    for child in error.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _below(child)


def _tree() -> list[str]:
    text = inspect.cleandoc(errors.__doc__ or "")
    return [line[4:] for line in text.splitlines() if line.startswith("    ")]
