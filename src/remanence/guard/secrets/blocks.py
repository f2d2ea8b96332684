"""Private parts and private keys: what lies between a beginning and an end, or goes on to where it was cut off.

Keys come in PEM, in PuTTY's files, as JSON web keys, and in base64 with nothing to announce them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import random_looking
from remanence.guard.secrets.lazy import lazy

_TAG = lazy(r"(?:<|&lt;)\s{0,4}(/?)\s{0,4}private(?=[\s>/&])[^<>]{0,2000}?(?:>|&gt;)", re.IGNORECASE)
_BEGIN = lazy(r"-{4,5} ?BEGIN (?P<label>[A-Z0-9 ]{0,40})(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)? ?-{4,5}")
_END = lazy(r"-{4,5} ?END [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)? ?-{4,5}")
_MOST_KEY = 20_000
_KEY_TOKEN = lazy(
    r"(?:\\+[nrt]|[\s\"'`+,;|>#]){0,60}(?:(?:Proc-Type|DEK-Info|Comment|Version|Subject|Hash):[^\n]{0,100}"
    r"|[A-Za-z0-9+/=_-]{16,}|[A-Za-z0-9+/]{1,15}={1,2}|[A-Za-z0-9+/]{2,15}(?=\s*(?:$|\\n|-----|\n\s*(?:$|-----|\n))))"
)
_PREFIXED = lazy(r"[^\n]{0,60}?[ \t:|>\]]([A-Za-z0-9+/=]{24,})(?=[\"'\\nr,+ \t]{0,8}(?:[\r\n]|$))")
_DER = lazy(r"(?:MII[A-L]|MIG|MIGH|MHcCAQEE|MC4CAQAw|MIH)[A-Za-z0-9+/]{28,}")
_ENCODED = lazy(
    r"(?:LS0tLS1CRUdJTi|LS0tLSBCRUdJTi|0tLS0tQkVHSU4"
    r"|tLS0tLUJFR0lO)[A-Za-z0-9+/_=-]{8,}(?:\s{1,8}[A-Za-z0-9+/_=-]{40,})*(?:\s{1,8}[A-Za-z0-9+/]{1,76}={1,2})?"
)
_PUTTY = lazy(r"PuTTY-User-Key-File-\d")
_PUTTY_END = lazy(r"Private-(?:MAC|Hash):\s{0,4}[0-9a-f]{16,128}|Private-Lines:")
_JWK = lazy(r"[\"'](?:d|p|q|dp|dq|qi|k)[\"']\s{0,4}:\s{0,4}[\"']([A-Za-z0-9_\-+/=]{16,1400})[\"']")
_COUNT = lazy(r"\s{0,3}\d{0,3}")


def private_parts(text: str) -> Iterator[tuple[str, int, int]]:
    """From an opening tag to the closing one that fits it, or to the end."""
    depth = begins = 0
    for tag in _TAG.finditer(text):
        closing = tag[1] == "/"
        if not closing and tag[0].endswith("/>"):
            continue
        if not closing:
            if depth == 0:
                begins = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield "private", begins, tag.end()
    if depth:
        yield "private", begins, len(text)


def key_blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """Private keys in PEM, whole or cut off, with whatever a log or a program put between the lines."""
    begins = [match.span() for match in _BEGIN.finditer(text)]
    ends = [match.span() for match in _END.finditer(text)] if begins else []
    number = 0
    for place, (start, inside) in enumerate(begins):
        following = begins[place + 1][0] if place + 1 < len(begins) else len(text) + 1
        while number < len(ends) and ends[number][0] < inside:
            number += 1
        if number < len(ends) and ends[number][0] < min(following, inside + _MOST_KEY):
            yield "private-key", start, ends[number][1]
        else:
            yield "private-key", start, _cut_off(text, inside)


def _cut_off(text: str, at: int) -> int:
    limit = at + _MOST_KEY
    while at < limit:
        if token := _KEY_TOKEN.match(text, at):
            at = token.end()
            continue
        start = at + 1 if text.startswith("\n", at) else at + 2 if text.startswith("\r\n", at) else 0
        if start and (line := _PREFIXED.match(text, start, start + 400)):
            at = line.end(1)
            continue
        break
    return at


def bare_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Private keys in base64 without their first line: the bytes say what they are."""
    if "MI" in text or "MHcCAQEE" in text or "MC4CAQAw" in text:
        for match in _DER.finditer(text):
            try:
                head = base64.b64decode(text[match.start() : match.start() + 28])
            except binascii.Error:
                continue
            inside = head[4:] if head[1] == 0x82 else head[3:] if head[1] == 0x81 else head[2:]
            if head[0] == 0x30 and inside[:2] == b"\x02\x01" and inside[2] < 2:
                yield "private-key", match.start(), _cut_off(text, match.end())
    if "LS0t" in text or "0tLS0tQ" in text or "tLS0tLUJF" in text:
        for match in _ENCODED.finditer(text):
            for skip in range(4):
                try:
                    decoded = base64.b64decode(match[0][skip : skip + 64])
                except binascii.Error:
                    continue
                if b"PUBLIC KEY" in decoded or b"CERTIFICATE" in decoded:
                    break
            else:
                yield "private-key", *match.span()


def putty_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """Key files of PuTTY, down to the last line that belongs to the private part."""
    for begin in _PUTTY.finditer(text):
        end = begin.end()
        for line in _PUTTY_END.finditer(text, begin.end(), begin.end() + _MOST_KEY):
            end = line.end()
            if line[0].endswith(":"):
                end = _cut_off(text, _COUNT.match(text, end).end())  # type: ignore[union-attr]
        yield "private-key", begin.start(), end


def web_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """The private numbers of JSON web keys."""
    for match in _JWK.finditer(text):
        around = text[max(0, match.start() - 3000) : match.end() + 3000]
        if random_looking(match[1]) and ('"kty"' in around or "'kty'" in around):
            yield "private-key", *match.span(1)
