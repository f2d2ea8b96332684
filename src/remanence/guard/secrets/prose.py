"""Secrets told without the word for them: "login with admin / x", PINs, codes of doors, seeds, recovery phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import harmless, plain_word, random_looking, remark, said, wordy
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.reading import bare_end, ends_here, holds_one, value_at

_PAIR_STEMS = ("log", "sign", "cred", "zugangsdaten", "identifiant", "account", "auth", "user", "ssh", "ftp")
_ACCOUNT = lazy(
    r"(?:log(?:ged|ging|s)?[ -]?(?:into|in|on)|sign(?:ed|ing|s)?[ -]?in|creds?|credentials?|zugangsdaten|identifiants?"
    r"|credenciales|account|auth|user(?:name)?|ssh|ftp)(?![a-z]|-[a-z0-9])"
)
_PAIR = lazy(r"(?<=[\s:('\"`])([a-z0-9][\w.@+-]{1,60})(?P<sign>\s?/\s?|:|\s?\|\s|,? and |,? with (?:the )?)(?=\S)")
_PAIR_WITHIN = 90
_TO_ENTER = lazy(
    r"(?<![a-z])(?:use|type|enter|try) [\"'`]?(?P<v>[^\s\"'`]{5,80})[\"'`]? to (?:log ?in|log into|sign ?in"
    r"|sign into|unlock|decrypt)\b"
)
_HOST = lazy(r"[a-z]+-?\d{1,2}$")
_WELL_KNOWN = lazy(
    r"(?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy|jenkins|ec2-user)(?P<sign>\s/\s)(?=\S{4})"
)
_USER_THEN = lazy(
    r"(?:user(?:name)?|login|account|id)[ :=]{1,3}(?P<user>[\w.@+-]{2,60})[,;/ ]{1,3}(?:and |with |& )?(?:the "
    r"|a |his |her )?"
    r"(?P<word>password|passwd|pass|pw|pwd|secret|key)[ :=]{1,3}(?P<v>[^\s,;\"']{3,80})"
)
_CODE_STEMS = ("pin", "code", "puk", "otp", "combination", "combo", "验证码", "驗證碼")
_WHERE = r"(?:[ ,(]{1,2}(?:for|of|on|to|at|in|from|für|vom|de|du|der|del|i|we)\b[^.!?\n=;]{0,50}?)?"
_CODE = lazy(
    r"(?P<word>pin[ -]?(?:code|number|nummer)|pin[码碼]|pin|passcode|code|puk|otp|combination|combo|验证码|驗證碼)s?"
    r"(?![a-z])"
    rf"{_WHERE}(?P<verb>\s?(?:is|was|=|:|ist|lautet|est|es|é|è|是|为|は|to|->)\s?(?:now |still |currently )?|\s?)"
    r"[\"'`]?"
    r"(?P<v>\d{4,10}[#*]?|\d{1,3}(?:[- ]\d{1,3}){1,4})(?![\w.,:/]?\d|[%\w]|-[\d\w]|\s?(?:days?|times|characters"
    r"|people|users|error|x)\b)"
)
_CODE_OF_TEXT = """
    door gate alarm access entry lock locker safe garage security unlock verification confirmation sms 2fa mfa
    otp one-time login backup recovery disarm keypad vault sim house building elevator lift lobby lockbox
    authenticator auth authentication authorization activation tür tor time front bank card atm phone reset
    factor entrance
"""
_CODE_OF = tuple(_CODE_OF_TEXT.split())
_PIN_OF = (
    "voicemail ",
    "alarm ",
    "door ",
    "bank ",
    "card ",
    "atm ",
    "sim ",
    "phone ",
    "debit ",
    "credit ",
    "card's ",
    "phone's ",
)
_SEED_STEMS = ("otp", "2fa", "mfa", "factor", "authenticator")
_SEED = lazy(
    r"(?:otp|2fa|mfa|two[- ]factor|authenticator)(?:[ _-](?:setup|auth))?[ _-]?(?:secret|seed|key|code"
    r"|token)?s?(?:[ _-]?(?:key|seed))?"
    rf"{_WHERE}(?:\s?(?:is|was|=|:)\s?|\s)[\"'`]?(?P<v>[a-z2-7]{{4}}(?:[ -]?[a-z2-7]{{4}}){{2,15}}=*)(?!\w)"
)
_PHRASE_STEMS = ("phrase", "mnemonic", "seed words", "recovery words", "助记词")
_PHRASE = lazy(
    rf"(?:phrase|mnemonic|seed words|recovery words|助记词){_WHERE}"
    r"(?:\s{0,2}(?:is|was|=|:|are|是)\s{0,3}|\s)[\"'`“]?"
    r"(?P<v>[a-z]{3,12}(?:[ ,]{1,2}[a-z]{3,12}){3,24})(?![a-z])"
)
_PHRASE_OF = ("seed", "recovery", "backup", "mnemonic", "secret", "wallet", "pass", "ss")
_RECOVERY_STEMS = ("recovery", "backup", "scratch", "emergency")
_RECOVERY = lazy(
    rf"(?:recovery|backup|scratch|emergency)[ -]?(?:codes?|keys?){_WHERE}(?:\s{{0,2}}(?:is|was|=|:"
    rf"|are)\s{{0,3}}|\s)[\"'`]?"
    r"(?P<v>(?=[a-z-]{0,12}\d)[a-z0-9]{3,12}(?:-[a-z0-9]{3,12}){0,8}(?:[, \n]{1,3}"
    r"(?=[a-z-]{0,12}\d)[a-z0-9]{3,12}(?:-[a-z0-9]{3,12}){0,8}){0,19})(?![\w-])"
)
# A recovery phrase is of names and verbs; these bind sentences.
_BINDING_TEXT = """
    the and that with this not for are was has had have from you must should will your when never keep written
    stored kept paper into them they then than but
"""
_BINDING = frozenset(_BINDING_TEXT.split())
_SIGN = lazy(r"[!#$%^&*+=~@]")
_DIGITS = lazy(r"\d+")


def pairs(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of the second of "login admin / x"."""
    if " / " in low:
        for match in _WELL_KNOWN.finditer(low):
            start, end, _ = value_at(text, match.end())
            if said(text[start:end], True) and not _within(low, match.start()) and not text[start:end].isdigit():
                yield "password", start, end
    if not holds_one(low, _PAIR_STEMS):
        return
    for match in _TO_ENTER.finditer(low):
        start, end = match.start("v"), bare_end(text, match.start("v"), match.end("v"))
        if said(text[start:end], True) and not text[start:end].isdigit() and not _HOST.match(match["v"]):
            yield "password", start, end
    passed = 0
    for account in _ACCOUNT.finditer(low):
        if _within(low, account.start()) or "://" in low[max(0, account.start() - 24) : account.end() + 2]:
            continue
        begins = max(passed, account.end())
        passed = account.end() + _PAIR_WITHIN
        line = low.find("\n", begins, passed)
        for match in _PAIR.finditer(low, begins, line if line > 0 else passed):
            start, end, _ = value_at(text, match.end())
            if _is_second(text, match, start, end):
                yield "password", start, end
    if "user" in low or "login" in low or "account" in low or "id" in low:
        for match in _USER_THEN.finditer(low):
            start = match.start("v")
            end = bare_end(text, start, match.end("v"))
            if _within(low, match.start()) or remark(match["user"]):
                continue
            plain = match["word"][0] == "p" and plain_word(text[start:end], 4) and ends_here(text, end)
            if plain or (said(text[start:end], True) and not text[start:end].isdigit()):
                yield "password", start, end


def _is_second(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Is what comes after a user's name and a sign a password?"""
    value, sign = text[start:end], match["sign"].strip(" ,")
    if value.isdigit() or value.startswith("//") or (sign == ":" and harmless(value)) or not said(value, True):
        return False
    if match["sign"] == "/" and ("/" in value or text[match.start(1) - 1] in "/."):
        return False
    if sign.startswith(("and", "with")) and (wordy(value) or random_looking(match[1], 6)) and not _SIGN.search(value):
        return False
    return not random_looking(match[1], 16) and _DIGITS.sub("", match[1]) != _DIGITS.sub("", value.lower())


def codes(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of PINs, codes of doors, seeds, recovery codes and phrases."""
    if holds_one(low, _CODE_STEMS):
        for match in _CODE.finditer(low):
            if _opens(text, low, match):
                yield "pin", *match.span("v")
    if holds_one(low, _SEED_STEMS):
        for match in _SEED.finditer(low):
            value = text[slice(*match.span("v"))]
            if not value.isdigit() and len(value) >= 14 and (value.upper() == value or _DIGITS.search(value)):
                yield "otp-seed", *match.span("v")
    if holds_one(low, _PHRASE_STEMS):
        for match in _PHRASE.finditer(low):
            words = match["v"].replace(",", " ").split()
            announced = low.endswith(_PHRASE_OF, max(0, match.start() - 10), _before(low, match.start()))
            if (announced or match[0][0] != "p") and _BINDING.isdisjoint(words) and len(words) <= 25:
                yield "recovery-phrase", *match.span("v")
    if holds_one(low, _RECOVERY_STEMS):
        for match in _RECOVERY.finditer(low):
            if len(match["v"]) >= 6 and not harmless(match["v"]):
                yield "recovery-code", *match.span("v")


def _opens(text: str, low: str, match: re.Match[str]) -> bool:
    """Is it a code that opens something, and not one of an error or a town?"""
    word, start, value = match["word"], match.start(), match["v"]
    if _within(low, start) or (
        not value[:4].isdigit() and value.count("-") + value.count(" ") < 2 and not word.startswith("comb")
    ):
        return False
    told = match["verb"].strip() != ""
    if word.startswith("comb"):
        return (
            not value.isdigit()
            or "safe" in match[0]
            or "lock" in match[0]
            or low.endswith(("safe", "lock"), 0, _before(low, start))
        )
    if word == "code":
        return low.endswith(_CODE_OF, max(0, start - 20), _before(low, start)) and (told or match["verb"] != "")
    if word.startswith("pin"):
        if text[start : start + 3] == "PIN" and len(value) < 9:
            return True
        return told or low.endswith(_PIN_OF, max(0, start - 10), start)
    return match["verb"] != "" or not word.isascii()


def _before(low: str, at: int) -> int:
    return at - 1 if at and low[at - 1] in " -_" else at


def _within(low: str, at: int) -> bool:
    """Does a word begin before?"""
    return at > 0 and "a" <= low[at - 1] <= "z"
