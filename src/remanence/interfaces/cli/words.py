"""Texts for a terminal: without characters that steer it, on one line, with numbers in words."""

from __future__ import annotations

import shlex
import unicodedata


def safe(text: str) -> str:
    """Text without characters that steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c == "\n" or not _steers(c) else f"\\u{ord(c):04x}" for c in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cs")


def flat(text: str) -> str:
    """The same with line breaks shown: what a name holds makes no line of its own."""
    return safe(text).replace("\n", "\\n")


def one_line(text: str, longest: int = 160) -> str:
    line = safe(" ".join(text[: 4 * longest].split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def counted(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"


def many(number: int, word: str) -> str:
    """A number with its word: 1 file, 2 files."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def freed(tokens: int) -> str:
    """How many tokens were freed; where there are more than before, that."""
    return f"{tokens:,} tokens freed" if tokens >= 0 else f"{-tokens:,} tokens more than before"


def command(db: str | None, namespace: str | None = None) -> str:
    """How the command begins that means this store, and this namespace of it."""
    words = ["rem", *(["--db", db] if db is not None else []), *(["--namespace", namespace] if namespace else [])]
    return shlex.join(words)
