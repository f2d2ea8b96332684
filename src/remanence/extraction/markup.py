"""Text made plain: without emphasis, links and tags, in statements of bearable length."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.extraction.patterns import pattern

MOST_CHARACTERS = 1000
_EDGE = pattern(r"^(?:[\s,;•|]|[—–-]+\s)+|(?:[\s,;•|]|\s[—–-]+)+$")
_TAGS = "b|i|em|strong|p|br|div|span|u|li|ul|ol|td|tr|a"
_MARKUP = pattern(
    r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|\*\*|__(?=\S)|(?<=\S)__|~~|<!--.{0,2000}?-->|\[\^\d+\]"
    rf"|</?(?:{_TAGS})\b[^<>\n]{{0,200}}/?>",
    re.DOTALL,
)
_LINK = pattern(r"\[([^\]\n]{1,200})\]\((\S{1,500}?)\)")
_STARRED = pattern(r"(?<![\w*])\*([^*\n`]{1,200})\*(?![\w*])")
_CONTROL = pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffd\ufffe\uffff]")
_LOOKED_AT = 20_000


def readable(text: str) -> str:
    """The text with plain line ends and without control characters; "" where it is no text at all."""
    sample = text[:_LOOKED_AT]
    if len(_CONTROL.findall(sample)) * 20 > len(sample):
        return ""
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


def unmarked(text: str) -> str:
    """Without emphasis, and links as their text and address; code in back quotes stays."""
    if "[" in text:
        text = _LINK.sub(_told, text)
    if "*" in text or "_" in text or "<" in text or "~" in text or "[" in text:
        text = _STARRED.sub(r"\1", _MARKUP.sub("", text))
    return " ".join(text.split())


def _told(match: re.Match[str]) -> str:
    return match.group(1) if match.group(1) == match.group(2) else f"{match.group(1)} ({match.group(2)})"


def trimmed(text: str) -> str:
    """Without the signs that join it to others; a dash that belongs to its word ("-Wshadow") stays."""
    return _EDGE.sub("", text)


def pieces(statement: str) -> Iterator[str]:
    """The statement; one that is too long in pieces, cut at a clause where there is one."""
    statement = trimmed(" ".join(statement.split()))
    start = 0
    while len(statement) - start > MOST_CHARACTERS:
        head = statement[start : start + MOST_CHARACTERS]
        place = max(head.rfind("; "), head.rfind(", "), head.rfind("，"), head.rfind("、"))
        place = place if place > MOST_CHARACTERS // 4 else head.rfind(" ")
        place = place if place > MOST_CHARACTERS // 4 else MOST_CHARACTERS - 1
        yield trimmed(head[: place + 1])
        start += place + 1
    if rest := statement[start:].strip():
        yield rest
