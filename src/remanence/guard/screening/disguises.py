"""Disguises: a text as its reader would understand it, and what it hides.

`plain` undoes what changes the look alone: case, accents, invisible characters, full-width and other letter forms, HTML
entities. `hidden` finds what must be decoded: base64, hex, percent signs, escapes, ROT13, tag characters, letters set
apart, markup inside words, order turned round. Each is bounded, so that a hostile text costs no more than its length.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

MARKUP = "breaks its words up by markup"
_BASE64, _HEXED, _APART_SET, _PIG = (
    "hides text in base64",
    "hides text in hex",
    "sets the letters of its words apart",
    "hides text in pig latin",
)
_JOINED = "hides text in pieces to be joined"
DELIBERATE = frozenset({_BASE64, _HEXED, _APART_SET, _PIG, _JOINED})
"""Disguises that no program makes by itself around a sentence: the least suspicion in one is enough."""
_MOST_RUNS = 12
_LONGEST_RUN = 4000

_ACCENTS = re.compile("[\u0300-\u036f]")
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_OVERRIDES = re.compile("[\u202d\u202e]")
_SEPARATORS = str.maketrans(dict.fromkeys("\u0085\u2028\u2029\x0b\x0c\r", "\n"))
_LOOKALIKES = str.maketrans(
    "аеорсухікмнтвзґѕјһԁԛԝьαβεικνορτυχωηγδμ" + "ɑɡɩɪɴʀʏʟʙɢʜᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜱғƒıłøđħŧ" + "аеорсух",
    "aeopcyxikmhtb3rsjhdqwbabeikvoptuxwnydu" + "agiinrylbghacdejkmoptuvwzsffilodht" + "aeopcyx",
)
_FOREIGN = re.compile("[\u0370-\u04ff]")
_LATIN = re.compile("[a-z]")
_LEET = str.maketrans("01345789@$", "oieastbgas")
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :,]?|\\x[0-9a-fA-F]{2}){12,}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\})")
_APART = re.compile(r"(?<!\w)\w(?:[ \t._*|\-\u00b7\u2022]\w(?!\w)){3,}")
_SINGLE = re.compile(
    r"[ \t._*|\-\u00b7\u2022]\w[ \t._*|\-\u00b7\u2022]\w[ \t._*|\-\u00b7\u2022]"
)  # wherever `_APART` is
_DIGIT = re.compile("[0-9]")
_LOOSE = re.compile(r"(?<!\w)\w(?:[ \t._*|\-\u00b7\u2022]\w(?!\w))+")
_BETWEEN = re.compile(r"[ \t._*|\-\u00b7\u2022]")
_PIG_LATIN = re.compile(r"\b([A-Za-z]{1,20})-([a-z]{1,3})ay\b")
_PIECE = re.compile(r"(?<!\w)\w{1,3} ?= ?[\"']([^\"'\n]{1,80})[\"']")
_MARKUP = re.compile(r"<!--|-->|</?[a-zA-Z][^<>]{0,200}>|(?<=\w)[*_`~]{1,3}(?=\w)")
_READABLE = re.compile(r"[\w\s.,;:!?'\"()/@-]")


def plain(text: str) -> str:
    """The text in lower case without what only changes its look."""
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", INVISIBLE.sub("", text.translate(_SEPARATORS))).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def unmasked(word: str) -> str:
    """The word that is meant where digits or letters of other scripts stand for Latin ones; "" where it is itself."""
    if not word.isascii() and _FOREIGN.search(word) is None and not word.isalpha():
        return ""
    meant = word if word.isascii() else word.translate(_LOOKALIKES)
    if not meant.isalpha() and _LATIN.search(meant):
        meant = meant.translate(_LEET)
    return "" if meant == word else meant


def hidden(text: str) -> Iterator[tuple[str, str]]:
    """What the text hides, each with how."""
    if not text.isascii():
        if tags := "".join(_TAGS.findall(text)):
            yield "hides text in invisible characters", "".join(chr(ord(sign) - 0xE0000) for sign in tags)
        for run in _SELECTORS.findall(text)[:_MOST_RUNS]:
            yield "hides text in invisible characters", _from_selectors(run)
        if _OVERRIDES.search(text):
            yield "shows text in another order than it is written", text[::-1]
    if "<" in text or "*" in text or "_" in text or "`" in text or "~" in text:
        bare = _MARKUP.sub("", text)
        if bare != text:
            yield MARKUP, bare
    if _SINGLE.search(text) and _APART.search(text):
        yield _APART_SET, _LOOSE.sub(lambda run: _BETWEEN.sub("", run[0]), text)
    if "rot13" in (lower := text.lower()) or "rot-13" in lower or "rot 13" in lower or "caesar" in lower:
        yield "hides text in ROT13", codecs.decode(text, "rot13")
    if "ay" in lower and len(_PIG_LATIN.findall(text)) > 3:
        yield _PIG, _PIG_LATIN.sub(lambda word: ("" if word[2] in "wy" else word[2]) + word[1], text)
    if "+" in text and len(pieces := _PIECE.findall(text)) > 2:
        yield _JOINED, "".join(pieces)
    if "%" in text and len(_PERCENT.findall(text)) >= 3:
        yield "hides text in percent signs", unquote(text)
    if "\\" in text and _ESCAPE.search(text):
        yield "hides text in escapes", _ESCAPE.sub(_unescaped, text)
    for number, run in enumerate(_ENCODED.finditer(text)):
        if number == _MOST_RUNS:
            break
        if decoded := _from_base64(run[0][:_LONGEST_RUN]):
            yield _BASE64, decoded
    if _DIGIT.search(text) and (run := _HEX.search(text)):
        digits = re.sub(r"\\x|[ :,]", "", run[0][:_LONGEST_RUN])
        if decoded := _readable(bytes.fromhex(digits[: len(digits) // 2 * 2])):
            yield _HEXED, decoded


def _from_base64(run: str) -> str:
    run = run.rstrip("=").replace("-", "+").replace("_", "/")
    run = run[: len(run) - 1] if len(run) % 4 == 1 else run
    try:
        return _readable(base64.b64decode(run + "=" * (-len(run) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _readable(data: bytes) -> str:
    """The bytes as text, or "" where they are none."""
    text = data.decode("utf-8", "ignore")
    if data.count(0) * 3 > len(data):
        text = data.decode("utf-16-le", "ignore")
    known = len(_READABLE.findall(text))
    return text if len(text) >= 10 and known * 20 >= 19 * len(text) and known * 3 >= len(data) else ""


def _from_selectors(run: str) -> str:
    codes = [ord(sign) - 0xFE00 if ord(sign) < 0xFE10 else ord(sign) - 0xE0100 + 16 for sign in run[:_LONGEST_RUN]]
    return bytes(codes).decode("utf-8", "ignore")


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1] or match[2] or match[3], 16)
    return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else ""
