"""Procedures out of patterns: from the words of a pattern, when something is done and its steps in order.

Known forms: a list under a lead ("To release: 1. tag 2. push"), a condition and what follows ("When the build fails,
clear the cache, then retry"), an order ("Always run the tests before merging"), arrows ("Release: tag → push"). Steps
stay in the words of the pattern. A text that only tells what happens ("When it rains, the roof leaks") gives none: its
steps would begin with who or what does it. Two procedures are the same where the triggers are, and the steps nearly,
each against the one in its place. Lists are read in any language; conditions in English, German, French and
Spanish; a single step in English alone, where its verb is known to order something.
"""

from __future__ import annotations

import re

from remanence.lifecycle.coverage import ended
from remanence.lifecycle.semantic_duplicates import Said, same
from remanence.model.consolidation import Procedure
from remanence.model.words import STOP_WORDS, words

FIRST_STRENGTH = 0.5
STRENGTH_GAIN = 0.1
LONGEST_TEXT = 4_000
MOST_STEPS = 20
ALIKE = 0.7
"""The share of its telling words that a step has in common with a step that is the same."""
_LONGEST_STEP = 300
_LONGEST_TRIGGER = 200

_ITEM = re.compile(r"^[ \t]*(?:(?:step )?\d{1,2}[.):、]|[-*•])[ \t]*(?=\S)", re.IGNORECASE | re.MULTILINE)
_INLINE = re.compile(r"(?:(?<=\s)|(?<=^))\(?(\d{1,2})[.):、]\s*(?=\D)")
_WHEN = re.compile(r"(?:when(?:ever)?|every time|each time|as soon as|wenn|quand|lorsque|cuando)\s+", re.IGNORECASE)
_KEPT_WHEN = (
    r"before|after|if|once|to|bevor|nachdem|sobald|falls|vor dem|vor der|nach dem|nach der|beim|avant de|avant|après|"
    r"antes de|después de|si"
)
_CONDITION = re.compile(
    rf"(?:always |immer )?((?:when(?:ever)?|every time|each time|as soon as|wenn|quand|lorsque|cuando|{_KEPT_WHEN})\s"
    r"[^,:：\n]{1,200}?)\s*(?:[,:：]\s+(?:then\s+)?|\s+(?=(?:first|zuerst|d'abord|primero)\s))",
    re.IGNORECASE,
)
_LEAD = re.compile(r"([^:：\n→;]{2,100}?)\s*[:：]\s+(?=\S)")
_TURNED = re.compile(r"(.+?),?\s((?:before|after|when(?:ever)?|every time|each time)\s[^,;]{2,200})", re.IGNORECASE)
_ALWAYS = re.compile(
    r"(?:(?:please|we|you|i|the team|everyone)\s+)?"
    r"(?:(?:must|should|need to|have to|usually|always|first|just|also)\s+)*"
    r"(?:(?:remember|make sure|be sure|take care)\s+to\s+)?",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    r"\s*(?:[,;.]\s+|\s)(?:and\s+|und\s+|et\s+|y\s+)?(?:then|afterwards|after that|finally|lastly|next|dann|danach|"
    r"anschließend|schließlich|puis|ensuite|enfin|luego|después|finalmente)\s*,?\s+"
    r"|\s*(?:->|→|=>|⇒)\s*|\s*[;；]\s*|(?<=\w{2}[.!])\s+(?=[A-ZÄÖÜÉ])",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:first|then|finally|lastly|zuerst|dann|danach|puis|enfin|primero|luego)\b|->|→|=>", re.IGNORECASE
)
_OPENING = re.compile(
    r"(?:(?:and|und|et|y)\s+)?(?:(?:first(?: of all)?|then|next|finally|lastly|second(?:ly)?|third(?:ly)?|zuerst|"
    r"zunächst|dann|d'abord|puis|primero|luego)\s*,?\s+)+",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s+(?:(?:and|und|et|y)\s+)?")
_TELLING = """
    the a an this that these those it its they them he she his her their our my your there here who which nobody
    somebody everyone someone es er sie wir ich le la les un une il elle ce el los las
    una ellos because since as although but however so
"""
_STATES = "is are was were has had will would can could may might seems fails happens ist sind war"
_DEEDS = """
    add apply approve archive ask assign attach avoid back backup bump bring build bundle call cancel change check
    choose clean clear clone close commit compare compile confirm copy create deploy describe disable discard do
    document download drain drop dump edit enable ensure export fetch fill find fix flush follow format freeze
    generate get give import increase inform install invalidate keep kill lint link list load lock log look make
    mark merge migrate monitor move note notify open pause pin post prefer prepare prune publish pull push put
    query read rebase rebuild record reload remove rename replace report reproduce rerun reset resolve restart
    restore retry return revert review revoke roll rotate run save scale schedule search send set ship sign skip
    squash start stash stop submit switch sync tag take tell test try turn update upgrade upload use validate
    verify wait warm watch write
"""
# With one of these a trigger reads as it stands.
_OPENERS = re.compile(
    r"(?:before|after|if|once|until|while|during|to|for|on|in|at|wenn|bevor|nachdem|sobald|vor|nach|beim|quand|lorsque|"
    r"avant|après|cuando|antes|después|si)\b"
)
_DENYING = frozenset(("not", "no", "don", "didn", "doesn", "isn", "wasn", "aren"))
_ENDINGS = re.compile(r"(?<=[^\W\d_]{3})(?:ings?|ed|es|e|s)$")
_TOLD = frozenset(_TELLING.split())
_BEING = frozenset(_STATES.split())
_ORDERS = frozenset(_DEEDS.split())


def procedure_of(text: str) -> Procedure | None:
    """The procedure that a pattern tells; None where it gives no trigger or no steps."""
    if len(text) > LONGEST_TEXT:
        return None
    text = text.strip()
    return _checked(_listed(text) or _conditional(_one_line(text)) or _turned(_one_line(text)) or _led(_one_line(text)))


def strength_after(strength: float, times: int = 1) -> float:
    """A procedure's strength when it was met so many times more, at most 1: 0.5 met twice → 0.7."""
    return round(min(1.0, strength + STRENGTH_GAIN * times), 6)


def place_of(procedure: Procedure) -> tuple[tuple[str, ...], int]:
    """Equal for all procedures that can be the same: the stems of the trigger, and how many steps there are."""
    return tuple(_stems(procedure.trigger)), len(procedure.steps)


def is_same(one: Procedure, other: Procedure) -> bool:
    """Whether these differ in words only: "clear the cache, then retry", "clear the cache, then retry it"."""
    if one.key == other.key:
        return True
    return place_of(one) == place_of(other) and all(map(_is_same_step, one.steps, other.steps))


def _is_same_step(one: str, other: str) -> bool:
    first, second = _stems(one), _stems(other)
    # The deed stands first, and with another one it is another step, however much of the rest is alike.
    if first[:1] != second[:1] or len({*first} & {*second}) < ALIKE * max(len({*first}), len({*second})):
        return False
    said, anew = Said.of(one), Said.of(other)
    return said.numbers == anew.numbers and same(said, anew) and same(anew, said)


def _stems(text: str) -> list[str]:
    """The telling words of a text in order, without their endings; denials stay."""
    whole = words(text)
    telling = [word for word in whole if word not in STOP_WORDS or word in _DENYING]
    return [_ENDINGS.sub("", word) for word in telling or whole]


def text_of(procedure: Procedure) -> str:
    """A procedure as it is read: "When deploying the API: 1. Run the tests. 2. Push the tag."."""
    trigger = procedure.trigger
    # A heading ("Release") and a script without small letters read as they stand, too.
    is_bare = trigger[:1].islower() and not _OPENERS.match(trigger)
    steps = (f"{number}. {ended(_raised(step.strip()))}" for number, step in enumerate(procedure.steps, 1))
    return f"{_raised(f'when {trigger}' if is_bare else trigger)}: {' '.join(steps)}"


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def trigger_of(lead: str) -> str:
    """A lead without the words that every trigger has: "Whenever deploying:" → "deploying"."""
    return _WHEN.sub("", lead.strip().rstrip(":：,. "), count=1).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _checked(found: tuple[str, list[str]] | None) -> Procedure | None:
    if found is None:
        return None
    trigger, steps = trigger_of(_one_line(found[0])), [_one_line(step).strip(" ,;") for step in found[1]]
    if not steps or len(steps) > MOST_STEPS or not 2 <= len(trigger) <= _LONGEST_TRIGGER:
        return None
    fits = all(any(sign.isalnum() for sign in step) and len(step) <= _LONGEST_STEP for step in steps)
    return Procedure(trigger, tuple(steps)) if fits else None


def _listed(text: str) -> tuple[str, list[str]] | None:
    """A lead and the items of a list under it, a line each or numbered within one."""
    starts = list(_ITEM.finditer(text))
    if len(starts) < 2:
        starts = []
        for match in _INLINE.finditer(text):
            if int(match[1]) == len(starts) + 1:
                starts.append(match)
    if len(starts) < 2 or not (lead := text[: starts[0].start()].strip()):
        return None
    ends = [*(match.start() for match in starts[1:]), len(text)]
    steps = [text[match.end() : end].strip() for match, end in zip(starts, ends, strict=True)]
    return lead.splitlines()[-1], [step.rstrip(" .,;") for step in steps]


def _conditional(text: str) -> tuple[str, list[str]] | None:
    """ "When …, do this, then that"."""
    match = _CONDITION.match(text)
    if match is None:
        return None
    steps = _steps(text[match.end() :])
    return (match[1], steps) if _is_done(steps) else None


def _turned(text: str) -> tuple[str, list[str]] | None:
    """ "Always do this before that"."""
    match = _TURNED.fullmatch(text.rstrip(" .!"))
    if match is None or _LEAD.match(text) is not None:
        return None
    steps = _steps(match[1])
    return (match[2], steps) if _is_ordered(steps) else None


def _led(text: str) -> tuple[str, list[str]] | None:
    """ "Release: this → that"."""
    match = _LEAD.match(text)
    if match is None or _THEN.search(text, match.end()) is None:
        return None
    steps = _steps(text[match.end() :])
    return (match[1], steps) if len(steps) > 1 and _is_done(steps) else None


def _steps(text: str) -> list[str]:
    """What is to be done, in order, without the words that only say the order or to whom."""
    ordered = _THEN.search(text) is not None
    steps: list[str] = []
    for part in _SEQUENCE.split(text.strip().rstrip(".!")):
        pieces = _rejoined(_COMMA.split(part)) if ordered else [part]
        steps += (bare for piece in pieces if (bare := _bare(piece)))
    return steps


def _bare(piece: str) -> str:
    piece = _OPENING.sub("", piece.strip() + " ", count=1).strip()
    return piece[match.end() :] if (match := _ALWAYS.match(piece)) else piece


def _rejoined(pieces: list[str]) -> list[str]:
    """Pieces between commas, where one that is no step of its own ("with -x, -v") stays with the one before."""
    joined: list[str] = []
    for piece in pieces:
        first = piece.split(maxsplit=1)[:1]
        alone = (len(piece.split()) > 1 and first[0][:1].isalpha()) or _OPENING.match(piece + " ")
        if joined and not alone and not _is_order(piece):
            joined[-1] += ", " + piece
        else:
            joined.append(piece)
    return joined


def _is_order(step: str) -> bool:
    words = step.lower().split(maxsplit=2)
    if words[:1] in (["don't"], ["never"]) or words[:2] == ["do", "not"]:
        return True
    return bool(words) and words[0].strip("`*_\"'") in _ORDERS


def _is_ordered(steps: list[str]) -> bool:
    return bool(steps) and all(map(_is_order, steps))


def _is_done(steps: list[str]) -> bool:
    """Whether these are deeds: one that is an order, or several of which none tells what somebody or something does."""
    if len(steps) < 2:
        return _is_ordered(steps)
    return not any(_tells(step) for step in steps)


def _tells(step: str) -> bool:
    words = step.lower().split()
    return words[0] in _TOLD or (not _is_order(step) and not _BEING.isdisjoint(words[1:3]))
