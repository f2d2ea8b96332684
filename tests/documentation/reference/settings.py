"""The reference page of settings: each with its default, its name in the environment, and what it is for."""

from __future__ import annotations

import re
from itertools import groupby

from remanence import settings
from remanence.settings.meanings import MEANINGS

HEAD = """# Settings

{written}

An argument wins over the environment, the environment over `config.yml`, and that over the default. `rem config` shows
the settings in force and where `config.yml` is (`REMANENCE_CONFIG` names another); `rem config --explain` says what
each is for. Blocks nest by dots there, and by two underscores in the environment:

```yaml
namespace: team
llm: {{name: openai, url: "http://127.0.0.1:11434/v1", model: "qwen3:8b"}}
memories:
  enabled: true
```

An unknown name in `config.yml` or a value that cannot be is an error that names every problem at once; a variable that
names no setting is named by `rem config`. Short forms: `embedder: NAME`
and `llm: NAME` stand for `embedder.name` and `llm.name`, `REMANENCE_TOKEN` for `REMANENCE_CLIENT__TOKEN`. A list is
written with commas in the environment. Settings of `memories` may be written with underscores too: `max_tries`.
"""
TITLES = {
    "": "The store",
    "upkeep": "Upkeep",
    "purge": "Purge",
    "embedder": "Embedder",
    "llm": "Language model",
    "guard": "Guard",
    "dream": "Dream",
    "consolidation": "Consolidation",
    "memories": "Sessions",
    "recall": "Recall",
    "serve": "Server",
    "mcp": "MCP",
    "postgres": "PostgreSQL",
    "client": "Client",
    "bench": "Benchmarks",
}


def page(written: str) -> str:
    lines = [HEAD.format(written=written)]
    defaults = settings.Settings()
    for block, names in groupby(settings.NAMES, lambda name: name.partition("__")[0] if "__" in name else ""):
        lines += [f"## {TITLES[block]}", "", "| setting | default | environment | |", "|---|---|---|---|"]
        for name in names:
            shown = _shown(getattr(defaults, name))
            lines.append(f"| `{settings.dotted(name)}` | {shown} | `{_variable(name)}` | {MEANINGS[name]} |")
        lines.append("")
    return "\n".join(lines)


def _variable(name: str) -> str:
    return settings.PREFIX + name.upper()


def _shown(value: object) -> str:
    if value is None or value in ("", ()):
        return "–"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{re.sub(r'[.]0$', '', str(value))}`"
