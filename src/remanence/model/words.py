"""Text into words: what two texts have in common is decided on these.

A word is a run of letters, digits, marks and underscores (`snake_case` is one word), case folded, with the
apostrophes inside it kept ("don't", "don’t" are equal). Stop words stay. Scripts written without spaces (Han,
Hiragana, Katakana, Hangul, Thai, Lao, Khmer, Myanmar) have no word borders to cut at, so a run of them becomes its
overlapping pairs of characters: 東京都 → 東京, 京都. Text that is not ASCII is read in NFKC, so full-width, half-width
and composed forms are equal.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

# English words that ask or bind: where a query has others, these are neither searched nor counted.
_ASK_OR_BIND = """
    a an the this that these those i me my mine we us our ours you your yours he him his she her hers it its they them
    their theirs am is are was were be been being do does did doing done have has had having will would shall should can
    could may might must and or but if so as of at by for from in into on onto to with about than then there here what
    which who whom whose when where why how not no s t d ll m re ve don didn doesn isn wasn aren
"""
STOP_WORDS = frozenset(_ASK_OR_BIND.split())

_SHORT = 4000
_KEPT = 512
_ASCII_WORD = re.compile(r"\w+(?:'\w+)*", re.ASCII)
_WORD = re.compile(r"\w+(?:'\w+)*")
# `\w` knows no combining marks, and the words of India are full of them.
_BETWEEN_WORDS = re.compile(r"[^\w\u0900-\u0963\u0966-\u0dff]+")
_ASCII_SPACED = bytes(code if chr(code).isalnum() else 32 for code in range(256))
# `\w` knows no combining marks: text with anything but word characters and common punctuation is read by its shapes.
_UNCOMMON = re.compile(r"[^\w\x00-\u02ff\u2000-\u20cf\u2100-\u2bff]")

_UNSPACED_RANGES = (
    (0x0E01, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17DD),  # Khmer
    (0x2E80, 0x2FD5),  # Han radicals
    (0x3005, 0x3007),  # Han marks
    (0x3021, 0x3029),  # Han numerals
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x3131, 0x318E),  # Hangul compatibility letters
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),  # Hangul
    (0xA9E0, 0xA9FE),  # Myanmar
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),  # Han compatibility
    (0x1AFF0, 0x1B16F),  # Kana supplements
    (0x20000, 0x3FFFF),  # Han, supplementary planes
)
_UNSPACED = re.compile("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in _UNSPACED_RANGES) + "]")
_BESIDE_UNSPACED = re.compile("(?<=[\u0e01-\U0003ffff])(?=[a-z0-9])")
_RESTORED = (("i", "y"), ("e", "ing"), ("bl", "bil"))
# The index drops the marks of Latin letters, knows one small sigma, and cuts at underscores.
_PLAIN = {
    code: plain
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (plain := unicodedata.normalize("NFD", chr(code))[0]).isascii()
} | {ord("ς"): "σ", ord("_"): " "}

# Soft hyphen, joiners, byte order mark, variation selectors: they shape a word and are no part of it.
_INVISIBLE = re.compile("[\u00ad\u034f\u200c\u200d\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")


class _Shapes(dict[int, str]):
    """The class of each character as one letter, filled as characters are met: `w` word, `m` mark, `u` unspaced."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category[0] not in "LNM" and character != "_":
            shape = "'" if character == "'" else " "
        elif category != "Nd" and _UNSPACED.match(character):
            shape = "u"
        else:
            shape = "m" if category[0] == "M" else "w"
        self[code] = shape
        return shape


_SHAPES = _Shapes()
_SHAPED_WORD = re.compile(r"w[wm]*(?:'w[wm]*)*|u+")
_SHAPED_UNSPACED = re.compile(r"u+")


# The pieces a byte-pair tokenizer never joins: a capitalised or lower-case run, two capitals, three digits, each sign,
# the space before a number, a line end, an indentation.
_PIECE = re.compile(
    r"[A-Z]?[a-z]+|[A-Z]{1,2}|[0-9]{1,3}|[\x00-\x09\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f]"
    r"| (?=[0-9])|[\r\n]{1,3}|(?<! ) (?= )"
)
# One token each, hardly met outside English: where at least one piece in eight is of them the text is English.
_COMMON_WORDS = """
    the and of to is it that this with you are from have has not your they she his her their our its will would can
    could should what which when where who how there these those than then about after also been before because but
    does each into just like make more most must new only other some such use used using very want were while them
    too out
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# Quarter tokens for a character below the bound: scripts rare in training text cost a token for each byte.
_QUARTER_BOUNDS = (
    (0x0250, 6),  # Latin with diacritics
    (0x0370, 6),
    (0x0400, 8),  # Greek
    (0x0410, 7),
    (0x0450, 4),  # Russian
    (0x0530, 7),  # Cyrillic of other languages
    (0x0590, 9),  # Armenian
    (0x0780, 6),  # Hebrew, Arabic
    (0x0900, 12),
    (0x0980, 7),  # Devanagari
    (0x0B00, 9),  # Bengali, Gurmukhi, Gujarati
    (0x0B80, 13),  # Oriya
    (0x0C00, 8),  # Tamil
    (0x0E00, 9),  # Telugu, Kannada, Malayalam, Sinhala
    (0x0E80, 6),  # Thai
    (0x1000, 13),  # Lao, Tibetan
    (0x1E00, 9),  # Myanmar, Georgian, Ethiopic, Khmer
    (0x2000, 8),
    (0x2100, 6),  # punctuation, currencies
    (0x2E80, 12),  # arrows, signs, dingbats
    (0x3040, 7),
    (0x3100, 5),  # Hiragana, Katakana
    (0xD7B0, 8),  # Han, Hangul
    (0x10000, 12),
    (0x40000, 12),  # emoji; Han of the supplementary planes
    (0x110000, 16),
)


class _Quarters(dict[str, int]):
    def __missing__(self, character: str) -> int:
        quarters = next(quarters for bound, quarters in _QUARTER_BOUNDS if ord(character) < bound)
        self[character] = quarters
        return quarters


_QUARTERS = _Quarters()


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that is written without spaces, so that no word ends beside it."""
    return _UNSPACED.match(character) is not None


def visible(text: str) -> str:
    """A text without the signs that shape words and are no part of them: soft hyphens, joiners, byte order marks."""
    return _INVISIBLE.sub("", text)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded, in order; repeated words stay repeated."""
    return _words_short(text) if len(text) < _SHORT else tuple(_words(text))


def _words(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    text = unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u02bc", "'")
    if _UNSPACED.search(text) is None and _UNCOMMON.search(text) is None:
        return _WORD.findall(text)
    shapes = text.translate(_SHAPES)
    found: list[str] = []
    for match in _SHAPED_WORD.finditer(shapes):
        start, end = match.span()
        if shapes[start] == "u" and end - start > 1:
            found.extend(_pairs(text[start:end]))
        else:
            found.append(text[start:end])
    return found


def segmented(text: str) -> str | None:
    """The text with its unspaced runs cut for a tokenizer that knows spaces only, or None where it has none.

    Each run becomes its pairs and then its last character: 東京都 → "東京 京都 都". So every character of the run
    begins some piece: a query of two characters or more is asked by its pairs, a query of one by the prefix `都*`.
    """
    if text.isascii():
        return None
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    if _UNSPACED.search(text) is None:
        return None
    shapes = text.translate(_SHAPES)
    pieces: list[str] = []
    done = 0
    for match in _SHAPED_UNSPACED.finditer(shapes):
        start, end = match.span()
        pieces += (text[done:start], *_pairs(text[start:end]), text[end - 1])
        done = end
    pieces.append(text[done:])
    return " ".join(" ".join(pieces).split())


def spaced(text: str) -> str:
    """The text in lower case with spaces for what is no letter or digit, one before it, and no marks on Latin letters.

    Where something stands in it after a space, a word begins with it.
    """
    return _spaced_short(text) if len(text) < _SHORT else _spaced(text)


def beginnings(stem: str) -> tuple[str, ...]:
    """How words with this stem begin in a `spaced` text; in scripts without spaces they may stand anywhere.

    Stems end in letters that words lack: "deploi" is of "deploy", "stage" of "staging", "visibl" of "visibility".
    """
    if _UNSPACED.match(stem):
        return (stem,)
    for end, instead in _RESTORED:
        if stem.endswith(end):
            return " " + stem, " " + stem.removesuffix(end) + instead
    return (" " + stem,)


def folded(text: str) -> str:
    """Case, composed forms and white space folded: texts with equal folds are the same statement."""
    return _folded_short(text) if len(text) < _SHORT else _folded(text)


def tokens_of(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return _tokens_short(text) if len(text) < _SHORT else frozenset(words(text))


# A write asks the same few questions of one text, so the last answers about short texts are kept.
@lru_cache(maxsize=_KEPT)
def _folded_short(text: str) -> str:
    return _folded(text)


@lru_cache(maxsize=_KEPT)
def _spaced_short(text: str) -> str:
    return _spaced(text)


@lru_cache(maxsize=_KEPT)
def _words_short(text: str) -> tuple[str, ...]:
    return tuple(_words(text))


@lru_cache(maxsize=_KEPT)
def _tokens_short(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _spaced(text: str) -> str:
    if text.isascii():
        return " " + text.lower().encode().translate(_ASCII_SPACED).decode()
    plain = unicodedata.normalize("NFKC", text).lower().translate(_PLAIN)
    return " " + _BESIDE_UNSPACED.sub(" ", _BETWEEN_WORDS.sub(" ", plain))


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().split())
    # Case folding is defined on decomposed text: a composed iota subscript would fold another way.
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return " ".join(text.split())


def estimate_tokens(text: str) -> int:
    """How many tokens a language model counts, rather too many than too few: "She moved to Berlin in 2024." → 14.

    Against cl100k_base: 1.5 times its count on English, 1.2 to 2 on other languages and code; hardly ever below it.
    """
    if not text:
        return 0
    pieces = _PIECE.findall(text)
    rare = [piece for piece in pieces if piece not in _COMMON]
    total = len(pieces) + 1
    if 8 * (len(pieces) - len(rare)) >= len(pieces):  # English, and its names are cut finer than its words
        total += sum([(len(piece) - 1) // (3 if piece < "a" else 5) for piece in rare])
    else:
        total += sum([(2 * len(piece) - 2) // 5 for piece in rare]) + len(pieces) // 8
    if not text.isascii():
        total += -(-sum(map(_QUARTERS.__getitem__, _NOT_ASCII.findall(text))) // 4)
    return total


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in pairwise(run)]
