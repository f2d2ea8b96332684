"""Cut a long text into pieces that the bundled embedder sees whole: about 200 tokens each, ended where a sentence or
a line ends, else between words. Where that gives more pieces than asked for, evenly chosen ones stand for the text;
of a very long text only windows around them are looked at.
"""

from __future__ import annotations

import re

PIECE_TOKENS = 200

# Four to five pieces of English prose.
_WINDOW_CHARACTERS = 4_000
# A run of characters without spaces, ended early by a full stop of scripts that write none after it.
_UNIT = re.compile(r"[^\s。！？]{1,100}[。！？]*|[。！？]{1,100}")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")


def pieces(text: str, most: int) -> list[str]:
    """At most `most` pieces of the text, in its order; a text of one piece is that piece."""
    if most < 1:
        return []
    if len(text) <= most * _WINDOW_CHARACTERS:
        found = _cut(text)
        return found if len(found) <= most else [found[_at(place, most, len(found))] for place in range(most)]
    chosen = []
    for place in range(most):
        start = _at(place, most, len(text) - _WINDOW_CHARACTERS + 1)
        if found := _cut(text[start : start + _WINDOW_CHARACTERS]):
            chosen.append(found[_at(place, most, len(found))])
    return chosen


def _at(place: int, most: int, length: int) -> int:
    """Which of `length` items stands at `place` of `most` evenly chosen ones: of 9 items the 3 chosen are 0, 4, 8."""
    return round(place * (length - 1) / (most - 1)) if most > 1 else 0


def _cut(text: str) -> list[str]:
    from remanence.providers.bundled.embedder import vocabulary

    words = vocabulary()
    found: list[str] = []
    start = end = border = 0
    tokens = since_border = 0
    for unit in _UNIT.finditer(text):
        size = len(words.run(unit[0]))
        if tokens and tokens + size > PIECE_TOKENS:
            # A border in the first half would leave a stub: then the piece ends between two words.
            at_border = border > start and tokens - since_border >= PIECE_TOKENS // 2
            cut = border if at_border else end
            found.append(text[start:cut].strip())
            start, tokens = cut, since_border if at_border else 0
        if "\n" in text[end : unit.start()]:
            border, since_border = end, 0
        tokens += size
        since_border += size
        end = unit.end()
        if _SENTENCE_END.search(unit[0]):
            border, since_border = end, 0
    found.append(text[start:].strip())
    return [piece for piece in found if piece]
