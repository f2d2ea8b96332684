"""Names of secrets: where words like "password", "api_key" or 密码 stand in a text, alone or inside an identifier.

Strong names mean a password and nothing else, so that any value is believed; weak ones ("token", "secret", "key") also
mean harmless things. A stem is looked for first, since most texts hold none; what stands before and after it decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from remanence.guard.secrets.lazy import lazy


class Name(NamedTuple):
    start: int
    end: int
    strong: bool
    kind: str


_APART = r"(?![a-z])"
# (stem, pattern that begins with it, must stand apart from letters before it, strong, kind)
_STEMS: tuple[tuple[str, str, bool, bool, str], ...] = (
    ("pass", r"pass(?:words?|wort|wds?|wrd|worsd|ord|codes?|[- ]?phrases?)", False, True, "password"),
    ("pass", r"pass(?![a-z])", True, True, "password"),
    ("pw", rf"pwd?{_APART}", True, True, "password"),
    ("pwd", rf"pwd{_APART}", False, True, "password"),
    ("asw", r"asw(?:o?rd|d)", False, True, "password"),
    ("passw", rf"passw(?:oord|rods?|odrs?|ro|or|oprd|ird|prd|oed){_APART}", True, True, "password"),
    ("pasw", rf"pasw(?:oord|rods?|ords?|rd){_APART}", True, True, "password"),
    ("passow", rf"passowrds?{_APART}", True, True, "password"),
    ("psk", rf"psk{_APART}", True, True, "password"),
    ("shared", r"shared[ _-]keys?", False, True, "password"),
    ("psw", rf"psw(?:o?rd|d)?{_APART}", True, True, "password"),
    ("pss", r"pss?wo?r?d", False, True, "password"),
    ("mdp", rf"mdp{_APART}", True, True, "password"),
    ("kennwort", "kennwort", False, True, "password"),
    ("contrase", "contrase(?:ñ|n\u0303?)as?", True, True, "password"),
    ("mot", r"mots? de passe", True, True, "password"),
    ("palavra", r"palavra[- ]passe", True, True, "password"),
    ("senha", rf"senhas?{_APART}", True, True, "password"),
    ("wachtwoord", "wachtwoord", False, True, "password"),
    ("has", rf"has[łl](?:o|em){_APART}", True, True, "password"),
    ("парол", "парол(?:ь|я|ем|и|ей|ю)", True, True, "password"),
    ("密", "密[码碼]", False, True, "password"),
    ("口令", "口令", False, True, "password"),
    ("パスワード", "パスワード", False, True, "password"),
    ("暗証番号", "暗証番号", False, True, "password"),
    ("合言葉", "合言葉", False, True, "password"),
    ("비밀번호", "비밀번호", False, True, "password"),
    ("비번", "비번", False, True, "password"),
    ("암호", "암호", False, True, "password"),
    ("senord", "senord", False, True, "password"),
    ("adgangskode", "adgangskode", False, True, "password"),
    ("salasana", "salasana", False, True, "password"),
    ("heslo", rf"heslo{_APART}", True, True, "password"),
    ("jelszó", "jelszó", False, True, "password"),
    ("parola", rf"parola(?: d['’]ordine| chiave)?{_APART}", True, True, "password"),
    ("palabra", "palabra (?:clave|secreta)", True, True, "password"),
    ("ww", rf"ww{_APART}", True, True, "password"),
    ("codewo", rf"codewor(?:ds?|t){_APART}", True, True, "password"),
    ("code word", rf"code words?{_APART}", True, True, "password"),
    ("kodeord", rf"kodeord(?:et)?{_APART}", True, True, "password"),
    ("losungswort", "losungswort", False, True, "password"),
    ("watchword", rf"watchword{_APART}", True, True, "password"),
    ("memorable", rf"memorable (?:word|name|place|answer){_APART}", True, True, "password"),
    ("magic word", rf"magic word{_APART}", True, True, "password"),
    ("safe word", rf"safe word{_APART}", True, True, "password"),
    ("safeword", rf"safeword{_APART}", True, True, "password"),
    ("community", rf"community[ _-]string{_APART}", True, True, "password"),
    ("clé", r"clés? (?:wi-?fi|wpa2?|réseau)", True, True, "password"),
    ("key t", r"key (?:to|that) (?:decrypts?|unlocks?|opens?) (?=the |my |our |his |her |this )", True, False, "key"),
    ("answer to", r"answer to (?:the |my |his |her )?security question", True, True, "password"),
    ("security ", r"security (?:question )?answer(?![a-z])", True, True, "password"),
    ("ifre", r"ifre(?:si|m|niz)?(?![a-z])", False, True, "password"),
    ("mật khẩu", "mật khẩu", False, True, "password"),
    ("kata sandi", "kata sandi", False, True, "password"),
    ("κωδικ", "κωδικ[όο]ς?", False, True, "password"),
    ("كلمة", "كلمة (?:المرور|السر)", False, True, "password"),
    ("पासवर्ड", "पासवर्ड", False, True, "password"),
    ("รหัสผ่าน", "รหัสผ่าน", False, True, "password"),
    ("secret", r"secret (?:word|phrase|code|pin)(?![a-z])", True, True, "password"),
    ("secret", r"secret(?!ar|ion|ly|iv|e|ed)s?", False, False, "secret"),
    ("token", r"tokens?(?!i[zs]|om| (?:contract|mint|address|pool|pair)(?![a-z]))", False, False, "token"),
    ("bearer", r"bearer", True, False, "token"),
    ("credential", r"credentials?", False, False, "credential"),
    ("creds", r"creds", True, False, "credential"),
    ("auth", rf"auth(?:orization|entication)?{_APART}", True, False, "authorization"),
    ("cookie", r"cookies?", False, False, "cookie"),
    ("sess", r"sess(?:ion)?[ _-]?id", False, False, "session"),
    ("signature", r"signature", True, False, "signature"),
    ("schlüssel", "schlüssel", False, False, "key"),
    ("clé", "clés?(?: (?:d.)?(?:api|secrète|privée|accès))?", True, False, "key"),
    ("clave", "claves?(?: (?:de |del |de la )?(?:api|acceso|secreta|privada|wifi))?", True, True, "password"),
    ("chave", "chave(?: (?:de |da )?(?:api|acesso|secreta|privada))?", True, False, "key"),
    ("密", "密[钥鑰]", False, False, "key"),
    ("私", "私[钥鑰]", False, False, "key"),
    ("令牌", "令牌", False, False, "token"),
    ("apiキー", "apiキー", False, False, "key"),
    ("トークン", "トークン", False, False, "token"),
    ("秘密鍵", "秘密鍵", False, False, "key"),
    ("シークレット", "シークレット", False, False, "secret"),
    ("токен", "токена?", True, False, "token"),
    ("секрет", "секрет", True, False, "secret"),
    ("ключ", "ключ(?: api| доступа)?", True, False, "key"),
    ("토큰", "토큰", False, False, "token"),
    ("키", "키", False, False, "key"),
    ("jeton", "jeton", True, False, "token"),
    ("geheimnis", "geheimnis", True, False, "secret"),
)
STEMS = (*dict.fromkeys(row[0] for row in _STEMS), "key", "code")
_ROWS = {stem: tuple(row for row in _STEMS if row[0] == stem) for stem in dict.fromkeys(row[0] for row in _STEMS)}
_ASCII_STEMS = tuple(stem for stem in _ROWS if stem.isascii())
_ALL_STEMS = tuple(_ROWS)
_KEY = lazy(r"keys?(?!board|word|note|pad|hole|frame|chain|stroke|ring|ed|ing)")
# What makes a key one that locks.
_LOCKING_TEXT = """
    api access secret private priv signing sign encryption encrypt decryption master account shared sharedaccess
    auth authentication authorization service storage subscription webhook deploy session host admin root
    license licence unseal activation product serial security integration write ingest aes hmac rsa ssh jwt crypto
    cipher app application consumer client machine device partner sas s3 aws gcp azure openai anthropic stripe
    twilio sendgrid mailgun datadog heroku algolia recovery vault rest maps weather server rapidapi x_api
    provisioning functions function cosmos primarymaster
"""
_LOCKING = tuple(_LOCKING_TEXT.split())
# Any other key that is told with a long run right after it, unless it finds something instead of locking it.
_DRAWN = lazy(r"(?: (?:is|was|of))?[ :=\"'`(]{1,3}[a-z0-9+/_=-]{24}")
# "primary" is also what Azure calls the first of two keys, all of them base64 to the last sign.
_WHOLE = lazy(r"(?: (?:is|was|of))?[ :=\"'`(]{1,3}(?:[a-z0-9+/]{43}=|[a-z0-9+/]{86}==)(?![\w=+/])")
_INDEXING = lazy(
    r"(?:public|pub|primary|foreign|partition|sort|cache|idempotency|idem|object|row|hash|range|lookup|unique|composite"
    r"|surrogate|natural|index|redis|map|json|routing|shard|group|dedupe?|deduplication|grouping|message|document|doc"
    r"|file|blob|bucket|etag|memo|natural|business|join|any|host|verify|verification|pgp|gpg|the|a|an|no"
    r"|of|s3|kv)[ _.-]?$"
)
_WIRELESS = ("wifi", "wi-fi", "wlan", "wpa", "wpa2", "wep", "network", "wireless")
_OURS = ("the ", "our ", "my ", "this ", "new ", "your ")
_WIRELESS_NEAR = lazy(r"ssid|wi-?fi|wlan|network name|guest network|netzname|hotspot")
_WIFI = lazy(r"(?:wi-?fi|wlan|wpa2?)[ _-]?code")
_CODE_OF_WIRELESS = lazy(r"(?:ssid|wi-?fi|wlan|hotspot)\b[^.!?\n]{0,60}?(?<!qr )(?<!bar)\b(code)(?![a-z])")
# What makes an identifier one that holds no secret: `max_tokens`, `public_key`, `no_password`.
_BEFORE = lazy(
    r"(?:^|[^a-z])(?:public|primary|foreign|sort|partition|cache|next|page|nextpage|continuation|max|min|num|n"
    r"|total|prompt|completion|input|output|cached|context"
    r"|special|stop|sep|pad|eos|bos|unk|mask|used|remaining|pub|no|without|has|is|needs|per|forgot|reset|show"
    r"|hide|toggle|change|budget)[_-]?$"
)
_TAIL = lazy(
    r"(?:^|[_-])(?:ids?|names?|types?|ur[il]s?|paths?|files?|filenames?|counts?|limits?|len(?:gth)?|size|ttl"
    r"|expir\w*|polic(?:y|ies)|fields?|hints?"
    r"|age|max|min|versions?|alg\w*|headers?|prefix\w*|labels?|buckets?|used|usage|resets?|managers?|strength"
    r"|rotation|rules?|prompt|inputs?|form|endpoint"
    r"|provider|richtlinien?|feld|länge|regeln?|class|valid\w*|required|enabled|per|format|encoding|column|table"
    r"|index|refs?|arn|store|location"
    r"|dir|cost|budget|window|rate|attempts?"
    r"|errors?|changed\w*|updated\w*|created\w*|at|date|time|timeout|hash(?:ers?|ing)|validators?|backends?"
    r"|generators?|checks?|complexity|history|regex|pattern|ref|hub|santa"
    r"|bytes|scopes?|scheme|schema|mode|method|kind)(?:$|[_-])"
    r"|^(?:s_|ize|less)"
    r"|^(?:names?|types?|urls?|paths?|files?|counts?|limits?|length|policy|fields?|hint|store|manager|reset"
    r"|strength|expiry|expires|id|box|input|header"
    r"|provider|hasher|keyref|ref)$"
)
_TAIL_RUN = lazy(r"[a-z0-9_\-]{0,30}")


@cache
def _pattern(source: str) -> re.Pattern[str]:
    # In scripts without spaces a value is told by being in another script.
    return re.compile(source + (r"(?=[^!-~]{0,16}[!-~])" if source[0] > "\u2e80" else ""))


def names(low: str) -> list[Name]:
    """The names in a lowered text, in order; of two at one place the longer."""
    found: list[tuple[int, int, bool, str]] = []  # (start, -end, strong, kind)
    present = filter(low.__contains__, _ASCII_STEMS if low.isascii() else _ALL_STEMS)
    for stem, source, apart, strong, kind in chain.from_iterable(map(_ROWS.__getitem__, present)):
        if not apart and stem == source and stem[0] < "\u2e80":
            found += [(at, -at - len(stem), strong, kind) for at in _places(low, stem)]
            continue
        for match in _pattern(source).finditer(low):
            start, end = match.span()
            if (
                apart
                and start
                and "a" <= low[start - 1] <= "z"
                and not low.endswith(_HOLDERS, max(0, start - 7), start)
            ):
                continue
            found.append((start, -end, strong, "passphrase" if "phrase" in match[0] else kind))
    if "key" in low:
        found += _keys(low)
    if "code" in low:
        found += [(match.start(), -match.end(), True, "password") for match in _WIFI.finditer(low)]
        if _WIRELESS_NEAR.search(low):
            found += [(match.start(1), -match.end(1), True, "password") for match in _CODE_OF_WIRELESS.finditer(low)]
    found.sort()
    kept: list[Name] = []
    passed = 0
    for start, end, strong, kind in found:
        if start >= passed:
            passed = -end
            kept.append(Name(start, passed, strong, kind))
    return kept


def _keys(low: str) -> Iterator[tuple[int, int, bool, str]]:
    """Where "key" means one that locks."""
    wireless = _WIRELESS_NEAR.search(low) is not None
    for match in _KEY.finditer(low):
        start, end = match.span()
        before = start - (1 if start and low[start - 1] in " _.-" else 0)
        if low.endswith(_LOCKING, max(0, before - 16), before):
            private = low.endswith(("private", "priv"), max(0, before - 8), before)
            yield start, -end, False, "private-key" if private else "key"
        elif low.endswith(_OURS, max(0, start - 6), start):
            yield start, -end, False, "key"
        elif low.endswith(_WIRELESS, max(0, before - 10), before) or (
            wireless and _WIRELESS_NEAR.search(low, max(0, start - 60), start)
        ):
            yield start, -end, True, "password"
        elif _DRAWN.match(low, end) and (
            not _INDEXING.search(low, max(0, start - 16), start)
            or (low.endswith("primary", 0, before) and _WHOLE.match(low, end))
        ):
            yield start, -end, False, "key"


_HOLDERS = (
    "db",
    "my",
    "require",
    "root",
    "admin",
    "user",
    "sql",
    "pg",
    "redis",
    "smtp",
    "ftp",
    "mail",
    "any",
    "the",
    "store",
    "key",
    "trust",
    "sudo",
    "auth",
    "bind",
    "proxy",
    "login",
    "ssh",
)


def _places(low: str, stem: str) -> list[int]:
    found, at = [], -1
    while (at := low.find(stem, at + 1)) >= 0:
        found.append(at)
    return found


def tail_end(low: str, name: Name) -> int:
    """Where the identifier that holds the name ends."""
    return _TAIL_RUN.match(low, name.end).end()  # type: ignore[union-attr]


def harmless_tail(tail: str) -> bool:
    """Does what follows a name say that no secret does? `_file`, "manager"."""
    return _TAIL.search(tail) is not None


def harmless_name(low: str, name: Name, tail: int) -> bool:
    """Does the identifier say that no secret follows?"""
    if tail > name.end and harmless_tail(low[name.end : tail]):
        return True
    return (
        name.start > 0
        and low[name.start - 1] != " "
        and _BEFORE.search(low[max(0, name.start - 14) : name.start]) is not None
    )
