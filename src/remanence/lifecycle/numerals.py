"""The numbers of a text, and its days and months, each in one spelling, so that texts can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.model.words import tokens_of

_DAYS_AND_MONTHS = """
    monday mon mondays montag lundi lunes 星期一 周一 月曜日
    tuesday tue tues tuesdays dienstag mardi martes 星期二 周二 火曜日
    wednesday wed wednesdays mittwoch mercredi miércoles 星期三 周三 水曜日
    thursday thu thurs thursdays donnerstag jeudi jueves 星期四 周四 木曜日
    friday fri fridays freitag vendredi viernes 星期五 周五 金曜日
    saturday saturdays samstag samedi sábado 星期六 周六 土曜日
    sunday sundays sonntag dimanche domingo 星期日 星期天 周日 日曜日
    january januar janvier enero
    february februar février febrero
    march märz mars marzo
    april avril abril
    may mai mayo
    june juni juin junio
    july juli juillet julio
    august août agosto
    september septembre septiembre
    october oktober octobre octubre
    november novembre noviembre
    december dezember décembre diciembre
"""
_CALENDAR = {name: line.split()[0] for line in _DAYS_AND_MONTHS.strip().splitlines() for name in line.split()}
_ALSO_WORDS = ("march", "mars", "may", "mai", "mon", "wed", "fri", "tue", "thu")
"""Words of their own: they date something only beside a number, or after "on"."""
_UNSPACED = "|".join(name for name in _CALENDAR if name[-1] in "一二三四五六日天")
_PLAINLY = "|".join(name for name in _CALENDAR if name not in (*_ALSO_WORDS, *_UNSPACED.split("|")))
_BESIDE = "|".join(_ALSO_WORDS)
_CALENDAR_WORD = re.compile(
    rf"\b({_PLAINLY})\b|({_UNSPACED})|(?:\d(?:st|nd|rd|th|\.)?(?: of)?|\bon|\bin|\bam) ({_BESIDE})\b"
    rf"|\b({_BESIDE})\.? \d"
)

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SPELLED = {
    **{word: float(value) for value, word in enumerate(_UNITS + _TEENS)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, start=2)},
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6}

# Number words of other languages, as `tokens_of` folds them, a line for each number. What is an everyday word of
# another language is left out (Italian "due", Spanish "once", Portuguese "doze", French "sept").
_ELSEWHERE_WORDS = """
    2 twice zwei deux dos dois duas twee två два две
    3 thrice drei trois tres tre três drie три
    4 vier quatre cuatro quattro quatro fyra четыре
    5 fünf cinq cinco cinque vijf fem пять
    6 sechs seis zes шесть
    7 sieben siete sette sete zeven sju syv семь
    8 acht huit ocho otto oito åtta восемь
    9 neun neuf nueve nove negen девять
    10 zehn dix diez dieci dez tien tio десять
    11 elf onze undici elva одиннадцать
    12 zwölf douze doce dodici twaalf tolv двенадцать
    13 dreizehn treize trece tredici treze dertien тринадцать
    14 vierzehn quatorze catorce quattordici veertien четырнадцать
    15 fünfzehn quinze quince quindici vijftien femton пятнадцать
    16 sechzehn sedici zestien шестнадцать
    17 siebzehn семнадцать
    18 achtzehn восемнадцать
    19 neunzehn девятнадцать
    20 zwanzig vingt veinte venti vinte twintig tjugo двадцать
    30 dreissig trente treinta trenta trinta dertig тридцать
    40 vierzig quarante cuarenta quaranta quarenta veertig сорок
    50 fünfzig cinquante cincuenta cinquanta cinquenta vijftig пятьдесят
    60 sechzig soixante sesenta sessanta sessenta zestig шестьдесят
    70 siebzig setenta settanta zeventig семьдесят
    80 achtzig ochenta ottanta oitenta tachtig восемьдесят
    90 neunzig noventa novanta negentig девяносто
"""
_ELSEWHERE = {word: value for value, *names in map(str.split, _ELSEWHERE_WORDS.strip().splitlines()) for word in names}
_NAMES_TOO = frozenset(("dos", "elf", "otto"))  # numbers where they are written small: not DOS, ELF and Otto
# Chinese and Japanese numbers before what they count; a lone 一 is far more often an article, 十分 an adverb.
_UNSPACED_VALUES = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_UNSPACED_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8}
_COUNTED = "个個名人位天日月年周週小时時分秒点點次回台本枚件条條层層階円元"
_COUNTED += "块塊张張米公里度倍种種岁歳间間ヶか項项套只隻匹頭头杯份"
_DIGIT_SIGNS = "〇一二三四五六七八九两兩十百千万萬亿億"
_UNSPACED_NUMBER = re.compile(
    rf"(?<![{_DIGIT_SIGNS}])(?!一[{_COUNTED}]|十分(?![钟鐘间]))([{_DIGIT_SIGNS}]{{1,16}}+)(?=[{_COUNTED}])"
)

# A date, a time, a version or a range is one number: 2024-01-02, 12:30, 3.11.4, 3-5.
_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:[.:/-]\d+)*"
_SPELLED_WORD = rf"(?:{'|'.join([*_SPELLED, *_SCALES])})"
_PHRASE = re.compile(rf"(?:{_NUMERAL}|\b{_SPELLED_WORD}\b)(?:[\s-]+(?:and\s+)?{_SPELLED_WORD}\b)*")
_DIGITS = re.compile(_NUMERAL)
_PART = re.compile(rf"{_NUMERAL}|\b{_SPELLED_WORD}\b")
_SPELLED_ROOTS = tuple(dict.fromkeys(word.removesuffix("teen").removesuffix("ty") for word in (*_SPELLED, *_SCALES)))
_DIGIT = re.compile(r"\d")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def numbers(text: str) -> Iterator[str]:
    """Every number of a text in one spelling: "1,000", "1000" and "one thousand" are "1000".

    Days of the week and months are numbers too: "Fri" and "Friday" are "friday", "March 3" is "march" and "3".
    """
    for word in tokens_of(text) & _ELSEWHERE.keys():
        if word not in _NAMES_TOO or word in text.split():
            yield _ELSEWHERE[word]
    text = text.lower()
    yield from _calendar(text)
    if not text.isascii():
        yield from map(_counted, _UNSPACED_NUMBER.findall(text))
    if not any(root in text for root in _SPELLED_ROOTS):  # the long pattern takes ten times as long
        for match in _DIGITS.finditer(text):
            yield _sign(text, match.start()) + _numeral(match[0])
        return
    for phrase in _PHRASE.finditer(text):
        parts = _PART.findall(phrase[0])
        if parts == ["one"]:  # far more often a pronoun
            continue
        if parts[0][0].isdigit():
            numeral = _numeral(parts[0])
            if len(parts) == 1 or parts[1] not in _SCALES or not _PLAIN.fullmatch(numeral):
                yield _sign(text, phrase.start()) + numeral
                parts = parts[1:]
        yield from _spelled(parts)


def _calendar(text: str) -> Iterator[str]:
    if text.isascii() and tokens_of(text).isdisjoint(_CALENDAR):
        return
    for match in _CALENDAR_WORD.finditer(text):
        yield _CALENDAR[match[1] or match[2] or match[3] or match[4]]


def _sign(text: str, start: int) -> str:
    """A minus that stands at a number and not between two: -12, but not 3-12."""
    is_signed = start and text[start - 1] in "-−" and (start == 1 or text[start - 2] in " \n\t(=:")
    return "-" if is_signed else ""


def _counted(signs: str) -> str:
    """The value of a Chinese number: 三百二十 → 320, 两万 → 20000, 二〇二六 → 2026."""
    if not any(sign in _UNSPACED_SCALES for sign in signs):
        return str(int("".join(str(_UNSPACED_VALUES[sign]) for sign in signs)))
    total = group = digit = 0
    for sign in signs:
        scale = _UNSPACED_SCALES.get(sign)
        if scale is None:
            digit = _UNSPACED_VALUES[sign]
        elif scale < 10_000:
            group, digit = group + (digit or 1) * scale, 0
        else:
            total, group, digit = total + ((group + digit) or 1) * scale, 0, 0
    return str(total + group + digit)


def _numeral(digits: str) -> str:
    ascii_ = digits if digits.isascii() else _DIGIT.sub(lambda digit: str(int(digit[0])), digits)
    numeral = ascii_.replace(",", "")
    if not _PLAIN.fullmatch(numeral):
        return numeral
    whole, _, rest = numeral.partition(".")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{rest}" if rest.strip("0") else whole


def _spelled(parts: list[str]) -> Iterator[str]:
    """The values of adjacent number words: two, hundred, fifty → 250; two, three → 2 and 3."""
    terms: list[float] = []
    for part in parts:
        scale = _SCALES.get(part)
        if scale is None:
            terms.append(_SPELLED[part] if part in _SPELLED else float(_numeral(part)))
            continue
        group = 0.0
        while terms and terms[-1] < scale:
            group += terms.pop()
        terms.append((group or 1.0) * scale)
    total = 0.0
    for term in terms:
        if total and (term == 0 or total % 10 ** len(str(int(term)))):
            yield f"{total:.15g}"
            total = 0.0
        total += term
    if terms:
        yield f"{total:.15g}"
