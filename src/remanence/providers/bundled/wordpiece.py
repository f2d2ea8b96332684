"""BERT's uncased tokenizer: a text in, token ids out, at most 256 with the two that frame it.

Controls are dropped, accents stripped, letters lowered one by one; CJK characters and punctuation stand alone; a word
over 100 characters is unknown; other words are cut into the longest pieces the vocabulary has. `[SEP]` in a text is
six characters like any other, so a text cannot pose as two.

Runs without spaces are looked up first: texts repeat their words. Reading stops at the last token that fits, so a
text of a megabyte costs no more than its beginning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

UNKNOWN, FIRST, LAST = 100, 101, 102
_LONGEST_WORD = 100
# A longer run is cut: it is one unknown word, or far more tokens than fit.
_LONGEST_RUN = 2_000
_CACHED_RUN = 40
_CACHE_SIZE = 20_000
_TABLE_SIZE = 20_000
# What BERT holds for a space. Python's \s would also split at controls, which BERT drops.
_SPACES = " \t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_RUN = re.compile(f"[^{_SPACES}]+")
_ASCII_PARTS = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROLS = dict.fromkeys([*range(32), 127])
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class Vocabulary:
    """Token ids by piece. Threads may share one."""

    def __init__(self, path: Path) -> None:
        # Not splitlines: pieces may be characters that Python takes for line ends.
        self._ids = {piece: number for number, piece in enumerate(path.read_text("utf-8").rstrip("\n").split("\n"))}
        self._longest = max(map(len, self._ids))
        self._known: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def tokens(self, text: str, most: int) -> list[int]:
        """The ids of a text, framed, at most `most` of them."""
        found = [FIRST]
        for match in _RUN.finditer(text):
            found.extend(self.run(match[0]))
            if len(found) >= most:
                del found[most - 1 :]
                break
        found.append(LAST)
        return found

    def run(self, run: str) -> tuple[int, ...]:
        """The ids of characters without a space between them."""
        known = self._known.get(run)
        if known is None:
            known = tuple(number for word in _words(run[:_LONGEST_RUN]) for number in self._pieces(word))
            if len(run) <= _CACHED_RUN:
                if len(self._known) >= _CACHE_SIZE:
                    self._known.clear()
                self._known[run] = known
        return known

    def _pieces(self, word: str) -> list[int]:
        whole = self._ids.get(word)
        if whole is not None:
            return [whole]
        if len(word) > _LONGEST_WORD:
            return [UNKNOWN]
        found: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                number = self._ids.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return [UNKNOWN]
            found.append(number)
            start, mark = end, "##"
        return found


def _words(run: str) -> Iterator[str]:
    if run.isascii():
        return iter(_ASCII_PARTS.findall(run.translate(_ASCII_CONTROLS).lower()))
    return iter(unicodedata.normalize("NFD", run.translate(_CLEANED)).translate(_LOWERED).split(" "))


class _Table(dict[int, str]):
    """What a character becomes, worked out when first met; hostile texts meet only so many."""

    def __missing__(self, code: int) -> str:
        became = self.became(chr(code))
        if len(self) < _TABLE_SIZE:
            self[code] = became
        return became

    def became(self, character: str) -> str:
        raise NotImplementedError


class _Cleaned(_Table):
    def became(self, character: str) -> str:
        # Unassigned characters (Cn) stay: which they are depends on the version of Python, and vectors must not.
        if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co"):
            return ""
        code = ord(character)
        return f" {character} " if any(first <= code <= last for first, last in _CJK) else character


class _Lowered(_Table):
    def became(self, character: str) -> str:
        category = unicodedata.category(character)
        if category == "Mn":
            return ""
        if category[0] == "P" or (character.isascii() and not character.isalnum() and character != " "):
            return f" {character} "
        return character.lower()


_CLEANED = _Cleaned()
_LOWERED = _Lowered()
