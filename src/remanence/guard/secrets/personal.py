"""Personal data, taken out only where asked for: e-mail addresses, telephone numbers, numbers of payment cards."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from remanence.guard.secrets.lazy import lazy

PERSONAL = ("email", "phone", "card")
_EMAIL = lazy(r"(?<![\w.+-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-zA-Z\u00a1-\uffff]{2,24}(?![\w-])")
_PHONE = lazy(r"(?<![\w.+/-])(?:\+|00)?\(?\d(?:[\d()./ \u00a0-]{5,22})\d(?![\w-]|[.,:]\d)")
_CARD = lazy(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])")
_DATE = lazy(r"\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4}")


def personal_data(text: str, kinds: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of each."""
    if "email" in kinds and "@" in text:
        for match in _EMAIL.finditer(text):
            yield "email", *match.span()
    if "card" in kinds:
        for match in _CARD.finditer(text):
            digits = [int(c) for c in match[0] if c.isdigit()]
            if digits[0] in (2, 3, 4, 5, 6) and len(set(digits)) > 1 and _luhn(digits):
                yield "card", *match.span()
    if "phone" in kinds:
        for match in _PHONE.finditer(text):
            if _telephone(match[0], text[max(0, match.start() - 24) : match.start()].lower()):
                yield "phone", *match.span()


def _luhn(digits: list[int]) -> bool:
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def _telephone(number: str, before: str) -> bool:
    digits = sum(c.isdigit() for c in number)
    if not 7 <= digits <= 15 or _DATE.match(number) or "isbn" in before:
        return False
    if number.startswith(("+", "00", "(")):
        return True
    groups = len(re.findall(r"\d+", number))
    called = re.search(
        r"(?:call|phone|tel|mobile|cell|fax|ring|whatsapp|sms|text|telefon|handy|anruf\w*|teléfono|móvil|portable|电话|手机|電話)\W{0,3}(?:\w+\W{1,3}){0,3}$",
        before,
    )
    return (
        bool(called)
        or (number[0] == "0" and digits >= 9 and groups > 1)
        or bool(re.match(r"\d{3}[-. ]\d{3}[-. ]\d{4}$", number))
    )
