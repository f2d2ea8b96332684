"""Parts: where in a plain text stand the words that orders are made of.

Positions are counted in words; the end of a sentence counts as three. Addresses, accounts and files with secrets are
parts too. Words in disguise (digits or other scripts for letters, shuffled letters, no spaces between words) count as
what is meant.
"""

from __future__ import annotations

import re
from functools import lru_cache

from remanence.guard.screening.deeds import DEEDS
from remanence.guard.screening.disguises import plain, unmasked
from remanence.guard.screening.phrases import PHRASES
from remanence.guard.screening.unspaced import UNSPACED

_SENTENCE_END = 3
_LONGEST_WORD = 400
UNSPACED_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_PLACES = (
    # An id is one word that says nothing, though its end may look like an account and its middle like disguised words.
    r"(?P<id>\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)"
    r"|(?P<url>(?:https?|s?ftp|s3|gs)://[^\s)\"'<>]{1,2000}|(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)"
    r"|(?<![\w@.-])(?:[a-z0-9][a-z0-9-]{0,62}+\.){1,4}(?:com|net|org|io|info|biz|xyz|app|example|test|invalid)\b(?![(.]\w))"
    r"|(?P<mail>(?<![\w.+-])[a-z0-9][\w.+-]{0,63}+@[a-z0-9][\w-]{0,62}\.[a-z][\w.-]{0,62})"
    r"|(?P<account>\b(?:[a-z]{2}\d{2}(?:[a-z]{4})?\d{7,24}|[a-z]{2}\d{2}(?: \d{4}){3,7}"
    r"|0x[0-9a-z]{17,64}|bc1[a-z0-9]{16,60}"
    r"|(?:(?<=account )|(?<=account: )|(?<=number )|(?<=number: )|(?<=wallet )|(?<=konto ))\d[\d -]{5,24}\d)\b)"
    r"|(?P<phone>(?<![\w.+-])\+?\d[\d-]{1,6}[ -]\d{2,4}[ -]\d{2,8}(?![\w-]))"
    r"|(?P<secretpath>\.ssh/id_\w{1,20}\b(?!\.pub)|\.aws/credentials|/etc/shadow|\.git-credentials|\.netrc\b|\.config/gcloud)"
)
_WORD = r"(?P<word>[^\W_]+(?:[@$][^\W_]+)*)|(?P<end>[.!?;]+(?=\s|$)|\n\s*\n|[\u3002\uff01\uff1f]+)|(?P<pause>[,:(\n])"
_TOKEN = re.compile(_WORD)
_TOKEN_OR_PLACE = re.compile(f"(?P<letters>[a-z]++(?=[ ,\\n]))|{_PLACES}|{_WORD}")  # no place begins so
_HAS_PLACES = re.compile(
    r"[0-9-][0-9]{3}|[0-9a-f]-[0-9a-f]{4}-[0-9a-f]{4}-|@|/(?:/|etc/)|\.(?:ssh|aws|git-|netrc|config/|com|net|org|io|info|biz|xyz|app|example|test|invalid)"
)

Parts = tuple[str, ...]


class _Lexicon:
    """Which words play which part."""

    def __init__(self) -> None:
        self.exact: dict[str, Parts] = {}
        self.stems: dict[str, Parts] = {}
        self.unspaced: dict[str, Parts] = {}
        self.phrases: dict[str, dict[str, list[tuple[Parts, str]]]] = {}  # by their first words, then by their second
        for part, line in (*PHRASES.items(), *DEEDS.items(), *UNSPACED.items()):
            for word in dict.fromkeys(plain(line).split()):
                self._learn(word, part)
        longest_first = sorted(self.unspaced, key=len, reverse=True)
        self.in_run = re.compile("|".join([*map(re.escape, longest_first), "[a-z]+"]))
        self.lengths = sorted({len(stem) for stem in self.stems})
        firsts = {word for word in {*self.exact, *self.phrases} if word.isascii()}
        self.shuffled = {_letters(word): word for word in firsts if len(word) > 4}
        self.backwards = {word[::-1] for word in firsts if len(word) > 4}
        inner = {
            word
            for seconds in self.phrases.values()
            for second, entries in seconds.items()
            for word in (second, *(word for rest, _ in entries for word in rest))
        }
        self.known = {word for word in firsts if len(word) > 2} | {word for word in inner if len(word) > 1}

    def _learn(self, word: str, part: str) -> None:
        if UNSPACED_SIGNS.search(word):
            self.unspaced[word] = (*self.unspaced.get(word, ()), part)
        elif word.endswith("*"):
            self.stems[word[:-1]] = (*self.stems.get(word[:-1], ()), part)
        elif "_" in word:
            first, second, *rest = word.split("_")
            self.phrases.setdefault(first, {}).setdefault(second, []).append((tuple(rest), part))
        else:
            self.exact[word] = (*self.exact.get(word, ()), part)

    def parts(self, word: str) -> Parts:
        found = self.exact.get(word, ())
        for length in self.lengths:
            if length > len(word):
                break
            found += self.stems.get(word[:length], ())
        return found


def _letters(word: str) -> str:
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


_LEXICON = _Lexicon()


def _separated(word: str) -> list[str]:
    """The known words that a run of letters is made of, or itself."""
    pieces: list[str] = []
    start = skipped = 0
    while start < len(word):
        for end in range(min(len(word), start + 16), start + 1, -1):
            if word[start:end] in _LEXICON.known:
                pieces.append(word[start:end])
                start = end
                break
        else:
            start += 1
            skipped += 1
    return pieces if len(pieces) > 2 and skipped * 5 <= len(word) else [word]


@lru_cache(maxsize=8192)
def _meant(word: str) -> tuple[tuple[str, Parts], ...]:
    """The word or words that this one stands for, each with the parts it plays."""
    parts = _LEXICON.parts(word)
    if parts or word in _LEXICON.phrases or len(word) > _LONGEST_WORD:
        return ((word, parts),)
    if (meant := unmasked(word)) and (meant in _LEXICON.known or _LEXICON.parts(meant)):
        return ((meant, _LEXICON.parts(meant)),)
    if len(word) > 4 and word.isascii() and word.isalpha():
        word = _LEXICON.shuffled.get(_letters(word), word)
        if len(word) > 13:
            return tuple((piece, _LEXICON.parts(piece)) for piece in _separated(word))
    return ((word, _LEXICON.parts(word)),)


class Reading:
    """A plain text as the positions of its parts."""

    def __init__(self, text: str) -> None:
        self.positions: dict[str, list[int]] = {"start": [0]}  # "start" is where a clause begins
        self.spans: dict[int, tuple[int, int]] = {0: (0, 0)}  # of each position, in characters
        self.began: dict[int, int] = {}  # where the phrase began that ends here
        self.backwards = 0
        words: list[tuple[str, int]] = []
        spans, backwards, firsts, phrased = self.spans, _LEXICON.backwards, _LEXICON.phrases, False
        starts, ascii_only = self.positions["start"], text.isascii()
        position = 0
        for match in (_TOKEN_OR_PLACE if _HAS_PLACES.search(text) else _TOKEN).finditer(text):
            kind = match.lastgroup
            if kind == "letters" or kind == "word":
                word = match[0]
                if not ascii_only and not word.isascii() and UNSPACED_SIGNS.search(word):
                    position = self._unspaced(word, match.start(), position)
                    continue
                if word in backwards:
                    self.backwards += 1
                for piece, parts in _meant(word):
                    position += 1
                    words.append((piece, position))
                    spans[position] = match.span()
                    for part in parts:
                        self._add(part, position)
                    if not phrased and piece in firsts:
                        phrased = True
            elif kind == "pause":
                spans.setdefault(position, match.span())
                starts.append(position)
            elif kind == "end":
                position += _SENTENCE_END
                spans[position] = (match.end(), match.end())
                starts.append(position)
            else:
                position += 1
                spans[position] = match.span()
                self._add(kind or "", position)
        if phrased:
            self._phrases(words)

    def of(self, parts: Parts) -> list[int]:
        """Where any of these stand, in order."""
        if len(parts) == 1:
            return self.positions.get(parts[0], [])
        return sorted({position for part in parts for position in self.positions.get(part, ())})

    def _add(self, part: str, position: int) -> None:
        if part in self.positions:
            self.positions[part].append(position)
        else:
            self.positions[part] = [position]

    def _unspaced(self, run: str, offset: int, position: int) -> int:
        done = 0
        for match in _LEXICON.in_run.finditer(run):
            position += 1 + (match.start() - done) // 2
            done = match.end()
            self.spans[position] = (offset + match.start(), offset + match.end())
            for part in _LEXICON.unspaced.get(match[0]) or _LEXICON.parts(match[0]):
                self._add(part, position)
        return position + (len(run) - done) // 2

    def _phrases(self, words: list[tuple[str, int]]) -> None:
        changed: set[str] = set()
        last = len(words) - 1
        for index, (word, position) in enumerate(words):
            seconds = _LEXICON.phrases.get(word)
            if seconds is None or index == last:
                continue
            for rest, part in seconds.get(words[index + 1][0], ()):
                end = index + 1 + len(rest)
                if end <= last and all(words[index + 2 + ahead][0] == wanted for ahead, wanted in enumerate(rest)):
                    # A phrase stands where it begins and where it ends: what follows is counted from its end.
                    self._add(part, position)
                    self._add(part, words[end][1])
                    self.began[words[end][1]] = position
                    changed.add(part)
        for part in changed:
            self.positions[part].sort()
