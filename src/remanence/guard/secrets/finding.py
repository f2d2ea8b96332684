"""Where the secrets of a text lie.

Found are: private parts (`<private>…</private>`), private keys, keys of known makers by shape, secrets by place
(addresses, headers, commands), by name (`password = x`) and told in sentences. Characters that cannot be seen and
full-width forms are read as what they stand for. What is left after one look is looked at again, until nothing is
found; a mark that took a secret's place is never taken for one.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from remanence.guard.secrets import accounts, blocks, issued, named, pins, places
from remanence.guard.secrets import prose as sentences
from remanence.guard.secrets.alike import alike
from remanence.guard.secrets.before import before
from remanence.guard.secrets.frames import frames
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import STEMS, names
from remanence.guard.secrets.nearby import nearby
from remanence.guard.secrets.personal import personal_data
from remanence.guard.secrets.reading import one_of
from remanence.guard.secrets.shapes import broken_shapes, shapes

MARK = lazy(r"\[redacted(?::[a-z0-9-]{1,40})?\]")
_MOST_PASSES = 10
_LONG, _AROUND = 20_000, 700  # characters
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
)
_TELLING = one_of((*STEMS, *sentences.STEMS, *accounts.STEMS, *pins.STEMS))
_HIDDEN = lazy(f"[{_UNSEEN}]+")
_FORMS_WIDE = range(0xFF01, 0xFF5F)
_FORMS_MATHEMATICAL = range(0x1D400, 0x1D800)
_FORMS = lazy("[\u3000\uff01-\uff5e\U0001d400-\U0001d7ff]")
_ODD = lazy(f"[{_UNSEEN}\u3000\uff01-\uff5e\U0001d400-\U0001d7ff]")


class Found(NamedTuple):
    """Where a secret's value lies: `text[start:end]`."""

    kind: str
    start: int
    end: int


def mark(kind: str) -> str:
    """What takes a secret's place."""
    return f"[redacted:{kind}]"


def find(text: str, *, personal: Collection[str] = ()) -> list[Found]:
    """The secrets in a text, in order and apart; of personal data only the kinds asked for."""
    found = _looked(text, personal)
    more = found
    for _ in range(_MOST_PASSES):  # a secret may show once another is gone: what is left must hold none
        if not more:
            break
        more = _back(text, found, _looked_again(without(text, found), found, more, personal))
        found = _apart([(1, *one) for one in found] + [(0, *one) for one in more])
    return found


def _looked_again(left: str, found: list[Found], more: list[Found], personal: Collection[str]) -> list[Found]:
    """Another look at what is left; in a long text only around the marks of what was found `more`."""
    if len(left) <= _LONG:
        return _looked(left, personal)
    new = {one.end for one in more}
    parts: list[list[int]] = []
    shift = 0
    for kind, start, end in found:
        at = start + shift
        shift += len(mark(kind)) - (end - start)
        if end not in new:
            continue
        begins, ends = max(0, at - _AROUND), at + len(mark(kind)) + _AROUND
        if parts and begins <= parts[-1][1]:
            parts[-1][1] = ends
        else:
            parts.append([begins, ends])
    if sum(ends - begins for begins, ends in parts) > len(left) // 2:
        return _looked(left, personal)
    return [
        Found(kind, begins + start, begins + end)
        for begins, ends in parts
        for kind, start, end in _looked(left[begins:ends], personal)
        if (start or not begins) and (begins + end < ends or ends >= len(left))
    ]


def without(text: str, found: Iterable[Found]) -> str:
    parts, at = [], 0
    for kind, start, end in found:
        parts += [text[at:start], mark(kind)]
        at = end
    return "".join([*parts, text[at:]])


def _back(text: str, found: list[Found], more: list[Found]) -> list[Found]:
    """Places in the redacted text as places in the text itself."""
    borders, shift, after = [], 0, 0  # (begins in the redacted text, begins in the text, ends in the text or None)
    for kind, start, end in found:
        borders += [(after + shift, after, False), (start + shift, start, True)]
        shift += len(mark(kind)) - (end - start)
        after = end
    borders.append((after + shift, after, False))

    begin = [border[0] for border in borders]

    def place(at: int, last: bool) -> int:
        number = bisect_right(begin, at) - 1
        begins, own, marked = borders[number]
        if marked:
            return borders[number + 1][1] if last else own
        return own + at - begins + last

    return [Found(kind, place(start, False), place(end - 1, True)) for kind, start, end in more]


def _apart(spans: list[tuple[int, str, int, int]]) -> list[Found]:
    """Spans that touch one another become one, of the kind that ranks first."""
    spans.sort(key=lambda span: (span[2], span[0]))
    kept: list[tuple[int, str, int, int]] = []
    for rank, kind, start, end in spans:
        if kept and start < kept[-1][3]:
            first, other, begins, ends = kept[-1]
            kept[-1] = (min(rank, first), kind if rank < first else other, begins, max(end, ends))
        else:
            kept.append((rank, kind, start, end))
    return [Found(kind, start, end) for _, kind, start, end in kept]


def _looked(text: str, personal: Collection[str]) -> list[Found]:
    """One look at a text."""
    plain, place_of = _seen(text)
    marks = [match.span() for match in MARK.finditer(plain)] if "[redacted" in plain else []
    if marks:  # what they say is no name
        plain = MARK.sub(lambda match: "\x01" * len(match[0]), plain)
    spans = list(_all(plain, personal))
    if not spans:
        return []
    spans += list(alike(plain, spans))
    if marks:
        spans = [span for span in spans if not _spoils(span, marks)]
    found = _apart(spans)
    if place_of is None:
        return found
    return [Found(kind, place_of(start), place_of(end - 1) + 1) for kind, start, end in found]


def _spoils(span: tuple[int, str, int, int], marks: list[tuple[int, int]]) -> bool:
    """Does it take a mark for a secret? Only a private part or a key block may hold marks, and more than those."""
    _, kind, start, end = span
    inside = [(one, two) for one, two in marks if one < end and two > start]
    if not inside:
        return False
    whole = kind in ("private", "private-key") and all(one >= start and two <= end for one, two in inside)
    return not whole or end - start <= sum(two - one for one, two in inside)


def _all(text: str, personal: Collection[str]) -> Iterator[tuple[int, str, int, int]]:
    """(rank, kind, start, end) of whatever a finder takes for a secret; they may overlap."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    whole = [span for finder in _of_blocks(text, low) for span in finder]
    for kind, start, end in whole:
        yield 0, kind, start, end
    if whole:  # nothing more is to be found inside
        text, low = _blanked(text, whole), _blanked(low, whole)
    for rank, finder in enumerate(_of_values(text, low), 1):
        for kind, start, end in finder:
            yield rank, kind, start, end
    if personal:
        for kind, start, end in personal_data(text, personal):
            yield 99, kind, start, end


def _blanked(text: str, spans: Iterable[tuple[str, int, int]]) -> str:
    """The text with as many characters that mean nothing in the place of these spans."""
    parts, at = [], 0
    for _, start, end in sorted(spans, key=itemgetter(1)):
        if end > at:
            parts += [text[at : max(at, start)], "\x01" * (end - max(at, start))]
            at = end
    return "".join([*parts, text[at:]])


def _of_blocks(text: str, low: str) -> Iterator[Iterable[tuple[str, int, int]]]:
    if "private" in low and ("<" in text or "&lt;" in low):
        yield blocks.private_parts(text)
    if "BEGIN" in text:
        yield blocks.key_blocks(text)
    yield blocks.bare_keys(text)
    if "PuTTY-User-Key-File" in text:
        yield blocks.putty_keys(text)


def _of_values(text: str, low: str) -> Iterator[Iterable[tuple[str, int, int]]]:
    if "kty" in text:
        yield blocks.web_keys(text)
    yield shapes(text)
    if "\n" in text:
        yield broken_shapes(text)
    if "://" in text:
        yield places.addresses(text)
    if "@" in text and ":" in text:
        yield places.logins(text)
    if "=" in text:
        yield places.queries(text)
    yield places.headers(text, low)
    yield places.commands(text, low)
    if "AKIA" in text or "ASIA" in text or "aws" in low:
        yield places.beside_aws(text)
    if "==" in text:
        yield issued.account_keys(text)
    if "PAT" in text:
        yield issued.access_tokens(text)
    if not _TELLING(low):
        return
    known = names(low)
    if known:
        yield named.named(text, low, known)
        yield before(text, low, known)
        yield nearby(text, low, known)
        yield frames(text, low, known)
        if "\n" in text:
            yield places.columns(text, low, known)
    yield sentences.pairs(text, low)
    yield sentences.codes(text, low)
    yield accounts.accounts(text, low)
    yield pins.pins(text, low)
    yield issued.issued(text, low)


def _seen(text: str) -> tuple[str, Callable[[int], int] | None]:
    """The text as it is read, and where each of its characters stands in the text itself (None: there)."""
    if text.isascii() or not _ODD.search(text):
        return text, None
    if _FORMS.search(text):
        text = text.translate(_plain())
    seams: list[int] = []  # where in the plain text something was left out, and how much up to there
    gone: list[int] = [0]
    for hidden in _HIDDEN.finditer(text):
        seams.append(hidden.start() - gone[-1])
        gone.append(gone[-1] + hidden.end() - hidden.start())
    if not seams:
        return text, None
    return _HIDDEN.sub("", text), lambda at: at + gone[bisect_right(seams, at)]


@cache
def _plain() -> dict[int, str]:
    """Full-width and mathematical forms as what they stand for, one character for one."""
    forms = {code: unicodedata.normalize("NFKC", chr(code)) for code in (0x3000, *_FORMS_WIDE, *_FORMS_MATHEMATICAL)}
    return {code: plain for code, plain in forms.items() if len(plain) == 1}
