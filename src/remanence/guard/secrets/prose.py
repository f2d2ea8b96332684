"""Secrets told without the word for them: "login with admin / x", PINs, codes of doors, seeds, recovery phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import (
    harmless,
    hostlike,
    likely,
    mixed,
    passphrase,
    plain_word,
    random_looking,
    remark,
    said,
    titled,
    wordy,
)
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.reading import bare_end, ends_here, holds_one, matches, value_at

_PAIR_STEMS = (
    "log",
    "sign",
    "cred",
    "zugangsdaten",
    "identifiant",
    "account",
    "auth",
    "user",
    "ssh",
    "ftp",
    "wifi",
    "wi-fi",
    "wlan",
    "ssid",
    "hotspot",
    "htaccess",
    "basic auth",
)
_ACCOUNT = lazy(
    r"(?:(?:htaccess|basic auth|auth|login) (?:prompt|popup|dialog)|htaccess)(?: wants| needs| is|:)?(?= )|"
    r"(?:log(?:ged|ging|s)?[ -]?(?:into|in|on)|sign(?:ed|ing|s)?[ -]?in|creds?|credentials?|zugangsdaten|identifiants?"
    r"|credenciales|account|auth|user(?:name)?|ssh|ftp|wi-?fi|wlan|ssid|hotspot)(?![a-z]|-[a-z0-9])"
)
_PAIR = lazy(
    r"(?<=[\s:('\"`„“«])(?!(?:sha-?\d|md[45]|blake\d))"
    r"([a-z0-9][\w.@+-]{1,60})[\"'`”“»]?(?P<sign>\s?/\s?|:|\s?\|\s|,? and |,? then | [–—-] "
    r"|,? with (?:the )?"
    r"|,? using (?:the )?|, )(?=\S)"
)
_WIRELESS = lazy(r"wi-?fi|wlan|ssid|hotspot")
_BOUND = lazy(r"[A-Za-z][a-z]{2}[\w-]{0,20}[-_.!&+~#%*][A-Za-z\d]?")
_DIRECT = ("with", "as", "using", "with user", "as user", "with username", "with the user", "via", "is")
_PAIR_WITHIN = 90
_TO_ENTER = lazy(
    r"(?:use|type|enter|try) [\"'`]?(?P<v>[^\s\"'`]{5,80})[\"'`]? to (?:log ?in|log into|sign ?in"
    r"|sign into|unlock|decrypt)\b"
)
_KNOWN_USERS = ("root", "admin", "sa ", "postgres", "ubuntu", "pi ", "oracle", "guest", "deploy", "jenkins", "ec2-user")
_WELL_KNOWN = lazy(
    r"(?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy|jenkins"
    r"|ec2-user)(?P<sign>\s/\s|:(?=[^\s/:]{5,40}(?:[\s,;)]|$))|(?<=[a-z])/(?=[^\s/]{5,40}(?:[\s,;)]|$))| (?:and"
    r"|with) (?:the )?(?:password )?)(?=\S{4})"
)
_USER_THEN = lazy(
    r"(?:user(?:name)?|login|account|id)[ :=]{1,3}(?P<user>[\w.@+-]{2,60})[,;/ ]{1,3}(?:and |with |& )?(?:the "
    r"|a |his |her )?"
    r"(?P<word>password|passwd|pass|pw|pwd|secret|key)[ :=]{1,3}(?P<v>[^\s,;\"']{3,80})"
)
_OPEN_STEMS = ("unlock", "opens", "opened", "disarm")
_OPENED = lazy(
    r"(?:unlock(?:s|ed)?|opens|opened|disarm(?:s|ed)?)(?: (?!with\b)[\w'’-]{1,20}){0,5} (?:with|w/|using|mit) "
    r"(?:(?:the |a )?(?:code|pin|passcode|password|combination|number) )?[\"'`]?(?P<v>[^\s\"'`]{4,80})"
)
_OPENABLE = lazy(
    r"\b(?:door|gate|elevator|lift|garage|alarm|safe|locker|lobby|building|entrance|entry|keypad|key ?box"
    r"|lock ?box|lock"
    r"|padlock|apartment|flat|barn|shed|cabin|airbnb|barrier|intercom|warehouse|cellar|basement"
    r"|storage unit|porte|portail|immeuble|alarme|coffre|haustür|tür|tor|tresor|alarmanlage|puerta"
    r"|portón|caja fuerte|alarma|porta|cancello|allarme|portão|cofre|deur|drzwi|bramy?|двери?|домофона?)\b"
)
_OTHER_CODE = lazy(
    r"(?:error|status|exit|zip|postal|post|area|country|return|response|promo|discount|coupon"
    r"|voucher|dress|source|qr|bar"
    r"|reason|tax|sort|dialling|dialing|dial|class|course|booking|product|item|colou?r|unicode|airport|bank|swift|fault"
    r"|result|http|building|fire|morse|byte|machine|version|batch|lot|currency|language|state|icd|sic)[ -]$"
)
_TURNED = lazy(
    r"(?P<v>\d{4,8})[\"'`]? (?:is|was|as) (?:(?:the|your|my|our|his|her|a|an) )?"
    r"(?P<of>(?:[\w'’-]{2,16} ){0,4}?)(?:code|pin|passcode|otp)\b"
)
_PART_OF = lazy(r"[\w.,:/#$€£-]")
_FOUR_DIGITS = lazy(r"\d{4}")
_KEYPAD_STEMS = (
    "keypad",
    "lockbox",
    "lock box",
    "keybox",
    "key box",
    "key safe",
    "keysafe",
    "padlock",
    "combination lock",
)
_KEYPAD = lazy(
    r"(?:keypad|lock ?box|key ?box|key ?safe|padlock|combination lock)(?: (?:on|at|of|for|by) [\w ]{1,24}?)?"
    r"(?:\s?[:=]|\s(?:is|was|code is))\s{1,2}(?P<v>\d{3,8}[#*]?)(?![\w:%])"
)
_TURNED_STEMS = ("pin", "otp", " code", "passcode", "-code")
_TO_VERIFY = lazy(
    r"(?:enter|use|type) [\"'`]?(?P<v>\d{4,8})[\"'`]? to (?:verify|confirm|log|sign|unlock"
    r"|authenticate|approve|complete"
    r"|finish|reset)\b"
)
_PRESSED_STEMS = ("press ", "punch ", "dial ", "enter ", "type ", "key in ", "tap ")
_PRESSED = lazy(
    r"(?:press|punch|punch in|dial|enter|type|type in|key in|tap|tap in)"
    r" [\"'`]?(?P<v>\d{4,8})(?![\w.,:/%-]?\d|\w)"
)
_OPENING_STEMS = (" unlocks ", " opens ", " decrypts ", " gets you in", " lets you in", " works for ", " works on ")
_LOCKED = lazy(r" (?:unlocks|opens|decrypts|gets you in|lets you in|works (?:for|on))(?: [\w'’-]{1,16}){1,4}")
_LOCKABLE = lazy(
    r"\b(?:account|phone|laptop|tablet|ipad|vault|archive|zip|drive|disk|safe|wallet|keystore"
    r"|file|backup|database|server"
    r"|box|portal|vpn|wi-?fi|mailbox|dashboard|computer|door|login)\b"
)
_CODE_STEMS = ("pin", "passcode", "code", "puk", "otp", "combination", "combo", "验证码", "驗證碼")
_WHERE = (
    r"(?:[ ,(]{1,2}(?:for|of|on|to|at|in|from|für|vom|zum|zur|de|du|der|del|della|dello|do|da"
    r"|van|voor|til|till|av|i|we)\b[^.!?\n=;]{0,50}?)?"
)
_CODE = lazy(
    r"(?P<word>pin[ -]?(?:code|number|nummer)|pin[码碼]|pin|passcode|code|puk|otp|combination|combo|验证码|驗證碼)s?"
    r"(?![a-z])"
    rf"{_WHERE}(?P<verb>\s?(?:is|was|became|becomes|=|:|ist|lautet|est|es|é|è|是|为|は|to|->)\s?(?:now |still "
    rf"|currently )?|\s?)"
    r"[\"'`]?"
    r"(?P<v>\d{4,10}[#*]?|\d{1,3}(?:[- ]\d{1,3}){1,4})(?![\w.,:/]?\d|[%\w]|-[\d\w]|\s?(?:days?|times|characters"
    r"|people|users|error|x)\b)"
)
_CODE_OF_TEXT = """
    door gate alarm access entry lock locker safe garage security unlock verification confirmation sms 2fa mfa
    otp one-time login backup recovery disarm keypad vault sim house building elevator lift lobby lockbox
    authenticator auth authentication authorization activation sign-in log-in tür tor time front bank card atm phone
    reset
    factor entrance
"""
_CODE_OF = tuple(_CODE_OF_TEXT.split())
_PIN_OF_TEXT = """
    voicemail garage gate locker tablet alarm door bank card atm sim phone debit credit card's phone's
"""
_PIN_OF = tuple(f"{word} " for word in _PIN_OF_TEXT.split())
_SEED_STEMS = ("otp", "2fa", "mfa", "two-factor", "two factor", "authenticator")
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
_STEMS_OF_CODES = (
    *_CODE_STEMS,
    *_OPENING_STEMS,
    *_OPEN_STEMS,
    *_SEED_STEMS,
    *_PHRASE_STEMS,
    *_RECOVERY_STEMS,
)
STEMS = (
    *_PAIR_STEMS,
    *_KNOWN_USERS,
    *_STEMS_OF_CODES,
    *_TURNED_STEMS,
    *_KEYPAD_STEMS,
    *_PRESSED_STEMS,
    "use ",
    "try ",
)
# A recovery phrase is of names and verbs; these bind sentences.
_BINDING_TEXT = """
    the and that with this not for are was has had have from you must should will your when never keep written
    stored kept paper into them they then than but least random words characters letters
"""
_BINDING = frozenset(_BINDING_TEXT.split())
_COMBINATION = lazy(r"\d{1,2}(?:-\d{1,2}){2,3}$")
_USED = lazy(r"(?:\b(?:use|try|with|as|using|is|was|tried)|:) [\"'`(]?$")
_SAID_LATER = lazy(r"[^.!?\n]{0,30}?(?:\b(?:is|was|ist|lautet|est|es)|[:=])\s\d{4}")
_SIGN = lazy(r"[!#$%^&*+=~@]")
_STOP = lazy(r"[.!?](?:\s|$)|\n")
_COUNTED = lazy(r" [a-z]{2,}s\b")
_HEX = lazy(r"[0-9a-fA-F-]+$")
_DIGITS = lazy(r"\d+")


def pairs(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of the second of "login admin / x"."""
    if "/" in low or ":" in low or " with " in low or " and " in low:
        for match in matches(_WELL_KNOWN, low, _KNOWN_USERS):
            start, end, _ = value_at(text, match.end())
            if not likely(text[start:end]) or _within(low, match.start()) or text[start:end].isdigit():
                continue
            if match["sign"] == "/" and not _USED.search(low, max(0, match.start() - 12), match.start()):
                continue
            if match["sign"] == ":" and not (
                titled(text[start:end]) or (mixed(text[start:end]) and text[start:end].lower() != text[start:end])
            ):
                continue
            if match["sign"] == ":" or "/" in match["sign"] or _clear(text[start:end]):
                yield "password", start, end
    if not holds_one(low, _PAIR_STEMS):
        return
    for match in matches(_TO_ENTER, low, ("use ", "type ", "enter ", "try ")):
        if _within(low, match.start()):
            continue
        start, end = match.start("v"), bare_end(text, match.start("v"), match.end("v"))
        if said(text[start:end], True) and not text[start:end].isdigit() and not hostlike(match["v"]):
            yield "password", start, end
    passed = 0
    for account in matches(_ACCOUNT, low, _PAIR_STEMS):
        if _within(low, account.start()) or "://" in low[max(0, account.start() - 24) : account.end() + 2]:
            continue
        begins = max(passed, account.end())
        passed = account.end() + _PAIR_WITHIN
        line = low.find("\n", begins, passed)
        for match in _PAIR.finditer(low, begins, line if line > 0 else passed):
            start, end, _ = value_at(text, match.end())
            if _is_second(
                text, match, start, end, low[account.end() : match.start(1)].strip(" :'\"`") in _DIRECT, account[0]
            ):
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


def _clear(value: str) -> bool:
    """Does it look like a password with nothing but a user's name before it?"""
    return passphrase(value) or bool(_SIGN.search(value)) or not (wordy(value) or _HEX.match(value))


def _is_second(text: str, match: re.Match[str], start: int, end: int, direct: bool, word: str) -> bool:
    """Is what comes after a user's name and a sign a password? `direct`: the name was told right after the account."""
    value, sign = text[start:end], match["sign"].strip(" ,")
    if sign in ("then", "-", "–", "—") and not (_WIRELESS.match(word) and _BOUND.search(value)):
        return False
    if (
        match[1].isdigit()
        or value.isdigit()
        or value.startswith("//")
        or (sign == ":" and harmless(value))
        or not said(value, True)
    ):
        return False
    if match["sign"] == "/" and ("/" in value or text[match.start(1) - 1] in "/."):
        return False
    if not sign and "@" not in match[1]:
        return False
    if sign.startswith(("and", "with", "using")) and not _SIGN.search(value):
        clear = _clear(value) or ((direct or "@" in match[1]) and not hostlike(value))
        if not clear or random_looking(match[1], 6):
            return False
    return not random_looking(match[1], 16) and _DIGITS.sub("", match[1]) != _DIGITS.sub("", value.lower())


def codes(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of PINs, codes of doors, seeds, recovery codes and phrases."""
    if not holds_one(low, _STEMS_OF_CODES):
        if _FOUR_DIGITS.search(low):
            yield from _pressed(low)
        return
    for match in matches(_CODE, low, _CODE_STEMS):
        if _opens(text, low, match):
            yield "pin", *match.span("v")
    for match in matches(_LOCKED, low, _OPENING_STEMS):
        begins = max(text.rfind(sign, max(0, match.start() - 80), match.start()) for sign in " \n\t(") + 1
        start, end, _ = value_at(text, begins)
        end = min(end, match.start())
        if _LOCKABLE.search(match[0]) and said(text[start:end], True) and _clear(text[start:end]):
            yield "password", start, end
    if _FOUR_DIGITS.search(low):
        yield from _pressed(low)
    for match in matches(_OPENED, low, _OPEN_STEMS):
        start, end = match.start("v"), bare_end(text, match.start("v"), match.end("v"))
        value = text[start:end]
        if _COMBINATION.match(value) and (" safe" in low or "lock" in low):
            yield "pin", start, end
        if likely(value) and not hostlike(value) and not _COUNTED.match(low, end) and len(value) > 3:
            yield "pin" if value.isdigit() else "password", start, end
    for match in matches(_SEED, low, _SEED_STEMS):
        value = text[slice(*match.span("v"))]
        if not value.isdigit() and len(value) >= 14 and (value.upper() == value or _DIGITS.search(value)):
            yield "otp-seed", *match.span("v")
    for match in matches(_PHRASE, low, _PHRASE_STEMS):
        words = match["v"].replace(",", " ").split()
        announced = low.endswith(_PHRASE_OF, max(0, match.start() - 10), _before(low, match.start()))
        if (
            (announced or match[0][0] != "p")
            and _BINDING.isdisjoint(words)
            and not words[0].endswith("ed")
            and len(words) <= 25
        ):
            yield "recovery-phrase", *match.span("v")
    for match in matches(_RECOVERY, low, _RECOVERY_STEMS):
        if len(match["v"]) >= 6 and not harmless(match["v"]):
            yield "recovery-code", *match.span("v")


def _pressed(low: str) -> Iterator[tuple[str, int, int]]:
    """Digits that come before what they are ("4821 is the door code"), or at what they open ("garage keypad: 4821")."""
    for match in matches(_KEYPAD, low, _KEYPAD_STEMS):
        yield "pin", *match.span("v")
    if holds_one(low, _TURNED_STEMS):
        for match in _TURNED.finditer(low):
            start = match.start()
            if start and _PART_OF.match(low, start - 1) and not low.startswith("g-", max(0, start - 2)):
                continue
            if match[0].endswith(("pin", "passcode", "otp")) or match["of"].rstrip(" -").endswith(_CODE_OF):
                yield "pin", *match.span("v")
    for match in matches(_TO_VERIFY, low, ("enter ", "use ", "type ")):
        if not _within(low, match.start()):
            yield "pin", *match.span("v")
    for match in matches(_PRESSED, low, _PRESSED_STEMS):
        if _within(low, match.start()) or _COUNTED.match(low, match.end()):
            continue
        if _OPENABLE.search(low, *_sentence(low, *match.span())):
            yield "pin", *match.span("v")


def _opens(text: str, low: str, match: re.Match[str]) -> bool:
    """Is it a code that opens something, and not one of an error or a town?"""
    word, start, value = match["word"], match.start(), match["v"]
    if _within(low, start) or (
        not value[:4].isdigit() and value.count("-") + value.count(" ") < 2 and not word.startswith("comb")
    ):
        return False
    told = match["verb"].strip() != ""
    if not told and _SAID_LATER.match(low, match.end("v")):
        return False  # "the PIN for the card ending 1123 is 7490"
    if word.startswith("comb"):
        return (
            not value.isdigit()
            or "safe" in match[0]
            or "lock" in match[0]
            or low.endswith(("safe", "lock"), 0, _before(low, start))
        )
    if word == "code":
        if not told and match["verb"] == "":
            return False
        return low.endswith(_CODE_OF, max(0, start - 20), _before(low, start)) or (
            value[:4].isdigit()
            and not _OTHER_CODE.search(low, max(0, start - 12), start)
            and _OPENABLE.search(low, *_sentence(low, *match.span())) is not None
        )
    if word.startswith("pin"):
        if text[start : start + 3] == "PIN" and len(value) < 9:
            return True
        return told or low.endswith(_PIN_OF, max(0, start - 10), start)
    return match["verb"] != "" or not word.isascii()


def _sentence(low: str, start: int, end: int) -> tuple[int, int]:
    """From 60 characters before to 60 after, within the sentence."""
    begins = max(0, start - 60)
    begins = max(begins, low.rfind(". ", begins, start), low.rfind("\n", begins, start))
    stop = _STOP.search(low, end, end + 60)
    return begins, stop.start() if stop else end + 60


def _before(low: str, at: int) -> int:
    return at - 1 if at and low[at - 1] in " -_" else at


def _within(low: str, at: int) -> bool:
    """Does a word begin before?"""
    return at > 0 and "a" <= low[at - 1] <= "z"
