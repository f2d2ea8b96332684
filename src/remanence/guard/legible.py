"""What came from somewhere else, made fit to be read: no terminal colours, no control characters; binary is told so."""

from __future__ import annotations

import re

BINARY = "(binary, left out)"
_LARGEST_SHARE_OF_CONTROLS = 0.02
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\ud800-\udfff]")


def legible(text: str) -> str:
    """The text without control characters, or the words that say it was binary."""
    text = _ANSI.sub("", text) if "\x1b" in text else text
    text, controls = _CONTROL.subn(" ", text)
    return BINARY if controls > 8 and controls > _LARGEST_SHARE_OF_CONTROLS * len(text) else text


def plain_line(text: str) -> str:
    """The text with a space for every control character."""
    return _CONTROL.sub(" ", text)
