"""The reference page of MCP: its tools, resources and prompts, as a host lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from remanence.interfaces.mcp import prompts, resources, tools

HEAD = """# MCP

{written}

What `rem mcp` and `/mcp` of `rem serve` offer a host. How to set it up, and what holds for all of it:
[MCP by hand](../howto/mcp.md), [connect an agent](../howto/connect.md). A failure is an answer with `isError` and
`{{"error": code, "message": …}}`; the codes are those of [errors](errors.md).

A host is told:

> {told}

## Tools
"""


def page(written: str) -> str:
    lines = [HEAD.format(written=written, told=tools.INSTRUCTIONS)]
    for tool in tools.listed():
        lines += _tool(tool)
    lines += ["## Resources", "", "| address | name | type | |", "|---|---|---|---|"]
    lines += [
        f"| `{one.address}` | {one.name} | {one.mime} | {one.about} |"
        for one in (*resources.FILES, *resources.TEMPLATES)
    ]
    lines += ["", "## Prompts", ""]
    for name, prompt in prompts.PROMPTS.items():
        lines += [f"### prompt {name}", "", prompt.about, ""]
        lines += [f"- `{argument}`: {about}" for argument, about in prompt.arguments.items()]
        lines += [""] if prompt.arguments else []
    return "\n".join(lines)


def _tool(tool: dict[str, Any]) -> Iterator[str]:
    hints = tool["annotations"]
    marks = [
        "reads only"
        if hints["readOnlyHint"]
        else "takes memories out of recall"
        if hints["destructiveHint"]
        else "writes",
        "twice is the same as once" if hints["idempotentHint"] else "",
    ]
    yield from (
        f"### {tool['name']}",
        "",
        f"{tool['description']} *{', '.join(filter(None, marks)).capitalize()}.*",
        "",
    )
    required = tool["inputSchema"].get("required", ())
    yield from ("| argument | type | |", "|---|---|---|")
    for name, schema in tool["inputSchema"]["properties"].items():
        needed = " **Required.**" if name in required else ""
        yield f"| `{name}` | {_type(schema)} | {_point(schema.get('description', ''))}{needed} |"
    yield from ("", f"Its answer has {', '.join(f'`{name}`' for name in tool['outputSchema']['required'])}.", "")


def _point(text: str) -> str:
    return text if not text or text.endswith((".", "…")) else f"{text}."


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    return str(schema.get("type", "any"))
