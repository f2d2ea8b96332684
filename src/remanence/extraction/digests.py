"""A long answer in a few words: what was asked, then the heads of its lists, or its most telling sentences.

"Korean BBQ dishes that are easy to make in large quantities: Bulgogi; Galbi; Dak Galbi." A head is the bold beginning
of an item, what stands before its colon, or its first words. Telling is what holds names, numbers and terms, counted
per sign. The digest is for finding the answer again, and is never longer than it may be.
"""

from __future__ import annotations

import re

from remanence.extraction.chatter import is_question, says_nothing, without_openers
from remanence.extraction.language import language_of
from remanence.extraction.markup import unmarked
from remanence.extraction.patterns import pattern
from remanence.extraction.sentences import sentences
from remanence.extraction.signals import is_request, is_working_talk

LONGEST_ASK = 200
LONGEST_HEAD = 80
_LEAST_HEADS = 2
_FENCE = pattern(r"```.*?(?:```|\Z)", re.DOTALL)
_ITEM = pattern(r"(?m)^[ \t>]*(?:\d{1,3}[.)]|[-*•+–])[ \t]+(\S.*)$")
_ROW = pattern(r"(?m)^[ \t]*\|(.+)\|[ \t]*$")
_BOLD = pattern(r"(?:\*\*|__)(.{2,100}?)(?:\*\*|__)")
_BEFORE_COLON = pattern(r"([^:：\n]{2,80}?)\s*(?:[:：]\s|[:：]$|\s[–—-]\s)")
_SPECIFIC = pattern(r"\d[\d.,:%/-]*|(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]+|`[^`\n]+`|\"[^\"\n]{2,60}\"|“[^”\n]{2,60}”")
_ASKING = pattern(
    r"(?:(?:hi|hello|hey|thanks|thank you|great|ok(?:ay)?|so|also|and|but|now|by the way|actually|sure|yes|no)"
    r"[,.!:; ]+)*(?:(?:please|can you|could you|would you|will you|do you|i(?:'d| would) like you to|i want you to|"
    r"i need you to)\s+)*"
    r"(?:(?:please\s+)?(?:tell|give|show|help|suggest|recommend|explain|provide|walk)\s+(?:me|us|to me|with)?\s*"
    r"(?:through|about|with|on|some|more about|more on|again)?\s*)?(?:know\s+)?(?:if|whether)?\s*",
    re.IGNORECASE,
)


def asks_of(turn: str) -> list[str]:
    """What a user asks for in a turn, a sentence each; the first sentence where nothing is."""
    text = unmarked(_FENCE.sub(" ", turn[:20_000]))
    lexicon = language_of(text)
    said = (one for one in sentences(text, lexicon) if not says_nothing(one, lexicon))
    found = [bare for one in said if (bare := without_openers(one, lexicon).strip())]
    asked = [one for one in found if is_question(one) or is_request(one)]
    return [cut(one, LONGEST_ASK) for one in asked or found[:1]]


def topic_of(ask: str) -> str:
    """A request without the words that only ask: "Can you suggest some dishes?" → "some dishes"."""
    match = _ASKING.match(ask)
    rest = ask[match.end() :] if match else ask
    rest = rest.strip(" ?？!.,:;") or ask.strip(" ?？!.,:;")
    return rest[:1].upper() + rest[1:]


def digest(ask: str, answer: str, most: int) -> str:
    """The answer to this in at most so many characters; "" where it tells nothing."""
    text = _FENCE.sub(" ", answer)
    found = heads(text)
    told = found if len(found) >= _LEAST_HEADS else []
    opening = f"{cut(topic_of(ask), LONGEST_ASK)}: " if ask else ""
    room = most - len(opening)
    kept: list[str] = []
    for one in (*told, *_telling(text, told)):
        if len(one) + 2 <= room:
            kept.append(one)
            room -= len(one) + 2
        elif not kept and room > 40:
            kept.append(cut(one, room))
            break
    return opening + "; ".join(kept) if kept else ""


def heads(text: str) -> list[str]:
    """The heads of a text's list items and table rows, each once."""
    found = [_head(match[1]) for match in _ITEM.finditer(text)]
    found += [cells for match in _ROW.finditer(text) if (cells := _row(match[1]))]
    kept = {one.lower(): one for one in reversed(found) if len(one) > 1 and any(sign.isalnum() for sign in one)}
    return list(reversed(kept.values()))


def _head(item: str) -> str:
    bold = _BOLD.match(item.lstrip("[( "))
    if bold is not None:
        return unmarked(bold[1]).strip(" :：.-–—")
    plain = unmarked(item)
    match = _BEFORE_COLON.match(plain)
    return cut(match[1].strip() if match else plain, LONGEST_HEAD)


def _row(cells: str) -> str:
    plain = [unmarked(cell).strip() for cell in cells.split("|")]
    if all(re.fullmatch(r":?-*:?", cell) for cell in plain):
        return ""
    return cut(" ".join(cell for cell in plain if cell), 2 * LONGEST_HEAD)


def _telling(text: str, told: list[str]) -> list[str]:
    """The sentences outside of its lists that hold the most names, numbers and terms a sign, best first."""
    prose = _ROW.sub(" ", _ITEM.sub(" ", text)) if told else text
    lexicon = language_of(prose[:2_000])
    found: list[tuple[float, int, str]] = []
    for place, one in enumerate(sentences(unmarked(prose), lexicon)):
        if len(one) < 20 or says_nothing(one, lexicon) or is_question(one) or is_working_talk(one):
            continue
        score = len(_SPECIFIC.findall(one)) / (20 + len(one))
        if score > 0:
            found.append((-score, place, cut(one, 300)))
    return [one for _, _, one in sorted(found)]


def cut(text: str, longest: int) -> str:
    """The beginning of a text, up to the end of a word where there is one."""
    if len(text) <= longest:
        return text
    head = text[: longest - 1]
    return (head.rpartition(" ")[0] if " " in head[longest // 2 :] else head).rstrip(" ,;:") + "…"
