"""The few settings that a hook needs, by the standard library alone: is anything captured, and for which store?

The environment before config.yml before the default, as in `settings`. Of config.yml the plain form is understood:
names, values and lists, each on a line of its own, in blocks of any depth. A file that holds anything else is left to
PyYAML, which takes longer to load than all of a hook. What `settings` would refuse says no: nothing is captured.
"""

from __future__ import annotations

import os
import re
import stat

from remanence.places import config_folder

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PREFIX, _CONFIG = "REMANENCE_", "REMANENCE_CONFIG"
_FLAGS = ("memories__enabled", "memories__background")
_TEXTS = {"db": 4096, "namespace": 200, "memories__artifacts": 4096}
"""With the longest that each may be."""
_MOST_BYTES = 1 << 20
_YES, _NO = ("true", "1", "yes"), ("false", "0", "no")
_TRUE = frozenset(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"))
_FALSE = frozenset(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"))
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_LINE = re.compile(r"( *)([A-Za-z_][A-Za-z0-9_.]*) ?:(?: +(\S.*))?")
_ITEM = re.compile(r"( *)- +(\S.*)")
_QUOTED = re.compile(r"\"([^\"\\]*)\"(?: +#.*)?|'([^']*)'(?: +#.*)?")
_NOT_PLAIN = re.compile(r"[\[\]{}<>|*&!%@`,?:#\"'=-]|.*(?::(?: |$))")
_NOT_TEXT = re.compile(r"[-+.\d]|(?:y|n|on|off|yes|no|true|false)$", re.IGNORECASE)


class Switches:
    """What is set."""

    __slots__ = ("artifacts", "background", "db", "enabled", "namespace")

    def __init__(self, values: dict[str, Any]) -> None:
        self.enabled: bool = values.get("memories__enabled") is True
        self.background: bool = values.get("memories__background", True) is True
        self.db: str | None = values.get("db")
        self.namespace: str = values.get("namespace", "default")
        self.artifacts: str | None = values.get("memories__artifacts")


def load(environment: Mapping[str, str], given: Mapping[str, str | None]) -> Switches | None:
    """What is set by arguments, the environment and the file; None where one of them cannot be understood."""
    values = _from_file(environment)
    if values is None:
        return None
    for name in (*_FLAGS, *_TEXTS):
        text = environment.get(_PREFIX + name.upper())
        if text is not None:
            low = text.lower()
            values[name] = text if name in _TEXTS else True if low in _YES else False if low in _NO else text
        if given.get(name) is not None:
            values[name] = given[name]
    values = {name: value for name, value in values.items() if value is not None}
    return Switches(values) if all(_is_right(name, value) for name, value in values.items()) else None


def _is_right(name: str, value: object) -> bool:
    if name in _FLAGS:
        return isinstance(value, bool)
    return (
        isinstance(value, str)
        and bool(value.strip())
        and len(value) <= _TEXTS[name]
        and "\0" not in value
        and not any("\ud800" <= sign <= "\udfff" for sign in value)
    )


def _from_file(environment: Mapping[str, str]) -> dict[str, Any] | None:
    path = environment.get(_CONFIG) or config_folder(environment) + "/config.yml"
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    with open(file, "rb") as stream:  # noqa: PTH123 - a descriptor
        data = None if stat.S_ISFIFO(os.fstat(file).st_mode) else stream.read(_MOST_BYTES + 1)
    if data is None or len(data) > _MOST_BYTES:
        return None
    text = data.decode("utf-8-sig")
    values = plainly(text)
    return _by_yaml(text) if values is None else values


def plainly(text: str) -> dict[str, Any] | None:
    """The settings in a file of the plain form; None where it is of another."""
    seen: set[str] = set()
    values: dict[str, Any] = {}
    blocks: list[tuple[int, str]] = [(0, "")]
    opened: str | None = None  # the name above this line, while it has no value
    items_at: int | None = None  # how far those of the list above this line stand in
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable():
        return None
    for line in text.split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if item := _ITEM.fullmatch(line):
            items_at = len(item[1]) if opened and opened not in values else items_at
            if items_at != len(item[1]) or items_at < blocks[-1][0] or _scalar(item[2]) is None:
                return None
            opened = None
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        indent = len(match[1])
        if opened and indent > blocks[-1][0]:
            if opened in values:
                return None
            blocks.append((indent, opened + "__"))
        while indent < blocks[-1][0]:
            blocks.pop()
        if indent != blocks[-1][0]:
            return None
        name = blocks[-1][1] + match[2].replace(".", "__")
        said = (match[3] or "").strip()
        if name in seen:
            return None
        seen.add(name)
        is_empty = not said or said.startswith("#")
        opened, items_at = (name if is_empty else None), None
        value = "" if is_empty else _scalar(said)
        if value is None:
            return None
        if name in _FLAGS or name in _TEXTS:
            is_bare = is_empty or said[0] not in "\"'"
            if is_bare and name in _TEXTS and value not in _NULL and _NOT_TEXT.match(value):
                return None  # a number, or a date
            values[name] = _typed(name, value) if is_bare else value
    return values


def _scalar(said: str) -> str | None:
    """The words of a value; None where it is more than words."""
    if quoted := _QUOTED.fullmatch(said):
        return quoted[1] if quoted[1] is not None else quoted[2]
    words = said.partition(" #")[0].strip()
    return None if _NOT_PLAIN.match(words) else words


def _typed(name: str, value: str) -> object:
    if value in _NULL:
        return None
    if name in _FLAGS:
        return True if value in _TRUE else False if value in _FALSE else value
    return value


def _by_yaml(text: str) -> dict[str, Any] | None:
    import yaml

    try:
        read = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return None
    if read is None:
        return {}
    if not isinstance(read, dict):
        return None
    values: dict[str, Any] = {}
    for key, value in read.items():
        name = str(key).replace(".", "__")
        inner = value if isinstance(value, dict) else {}
        found = {name: value} | {f"{name}__{one}".replace(".", "__"): said for one, said in inner.items()}
        values |= {one: said for one, said in found.items() if one in _FLAGS or one in _TEXTS}
    return values
