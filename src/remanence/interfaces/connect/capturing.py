"""`memories.enabled` in the user's config.yml: switched on by a connection, and off again with the last one.

Nothing is captured until somebody asks for it, and connecting an agent is the asking. The file is edited as a text, by
the places at which YAML found things, and read again before it is shown: an edit that would say anything else than what
was there plus this setting is refused, with the lines to add by hand. A comment marks what was switched on here.
"""

from __future__ import annotations

import re
from typing import Any

from remanence.errors import InvalidInput

MARK = "# set by rem connect"
_WAS = re.compile(r"(?P<value>true)(?P<rest>[^\r\n]*?)[ \t]*# set by rem connect(?:, was (?P<was>[^\s#]+))?(?=\r?\n|$)")
_BY_HAND = "add the lines 'memories:' and '  enabled: true' by hand, or connect with --no-capture"
_BLANK = " \t\r\n\ufeff"


def enabled(text: str, name: str) -> bool:
    """Whether a config.yml switches capturing on."""
    value = _read(text, name)
    memories = value.get("memories")
    inner = memories.get("enabled") if isinstance(memories, dict) else None
    return value.get("memories.enabled", inner) is True


def switched_on(text: str, name: str) -> str:
    """The file with capturing on; the same text where it is."""
    if enabled(text, name):
        return text
    new = _with(text)
    try:
        right = _said(new, name) == {**_said(text, name), ("memories", "enabled"): True}
    except InvalidInput:
        right = False
    if not right:
        raise InvalidInput(f"{name} is written in a way that is not edited here: {_BY_HAND}. Nothing was changed")
    return new


def switched_off(text: str, name: str) -> str | None:
    """The file as it was before it was switched on here; None if that was somebody else."""
    found = _WAS.search(text)
    if found is None or not enabled(text, name):
        return None
    if found["was"]:
        new = text[: found.start()] + found["was"] + found["rest"] + text[found.end() :]
    else:
        start = text.rfind("\n", 0, found.start()) + 1
        new = text[:start] + text[found.end() :].removeprefix("\r").removeprefix("\n")
        above = re.search(r"(?:^|(?<=\n)|(?<=\ufeff))memories:[ \t]*\r?\n$", text[:start])
        if above and not re.match(r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]+[^\s#]", new[start:]):
            new = new[: above.start()] + new[start:]
    said = {path: value for path, value in _said(text, name).items() if path != ("memories", "enabled")}
    left = {path: value for path, value in _said(new, name).items() if path != ("memories", "enabled")}
    return new if left == said and not enabled(new, name) else None


def _with(text: str) -> str:
    import yaml

    newline = "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        return _with_block(text, newline)
    members = {key.value: (key, value) for key, value in root.value}
    if "memories.enabled" in members:
        return _replaced(text, members["memories.enabled"][1])
    if "memories" not in members:
        return _into(text, root, "memories: {enabled: true}") if root.flow_style else _with_block(text, newline)
    key, memories = members["memories"]
    if isinstance(memories, yaml.MappingNode):
        inner = {one.value: value for one, value in memories.value}
        if "enabled" in inner:
            return _replaced(text, inner["enabled"])
        if memories.flow_style:
            return _into(text, memories, "enabled: true")
        at = memories.start_mark.index
        return f"{text[:at]}enabled: true  {MARK}{newline}{' ' * memories.start_mark.column}{text[at:]}"
    if memories.value == "":
        at = text.find("\n", key.end_mark.index) + 1 or len(text)
        head = text[:at] if text[:at].endswith("\n") else text[:at] + newline
        return f"{head}{' ' * key.start_mark.column}  enabled: true  {MARK}{newline}{text[at:]}"
    return text


def _with_block(text: str, newline: str) -> str:
    head = text if text.endswith("\n") or not text.strip(_BLANK) else text + newline
    return f"{head}memories:{newline}  enabled: true  {MARK}{newline}"


def _into(text: str, mapping: Any, words: str) -> str:
    at = mapping.start_mark.index + 1
    return f"{text[:at]}{words}{', ' if mapping.value else ''}{text[at:]}"


def _replaced(text: str, value: Any) -> str:
    """Another value in the place of one, with what it was in a comment at the end of the line."""
    start, end = value.start_mark.index, value.end_mark.index
    line = next((at for at in (text.find(sign, end) for sign in ("\r\n", "\n")) if at >= 0), len(text))
    was = text[start:end]
    mark = f"  {MARK}, was {was}" if re.fullmatch(r"[\w.]+", was) and not re.search(r"[\]}]", text[end:line]) else ""
    gap = " " if text[:start].endswith(":") else ""
    return f"{text[:start]}{gap}true{text[end:line]}{mark}{text[line:]}"


def _read(text: str, name: str) -> dict[Any, Any]:
    import yaml

    try:
        read = yaml.safe_load(text)
    except yaml.YAMLError as reason:
        raise InvalidInput(f"{name} is no YAML: {' '.join(str(reason).split())}. Nothing was changed") from None
    if read is None:
        return {}
    if not isinstance(read, dict):
        raise InvalidInput(f"{name} must hold settings by name, not a {type(read).__name__}. Nothing was changed")
    return read


def _said(text: str, name: str) -> dict[tuple[str, ...], Any]:
    """Everything a file says, by its path; an empty block says nothing."""
    flat: dict[tuple[str, ...], Any] = {}

    def walk(value: Any, path: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, (*path, *str(key).split(".")))
        elif value is not None:
            flat[path] = value

    walk(_read(text, name), ())
    return flat
