"""Secrets that a service hands out: one-time codes, passwords for apps, personal access tokens."""

from __future__ import annotations

from collections.abc import Iterator

from remanence.guard.secrets.judging import placeholder, plain_word, random_looking, wordy
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.reading import ends_here, holds_one, matches

_HELD = ("code", "codi", "código", "otp", "einmal")
_FIGURES = lazy(r"\d{2}[ -]?\d[ -]?\d")
_MAKERS = (
    "whatsapp",
    "telegram",
    "signal",
    "paypal",
    "google",
    "apple",
    "microsoft",
    "steam",
    "amazon",
    "bank",
    "facebook",
    "instagram",
)
_ONCE_STEMS = (
    "2fa",
    "mfa",
    "otp",
    "two-factor",
    "two factor",
    "one-time",
    "one time",
    "verif",
    "vérif",
    "confirm",
    "login",
    "log-in",
    "sign-in",
    "access",
    "security",
    "sms",
    "bestätigung",
    "einmal",
    "sicherheit",
    "sécurité",
    "anmeldecode",
    "code à",
    "código",
    "codigo",
    "codice",
    *_MAKERS,
)
_ONCE = lazy(
    r"(?:(?:2fa|mfa|otp|two[- ]factor|one[- ]time|verification|confirmation|login|log-in|sign-in|access|security"
    r"|sms)[ -]?(?:pass)?codes?|otp|sms-?tan"
    rf"|(?:{'|'.join(_MAKERS)})(?:['’]s)? code|bestätigungs-?code|verifizierungs-?code|einmal-?(?:code|passwort"
    r"|kennwort)|sicherheitscode|anmeldecode|verificatie-?code"
    r"|code à usage unique|(?<=code de )(?:vérification|confirmation|sécurité)"
    r"|c[óo]digo (?:de |del )?(?:verifica\w+|confirma\w+|seguran[çc]a|seguridad|acceso|acesso|sms|otp|2fa)"
    r"|codice (?:di )?(?:verifica|conferma|sicurezza|accesso|sms|otp|2fa|temporaneo))(?![a-z])"
)
_NUMBER = lazy(
    r"(?:[^.!?\n:=]{0,48}?\b(?:is|was|reads|ist|war|lautet|lautete|est|était|es|era|é|è|foi)|[^.!?\n:=]{0,48}?\s?[:=])"
    r"(?: (?:now|currently|jetzt|le|el|il))?\s{1,2}[\"'`«„“]?"
    r"(?P<v>\d{3}[ -]\d{3}|\d{2}[ -]\d{2}[ -]\d{2}|\d{4}[ -]\d{4}|\d{4,8})(?![\w%/]|[.,:-]\d| ?[\d%]| (?:of|times|days"
    r"|seconds|minutes|digits|characters|users|stellen|sekunden|chiffres|cifras|cifre)\b)"
)
_APP_STEMS = ("app", "applica", "anwendung", "aplica")
_PASSWORDS = ("pass", "kennwort", "wachtwoord", "contraseña", "senha", "app pw")
_APP = lazy(
    r"(?:app(?:lication)?[ -]?(?:specific[ -])?(?:passwords?|passwort|passcode|kennwort|wachtwoord|pw|pass)"
    r"|anwendungs(?:spezifisches )?-?(?:passwort|kennwort)|(?<=mot de passe d['’])application"
    r"|(?<=contraseña de )aplicación|(?<=contraseña de la )aplicación|(?<=password per l['’])app"
    r"|(?<=senha de )(?:app|aplicativo))(?![a-z])"
)
_LETTERS = lazy(
    r"(?:[^.!?\n]{0,60}?[ :=>\"'`(«])??[\"'`(«]?(?P<v>[a-z]{4}([ -])[a-z]{4}(?:\2[a-z]{4}){2}|[a-z]{16})(?![\w-])"
)
_RARE = lazy(r"[qxzj]")
# Keys of Azure: 64 bytes in base64, as some hashes and signatures are, but with the name of what they open near.
_WHOLE = lazy(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{86}==(?![\w=])")
_OF_AZURE = lazy(r"azure|cosmos|storage|blob|service ?bus|event ?hub|account", 2)
_OF_HASH = lazy(r"sha\d*|hash|digest|integrity|signature|signed|checksum", 2)
# What a router has on its label.
_ROUTERS = ("wlan", "wifi", "wi-fi", "wpa", "netzwerk", "network", "fritz", "router")
_OF_ROUTER = lazy(
    r"(?:wlan|wi-?fi|wpa2?|netzwerk|network|fritz!?box|router)[^.!?\n:=]{0,40}?(?:schlüssel|key|clé|clave|chave|chiave"
    r"|sleutel|pass\w*|kennwort)(?: (?:on|of|for|at|from|vom|auf|am|im|für|du|de|del|della|da|van|op)\b"
    r"[^.!?\n\d:=]{0,30}?)?(?:\s?[:=]|\s(?:is|was|ist|war|lautet|est|es|è|é))\s{1,2}"
    r"(?P<v>\d{4}(?:[ -]\d{4}){3,7}|\d{16,63})(?![ -]?\d)"
)
_FOURS = lazy(r"\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}")
_PAT = lazy(
    r"(?<![A-Za-z_-])PATs?(?![A-Za-z_-])(?P<between>[^\n]{0,90}?)(?<![A-Za-z0-9_./+-])(?P<v>[A-Za-z0-9_-]{20,200})"
    r"(?![A-Za-z0-9_/+-]|\.\w)"
)
_WORD = lazy(r"(?:^|[-_])[A-Za-z]?[a-z]{4,}(?:[-_]|$)|[-_]\d+$")
_OF_ID = lazy(r"\b(?:ids?|uuid|commit|sha\d*|hash|build|version|request)\b[^,;]{0,12}$", 2)


def issued(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of one-time codes and of passwords for apps."""
    if holds_one(low, _HELD) and _FIGURES.search(low):
        for once in matches(_ONCE, low, _ONCE_STEMS):
            if number := _NUMBER.match(low, once.end()):
                yield "pin", *number.span("v")
    if holds_one(low, _ROUTERS) and _FOURS.search(low):
        for key in matches(_OF_ROUTER, low, _ROUTERS):
            yield "password", *key.span("v")
    if ("app" in low or "anwendung" in low or "aplica" in low) and holds_one(low, _PASSWORDS):
        for app in matches(_APP, low, _APP_STEMS):
            at, limit = app.end(), app.end() + 110
            while given := _LETTERS.match(text, at, limit):
                start, end = given.span("v")
                if _drawn(given["v"], ends_here(text, end)):
                    yield "password", start, end
                    break
                at = start + 4


def _drawn(value: str, ends: bool) -> bool:
    """Letters that make no word."""
    bare = value.replace(" ", "").replace("-", "")
    if placeholder(value) or len(set(bare)) < 6:
        return False
    return not wordy(bare) or len(_RARE.findall(bare)) > 1 or (bare == value and ends and plain_word(bare))


def account_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of keys of accounts at Azure."""
    ends = -1
    while (ends := text.find("==", ends + 1)) >= 0:
        start, end = ends - 86, ends + 2
        if start < 0 or not _WHOLE.match(text, start) or not random_looking(text[start:end]):
            continue
        begins = max(0, start - 100)
        if _OF_HASH.search(text, max(begins, start - 32), start):
            continue
        if _OF_AZURE.search(text, begins, start) or _OF_AZURE.search(text, end, end + 60):
            yield "azure-key", start, end


def access_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of runs drawn at random after "PAT"."""
    for match in matches(_PAT, text, ("PAT",)):
        value = match["v"]
        if _WORD.search(value):
            continue
        if (
            random_looking(value)
            and not wordy(value)
            and not placeholder(value)
            and not _OF_ID.search(match["between"])
        ):
            yield "token", *match.span("v")
