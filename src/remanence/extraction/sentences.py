"""A paragraph into sentences: at . ! ? … and their full-width forms, with the quotes and brackets that close there.

A dot ends no sentence after an abbreviation, an initial or an ordinal, nor inside a number, version, path or address:
those are not followed by a blank. Inside brackets nothing ends.
"""

from __future__ import annotations

import re

from remanence.extraction.doubts import is_doubt
from remanence.extraction.lexicon import Lexicon
from remanence.extraction.patterns import pattern

_END = pattern(r"[.!?…]+[\"'”’»)\]*_`]*(?=\s|$)|(?:[。！？]|(?<=[\u3040-\u9fff])[!?])+[」』”）)]*|…(?=[A-Z])")
_BEFORE = pattern(r"(\S{1,24})$")
_INITIAL = pattern(r"(?:^|[\s(.])[A-ZÄÖÜÉ]$")
_DOTTED = pattern(r"(?:^|[\s(])\w(?:\.\s?\w){1,3}$")  # "p.a", "z. B", "d. h"
_LETTER_AFTER = pattern(r"\s\w\.")
_MEASURE = pattern(r"\d[.,\d]* [a-z]{1,5}$")
_DIGIT_AFTER = pattern(r"\s+\d")
_ORDINAL = pattern(r"(?:^|[\s(])\d{1,2}$")
_MONTH_AFTER = pattern(
    r"\s*(?:jan|feb|mär|mar|apr|mai|jun|jul|aug|sep|okt|oct|nov|dez|dec|quartal|klasse|etage|stock|version|auflage|"
    r"platz|live)",
    re.IGNORECASE,
)
_LOWER_AFTER = pattern(r"\s+[\"'(“„«]?[a-zäöüßéèàçñ]")
_PLAIN_WORD = pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)?,?$")
_OPENING = "([{（［【「『“«"
_CLOSING = ")]}）］】」』”»"
_LONGEST_BRACKET = 400


def sentences(text: str, lexicon: Lexicon) -> list[str]:
    """The sentences in order, white space folded."""
    found: list[str] = []
    start = 0
    brackets = _bracketed(text) if any(sign in text for sign in _OPENING) else []
    place = 0
    for match in _END.finditer(text):
        end = match.end()
        while place < len(brackets) and brackets[place][1] <= match.start():
            place += 1
        if place < len(brackets) and brackets[place][0] < match.start() and end < brackets[place][1]:
            continue
        if match.group()[0] in "?!" and match.group()[-1] in '"”»“' and _LOWER_AFTER.match(text, end):
            continue  # "Who knows?" one of them joked
        if match.group().startswith(".") and _goes_on(text, start, match, lexicon):
            continue
        _add(found, text[start:end])
        start = end
    _add(found, text[start:])
    return found


def as_sentence(carried: str, tokens: list[str], ending: str) -> str:
    """A clause as a sentence: with what it was given, its full stop and its capital."""
    text = " ".join([carried, *tokens] if carried else tokens).rstrip(",;—–- ")
    if ending and text and not text.endswith((".", "!", "?")):
        text += ending
    if ending and _PLAIN_WORD.match(text.split(" ", 1)[0]):
        text = text[:1].upper() + text[1:]
    return text


def _add(found: list[str], text: str) -> None:
    """One more sentence; one in brackets, or that only doubts, belongs to the sentence before."""
    piece = " ".join(text.split())
    bracketed = piece.startswith("(") and piece.endswith((")", ").")) and piece.count("(") == 1
    if found and (bracketed or (is_doubt(piece) and not found[-1].endswith(("?", ":")))):
        found[-1] = f"{found[-1]} {piece}"
    elif piece:
        found.append(piece)


def _bracketed(text: str) -> list[tuple[int, int]]:
    """Outermost brackets that close within reach, in order."""
    spans: list[tuple[int, int]] = []
    depth, start = 0, 0
    for place, sign in enumerate(text):
        if sign in _OPENING:
            if depth == 0 or place - start > _LONGEST_BRACKET:
                depth, start = 0, place
            depth += 1
        elif sign in _CLOSING and depth:
            depth -= 1
            if depth == 0 and place - start <= _LONGEST_BRACKET:
                spans.append((start, place + 1))
    return spans


def _goes_on(text: str, start: int, match: re.Match[str], lexicon: Lexicon) -> bool:
    if match.end() == len(text):
        return False
    goes_low = _LOWER_AFTER.match(text, match.end()) is not None
    if match.group().startswith("...") or (goes_low and match.group()[-1] in _CLOSING):
        return goes_low
    if len(match.group()) > 1 and match.group() not in {".)", '."', ".”", ".»", ".*", ".**", ".`", ".'", ".’", ".]"}:
        return False
    before = text[max(start, match.start() - 24) : match.start()]
    word = _BEFORE.search(before)
    if word is None:
        return False
    last = word.group(1).lower().lstrip("(\"'“„«[*_")
    if last == "no":
        return text[match.end() :][:2].strip().isdigit()
    if last in lexicon.abbreviations and _MEASURE.search(before) and _LOWER_AFTER.match(text, match.end()) is None:
        return _DIGIT_AFTER.match(text, match.end()) is not None  # "in 300 ms. The" ends, "on 5 Jan. 2019" does not
    if last in lexicon.abbreviations:
        return (
            last not in {"etc", "usw", "inc", "u.s", "p.m", "a.m", "d.c", "co"}
            or _LOWER_AFTER.match(text, match.end()) is not None
        )
    if len(last) == 1 and last.isalpha() and _LETTER_AFTER.match(text, match.end()):
        return True
    if before[-1:].islower() and _DOTTED.search(before):
        return _LOWER_AFTER.match(text, match.end()) is not None or lexicon.name == "de"
    if _INITIAL.search(before):
        # "Washington, D.C. in" goes on; "vitamin C. She" hardly ever occurs beside "J. Smith".
        return True
    if _ORDINAL.search(before) and lexicon.name in {"de", "other"}:
        return _MONTH_AFTER.match(text, match.end()) is not None or _LOWER_AFTER.match(text, match.end()) is not None
    if lexicon.name == "de" and re.search(r"\d\.\d{1,2}$", before):
        return _LOWER_AFTER.match(text, match.end()) is not None
    return text[start : match.start()].strip().isdigit()  # the number of a list item
