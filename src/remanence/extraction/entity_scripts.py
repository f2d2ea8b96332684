"""Names in Chinese, Japanese and Arabic prose, where no capital letter shows them. Precision comes first.

A Chinese person is a surname with one or two characters between words that stand beside people, or a surname with
a title; a Japanese one is what stands before an honorific; an Arabic one follows a title or begins with a first name.
Places and companies are those of a list, or follow a word such as 株式会社. What is no name but looks like one (高兴,
仕様) is known by lists too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.extraction import entity_script_words as words
from remanence.extraction.patterns import pattern

_HAN = "一-鿿々"
_KANA = pattern(r"[ぁ-ヿ]")
_NO_TONGUE = "(?![语語人])"  # 日本語 is a language
_CHINESE_PLACE = pattern(f"(?:{'|'.join(sorted(words.CHINESE_NAMES, key=len, reverse=True))}){_NO_TONGUE}")
_SURNAME = f"(?:{'|'.join(sorted(words.DOUBLE_SURNAMES))}|[{words.SURNAMES}])"
_AFTER = "|".join(sorted(words.AFTER_PEOPLE, key=len, reverse=True))
_BEFORE = "".join(f"|(?<={before})" for before in sorted(words.BEFORE_PEOPLE))
_TITLES = "|".join(sorted(words.CHINESE_TITLES, key=len, reverse=True))
_BORDER = rf"(?:(?<![{_HAN}]){_BEFORE})"
_CHINESE_PERSON = pattern(rf"{_BORDER}({_SURNAME}[{_HAN}]{{1,2}}?)(?=[^{_HAN}]|$|{_AFTER}|{_TITLES})")
_CHINESE_TITLED = pattern(rf"{_BORDER}([小老]{_SURNAME}|{_SURNAME}(?:{_TITLES}))(?=[^{_HAN}]|$|{_AFTER})")
_JAPANESE_PERSON = pattern(
    rf"(?<![{_HAN}ァ-ヶー])([{_HAN}]{{1,4}}|[ァ-ヶー・]{{2,16}})(さん|くん|ちゃん|氏|様|君|先生|部長|課長|社長|教授)"
    rf"(?![{_HAN}])"
)
_JAPANESE_COMPANY = pattern(rf"株式会社([{_HAN}ァ-ヶーA-Za-z]{{2,16}})|([{_HAN}ァ-ヶーA-Za-z]{{2,16}})株式会社")
_JAPANESE_PLACE = pattern(f"(?:{'|'.join(sorted(words.JAPANESE_NAMES, key=len, reverse=True))}){_NO_TONGUE}")
_ARABIC_WORD = pattern(r"[ء-ي]+")
_ARABIC_FAMILY = pattern(r" (ال[ء-ي]{3,}|(?:بن|ابن|أبو|آل) [ء-ي]{3,})(?![ء-ي])")
_OF_A_COMPANY = "شركة "


def script_names(text: str) -> Iterator[str]:
    """The names of a text that holds Han, Kana or Arabic letters."""
    if _KANA.search(text):
        yield from _japanese(text)
    elif re.search(f"[{_HAN}]", text):
        yield from _chinese(text)
    if re.search("[ء-ي]", text):
        yield from _arabic(text)


def _chinese(text: str) -> Iterator[str]:
    for match in _CHINESE_TITLED.finditer(text):
        yield match.group(1)
    for match in _CHINESE_PERSON.finditer(text):
        name = match.group(1)
        if name not in words.NO_CHINESE_PEOPLE and name[:2] not in words.NO_CHINESE_PEOPLE:
            yield name
    yield from (match.group() for match in _CHINESE_PLACE.finditer(text))


def _japanese(text: str) -> Iterator[str]:
    for match in _JAPANESE_PERSON.finditer(text):
        name = match.group(1)
        if name not in words.NO_JAPANESE_PEOPLE and not name.endswith(words.NO_JAPANESE_ENDINGS):
            yield name
    for match in _JAPANESE_COMPANY.finditer(text):
        yield match.group(1) or match.group(2)
    yield from (match.group() for match in _JAPANESE_PLACE.finditer(text))


def _arabic(text: str) -> Iterator[str]:
    titled = False
    for match in _ARABIC_WORD.finditer(text):
        word = match.group()
        family = _ARABIC_FAMILY.match(text, match.end())
        last = family.group() if family and family.group(1) not in words.ARABIC_COMMON else ""
        known = word in words.ARABIC_FIRST_NAMES and (bool(last) or word not in words.ARABIC_DOUBTFUL)
        if known or (titled and len(word) > 2):
            yield word + last
        elif word in words.ARABIC_PLACES or _is_company(text, match.start(), word):
            yield word
        titled = word in words.ARABIC_TITLES and text[match.end() : match.end() + 1] == " "


def _is_company(text: str, start: int, word: str) -> bool:
    """What stands behind the word for a company, unless it is an adjective (a large company)."""
    if not text.startswith(_OF_A_COMPANY, max(0, start - len(_OF_A_COMPANY))) or start < len(_OF_A_COMPANY):
        return False
    return not word.startswith("ال") and not word.endswith("ة") and word not in words.ARABIC_COMMON
