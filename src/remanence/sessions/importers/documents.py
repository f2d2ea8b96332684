"""One big JSON document, an item at a time: the elements of its list, however long that is.

The list is the document itself or, in an object, the value of one of the names given; an object without such a list is
one item. Only a buffer of it is held: an item of more than 64 MB, and one that does not parse, is passed over by its
brackets and told. What is not UTF-8 is told as well.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import IO, Any, NamedTuple

from remanence.sessions.importers.streams import CHUNK_BYTES

ITEM_CHARACTERS = 64 << 20
_BLANK = re.compile(r"[ \t\n\r\ufeff]*")
_MARK = re.compile(r'[\[\]{},"]')
_QUOTE = re.compile(r'["\\]')
_LONGEST_SIGN = 16
"""Where this many characters follow, what does not parse is broken, not cut: no word or escape of JSON is longer."""
_TOO_LONG, _BROKEN, _CUT = "longer than 64 MB", "not JSON", "ends in the middle"


class Item(NamedTuple):
    """An item by its number from 1, or why it could not be read; `place` is how many bytes were read so far."""

    number: int
    value: Any
    place: int
    why: str | None = None


class _Unreadable(Exception):
    """The value that begins here cannot be read."""


def items(stream: IO[bytes], inside: Collection[str] = ()) -> Iterator[Item]:
    """The items of a document."""
    source = _Source(stream)
    sign = source.sign()
    if sign == "[":
        number = 0
        for item in _elements(source):
            number = item.number
            yield item
        if source.sign() != "":
            yield Item(number + 1, None, source.place, "goes on after its end")
    elif sign == "{":
        yield from _members(source, inside)
    else:
        yield Item(0, None, source.place, "empty" if sign == "" else "not JSON")


def _elements(source: _Source) -> Iterator[Item]:
    source.at += 1
    number = 0
    while (sign := source.sign()) != "]":
        if sign in (",", "}"):  # a stray bracket is what is left of an item that was broken
            source.at += 1
            continue
        number += 1
        if sign == "":
            yield Item(number, None, source.place, _CUT)
            return
        try:
            value = source.value()
        except _Unreadable as reason:
            whole = source.pass_over()
            yield Item(number, None, source.place, str(reason) if whole else _CUT)
            if not whole:
                return
            continue
        yield Item(number, value, source.place)
        if source.sign() not in (",", "]", ""):
            source.pass_over()
            yield Item(number, None, source.place, _BROKEN)
    source.at += 1


def _members(source: _Source, inside: Collection[str]) -> Iterator[Item]:
    source.at += 1
    whole: dict[str, Any] = {}
    listed = False
    while (sign := source.sign()) != "}":
        if sign in (",", "]"):
            source.at += 1
            continue
        try:
            name = source.value() if sign == '"' else None
            if not isinstance(name, str) or source.sign() != ":":
                raise _Unreadable(_CUT if sign == "" else _BROKEN)
            source.at += 1
            if source.sign() == "[" and name in inside:
                listed = True
                yield from _elements(source)
                continue
            whole[name] = source.value()
        except _Unreadable as reason:
            yield Item(1, None, source.place, str(reason))
            if not source.pass_over():
                return
    if not listed:
        yield Item(1, whole, source.place)


class _Source:
    """The text of a stream from `at` on, read as far as it was needed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._json = json.JSONDecoder()
        self._text = ""
        self._ended = False
        self.at = 0
        self.place = 0

    def sign(self) -> str:
        """The next character that is not blank, at which this is from now on; "" at the end."""
        while True:
            match = _BLANK.match(self._text, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self._text):
                return self._text[self.at]
            if not self._more():
                return ""

    def value(self) -> Any:
        """The value that begins here; _Unreadable, and still here, where it is none or too long."""
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self.at)
            except RecursionError:
                raise _Unreadable("nested too deep") from None
            except json.JSONDecodeError as reason:
                if reason.pos < len(self._text) - _LONGEST_SIGN and not reason.msg.startswith("Unterminated"):
                    raise _Unreadable(_BROKEN) from None
                end = -1
            except ValueError:  # a number of more digits than Python takes
                raise _Unreadable(_BROKEN) from None
            held = len(self._text) - self.at
            if end >= 0 and (self._ended or end + _LONGEST_SIGN <= len(self._text)):  # "1.5" may go on as "1.5e+3"
                if self._foreign(end):
                    raise _Unreadable("not UTF-8")
                self.at = end
                return value
            if held > ITEM_CHARACTERS:
                raise _Unreadable(_TOO_LONG)
            if not self._more(held) and end < 0:
                raise _Unreadable(_BROKEN)

    def _foreign(self, end: int) -> bool:
        part = self._text[self.at : end]
        if part.isascii():
            return False
        try:
            part.encode()
        except UnicodeEncodeError:
            return True
        return False

    def pass_over(self) -> bool:
        """Go on to the comma or bracket after the value that begins here; whether there was one."""
        depth, quoted = 0, False
        while True:
            match = (_QUOTE if quoted else _MARK).search(self._text, self.at)
            if match is None:
                self.at = len(self._text)
                if not self._more():
                    return False
                continue
            sign = match[0]
            self.at = match.start()
            if quoted and sign == "\\":
                if self.at + 2 > len(self._text) and not self._more():
                    return False
                self.at += 2
                continue
            if not quoted and depth == 0 and sign in "],}":
                return True
            self.at += 1
            if sign == '"':
                quoted = not quoted
            elif sign != ",":
                depth += 1 if sign in "[{" else -1

    def _more(self, held: int = 0) -> bool:
        """Read on, as much again as is held, and let go of what was passed; whether there was more."""
        if self._ended:
            return False
        raw = self._stream.read(max(CHUNK_BYTES, held))
        self._ended = not raw
        self.place += len(raw)
        self._text = self._text[self.at :] + self._decoder.decode(raw, not raw)
        self.at = 0
        return bool(raw)
