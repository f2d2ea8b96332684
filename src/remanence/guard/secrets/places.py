"""Secrets by their place: addresses, headers of HTTP, arguments of programs, tables.

Each finder yields (kind, start, end) of the value.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from remanence.guard.secrets.judging import code, harmless, mixed, placeholder, random_looking, said, wordy
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import Name, names
from remanence.guard.secrets.reading import holds_one, matches, one_of

_TOKEN_RUN = lazy(r"[^\s\"'`<>|\\]{1,400}")
_CSV_HEAD = lazy(r"[\w\"'][\w\"' .-]{0,40}(?:[,;] ?[\w\"' .-]{1,40}){1,40}$")
_FORTY = lazy(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])")
_AT_HOST = lazy(
    r"(?<![\w/:.@-])(?P<user>[a-z_][\w.-]{1,30}):(?P<v>[^\s\"'<>/]{4,80})@(?P<host>\d{1,3}(?:\.\d{1,3}){3}|localhost"
    r"|[\w-]{1,60}(?:\.[\w-]{1,60}){1,6})(?![\w@])"
)
_KNOWN_USERS = (
    "root",
    "admin",
    "administrator",
    "sa",
    "postgres",
    "ubuntu",
    "pi",
    "oracle",
    "guest",
    "deploy",
    "jenkins",
    "ec2-user",
    "user",
    "app",
)
_HOST = lazy(r"[\w.\[\]:%-]{1,255}(?:[/?#,;:)\].]|$)")
_QUERY = lazy(r"[?&;#](?:amp;)?([\w.-]{1,60})=([^&\s\"'<>#;`?]{4,2000})")
_SECRET_QUERY = lazy(r"token|key|secret|sig|passw(?:or)?d|pwd|pass|auth|code|session|sid|credential|jwt|sas")
_PUBLIC_QUERY = lazy(
    r"keyword|sort|page|cursor|next|hash|zip|country|postal|area|lang|status|error|challenge|public|monkey"
    r"|encod|decod|barcode|source|mode|keys?_?id|token_type|promo",
    re.IGNORECASE,
)
_SCHEMES = ("bearer", "basic", "ntlm", "negotiate", "digest", "ssws", "apikey")
_SCHEME = lazy(r"(?:bearer|basic|ntlm|negotiate|digest|ssws|apikey)\s{1,3}[\"']?(?=[A-Za-z0-9+/_.~=:%-]{6})")
_CREDENTIALS = lazy(r"[A-Za-z0-9+/_.~=:%-]{6,4000}")
_COOKIE = lazy(r"cookie[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?P<v>[^\n\"']{8,2000})", re.IGNORECASE)
_CURL_COOKIE = lazy(
    r"curl(?![\w.])[^\n|]{0,200}?\s(?:-b|--cookie)[\s=]{1,2}[\"']?(?P<v>[^\n\"']{8,2000})", re.IGNORECASE
)
_COOKIE_PART = lazy(r"([\w.-]{1,60})=([^;\s]{12,1000})")
_USER = lazy(
    r"\s(?:-u|--user|--proxy-user|-U|-a|--auth)(?:\s{1,3}|=|(?=[\w\"']))[\"']?[^\s:\"'/]{0,100}:(?P<v>[^\s\"']{1,200})"
)
_OPTION = r"[^\n|;]{0,200}?\s"
_BARE = r"[\"']?(?P<v>[^\s\"']{3,100})"
# (words of which one must stand in the lowered text, pattern)
_COMMANDS = tuple(
    (tuple(words.split("|")), lazy(source))
    for words, source in (
        (
            "mysql|mariadb|mycli|7z|rar ",
            rf"(?:mysql\w{{0,12}}|mariadb\w{{0,12}}|mycli|7za?|unrar|rar)(?![\w.]){_OPTION}-p(?=[^\s/-]){_BARE}",
        ),
        (
            "sshpass| login|zip |ssh |scp |sftp |plink|psexec|twine|ansible-vault|mongo|cqlsh|snowsql|sqlcmd|bcp ",
            r"(?:sshpass|(?:docker|podman|az|oc|registry) login|zip|unzip|ssh|scp|sftp|plink|psexec\w*"
            r"|twine upload|ansible-vault|mongo\w{0,8}|cqlsh|snowsql"
            rf"|sqlcmd|bcp)(?![\w-]){_OPTION}(?:-p|-P|-pw)[\s=]{{0,2}}(?!-){_BARE}",
        ),
        (
            "sqlplus|sqlldr|expdp|impdp|rman ",
            r"(?:sqlplus|sqlldr|expdp|impdp|rman)\s[^\n|;]{0,80}?[\w$#]{1,30}/(?P<v>[^\s\"'@/]{3,100})@",
        ),
        ("redis-cli", rf"redis-cli(?![\w-]){_OPTION}-a[\s=]{_BARE}"),
        (
            "ldap|smbclient|rpcclient|impacket",
            rf"(?:ldap\w{{2,12}}|smbclient|rpcclient|impacket-\w+)(?![\w-]){_OPTION}-w[\s=]{_BARE}",
        ),
        (
            "smbclient|cifs|rpcclient",
            rf"(?:smbclient|mount\.cifs|rpcclient)(?![\w-]){_OPTION}-U[\s=]{{0,2}}[\"']?[\w.\\@-]{{1,60}}%{_BARE}",
        ),
        ("openssl", rf"openssl{_OPTION}-k[\s=]{{1,2}}(?:\"(?P<v>[^\"\n$]{{4,100}})\"|'(?P<bare>[^'\n]{{4,100}})')"),
        ("wifi:", r"WIFI:[^\n]{0,100}?(?<=[;:])P:\"?(?P<v>[^;\"\n]{4,63})"),
        (
            "net user|net1 user",
            r"(?i:net1?\s{1,3}user)\s{1,3}[\w.$-]{1,60}\s{1,3}(?P<v>[^\s\"'/*<>|][^\s\"'<>|]{3,60})(?=\s{1,3}/"
            r"|\s{0,3}(?:\n|$))",
        ),
        ("oathtool", rf"oathtool{_OPTION}(?P<v>[A-Z2-7]{{16,64}}=*)(?![\w=])"),
        ("pass:", rf"-pass(?:in|out|word)?[\s=]{{1,2}}[\"']?pass:{_BARE}"),
        (
            "securestring",
            r"ConvertTo-SecureString(?:\s{1,3}-(?:String|AsPlainText|Force"
            r"|Key))*\s{1,3}\\?[\"']?(?P<v>[^\s\"'\\-][^\s\"'\\]{3,100})",
        ),
        (
            "echo |printf ",
            r"(?:echo|printf)\s{1,3}(?:-n\s)?[\"']?(?P<v>[^\s\"'"
            r"|$]{4,100})[\"']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3}-S|passwd|chpasswd|docker\s{1,3}login|cryptsetup|kinit)",
        ),
        ("htpasswd", rf"htpasswd\s{{1,3}}-\w{{0,4}}b\w{{0,4}}\s{{1,3}}\S{{1,200}}\s{{1,3}}\S{{1,100}}\s{{1,3}}{_BARE}"),
        ("/user:", r"/user:\S{1,80}\s{1,3}(?P<v>[^\s\"'/]{4,100})"),
        (
            "identified",
            r"(?i:identified\s{1,3}(?:with\s{1,3}\S{1,40}\s{1,3}(?:by|as)|by)\s{1,3}(?:password\s{1,3}|values\s{1,3})?)"
            r"(?:[\"'](?P<v>[^\"'\n]{3,200})[\"']|(?P<bare>[^\s\"';\\)]{4,100}))",
        ),
    )
)
_WITH_USER = ("curl", "wget", "http ", "httpie", "lftp", "rclone", "ncftp", "artifactory", "jf ", "svn")
_WITHOUT_OPTIONS = tuple(
    command
    for command in _COMMANDS
    if command[0][0] in ("echo ", "/user:", "identified", "securestring", "sqlplus", "wifi:", "net user")
)
_ANY = one_of(word for words, _ in _COMMANDS for word in words)
_ANY_WITHOUT_OPTIONS = one_of(word for words, _ in _WITHOUT_OPTIONS for word in words)
_PGPASS = lazy(
    r"^(?!(?:[0-9a-fA-F]{2}:){5})[\w.*-]{1,100}:(?:\d{2,5}"
    r"|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?P<v>\S{4,100})(?=[ \t]*(?:$|[ \t](?:<-|#|//|\()))",
    re.MULTILINE,
)
_USERS = ("user", "username", "login", "name", "usr", "your_user", "me", "example")


def addresses(text: str) -> Iterator[tuple[str, int, int]]:
    """Passwords and tokens in front of a host."""
    at = -1
    while (at := text.find("://", at + 1)) >= 0:
        if at == 0 or not (text[at - 1].isascii() and text[at - 1].isalnum()):
            continue
        run = _TOKEN_RUN.match(text, at + 3)
        if run is None or "@" not in run[0]:
            at = max(at, run.end() - 200) if run else at
            continue
        whole = run[0]
        first = re.search(r"[/?#]", whole)
        host_at = whole.rfind("@", 0, first.start()) if first else whole.rfind("@")
        colon = whole.find(":")
        if host_at < 0 and first and 0 <= colon < first.start() and not whole[colon + 1 : first.start()].isdigit():
            host_at = whole.rfind("@")  # a slash inside the password
            if not _HOST.match(whole, host_at + 1) or "://" in whole[:host_at]:
                continue
        if host_at <= 0:
            continue
        if colon < 0 or colon > host_at:
            if random_looking(whole[:host_at], 20):
                yield "url-token", run.start(), run.start() + host_at
            continue
        password = whole[colon + 1 : host_at]
        if (
            password
            and not _template(password)
            and not (
                password.lower() in ("pass", "password", "pwd", "pw")
                or (placeholder(password) and whole[:colon].lower() in _USERS)
            )
        ):
            yield "url-password", run.start() + colon + 1, run.start() + host_at
            at = run.start() + host_at


def logins(text: str) -> Iterator[tuple[str, int, int]]:
    """Passwords of `user:password@host` without a scheme; after "to:" and its like stand addresses of mail."""
    for match in _AT_HOST.finditer(text):
        known = match["user"] in _KNOWN_USERS or match["host"][0].isdigit() or match["host"] == "localhost"
        if known and said(match["v"], True):
            yield "password", *match.span("v")


def _template(value: str) -> bool:
    return placeholder(value) and not (
        value.isalnum() and value.islower() and value not in ("password", "pass", "passwd", "xxx", "token", "secret")
    )


def queries(text: str) -> Iterator[tuple[str, int, int]]:
    """Values of telling names in an address."""
    if "=" not in text:
        return
    for match in _QUERY.finditer(text):
        name = match[1].lower()
        if not _SECRET_QUERY.search(name) or _PUBLIC_QUERY.search(name):
            continue
        value = match[2].rstrip(".,)]")
        end = match.start(2) + len(value)
        if placeholder(value):
            continue
        strong = "pass" in name or "pwd" in name
        if (
            random_looking(value)
            or (strong and not code(value))
            or (name in ("sig", "signature") and len(value) > 19 and mixed(value))
        ):
            yield "url-secret", match.start(2), end


def headers(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    if "bearer" in low or "basic" in low or "auth" in low or "ntlm" in low or "apikey " in low:
        for match in matches(_SCHEME, low, _SCHEMES):
            value = _CREDENTIALS.match(text, match.end())[0].rstrip(".,:")  # type: ignore[index]
            if len(value) < 16 and value.isalpha():
                continue
            scheme = match[0].split()[0]
            named = "auth" in low[max(0, match.start() - 24) : match.start()]
            if scheme in ("basic", "ntlm", "negotiate"):
                if not (_basic(value) or (named and len(value) > 7 and not value.islower())):
                    continue
            elif not (random_looking(value) or (named and mixed(value) and len(value) > 7)) or (
                code(value) and not named
            ):
                continue
            if not placeholder(value):
                yield "authorization", match.end(), match.end() + len(value)
    if "curl" in low:
        for match in _CURL_COOKIE.finditer(text):
            for part in _COOKIE_PART.finditer(text, *match.span("v")):
                if random_looking(part[2], 16):
                    yield "cookie", *part.span(2)
    if "cookie" in low:
        for match in matches(_COOKIE, low, ("cookie",)):
            for part in _COOKIE_PART.finditer(text, *match.span("v")):
                if random_looking(part[2], 16) and not part[1].lower().startswith(("_ga", "expires", "path")):
                    yield "cookie", *part.span(2)


def _basic(value: str) -> bool:
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in decoded and all(31 < byte < 127 for byte in decoded)


def commands(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Passwords among the arguments of programs."""
    if ":" in text:
        for match in _PGPASS.finditer(text):
            if not placeholder(match["v"]) and not match["v"].isdigit():
                yield "password", *match.span("v")
    options = " -" in text
    if options and holds_one(low, _WITH_USER):
        for match in _USER.finditer(text):
            line = low[max(0, match.start() - 600, low.rfind("\n", 0, match.start())) : match.start()]
            if holds_one(line, _WITH_USER) and not placeholder(match["v"]) and not match["v"].startswith("//"):
                yield "password", *match.span("v")
    if not (_ANY if options else _ANY_WITHOUT_OPTIONS)(low):
        return
    for words, pattern in _COMMANDS if options else _WITHOUT_OPTIONS:
        if not holds_one(low, words):
            continue
        for match in pattern.finditer(text):
            name = match.lastgroup or "v"
            value = match[name].rstrip(";,\\)")
            if _within(text, match.start()) or placeholder(value) or value.isdigit() or (code(value) and "(" in value):
                continue
            if (name == "v" or mixed(value)) and not (len(words) > 9 and harmless(value)):
                yield "password", match.start(name), match.start(name) + len(value)


def beside_aws(text: str) -> Iterator[tuple[str, int, int]]:
    """The secret part of a key of AWS, which has no shape of its own: 40 characters near the name or the other part."""
    for match in _FORTY.finditer(text):
        value = match[0]
        if (
            any(c.isdigit() for c in value)
            and value.upper() != value
            and value.lower() != value
            and not wordy(value)
            and value.count("/") < 8
        ):
            around = text[max(0, match.start() - 200) : match.end() + 200]
            if "AKIA" in around or "ASIA" in around or "aws" in around.lower():
                yield "aws-secret", *match.span()


def columns(text: str, low: str, known: list[Name]) -> Iterator[tuple[str, int, int]]:
    """Cells below a telling head of a table."""
    passed = -1
    for name in known:
        if name.start <= passed:
            continue
        begins, ends = text.rfind("\n", 0, name.start) + 1, text.find("\n", name.end)
        if ends < 0:
            return
        passed = ends
        line = low[begins:ends]
        sign = next((sign for sign in "|\t,;" if sign in line), None)
        if sign is None or len(line) > 400:
            continue
        heads = line.split(sign)
        if any(len(head.split()) > 3 for head in heads) or (sign in ",;" and not _CSV_HEAD.match(line)):
            continue
        telling = [(number, found[0]) for number, head in enumerate(heads) if (found := names(head))]
        while 0 <= ends < len(text) and sign in text[ends + 1 : (following := _line_end(text, ends + 1))]:
            yield from _cells(text, ends + 1, following, sign, telling)
            passed = ends = following


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _cells(
    text: str, begins: int, ends: int, sign: str, telling: list[tuple[int, Name]]
) -> Iterator[tuple[str, int, int]]:
    cells = text[begins:ends].split(sign)
    for number, name in telling:
        if number >= len(cells):
            continue
        cell = cells[number]
        value = cell.strip(" \t\r\"'`")
        start = begins + sum(map(len, cells[:number])) + number + len(cell) - len(cell.lstrip(" \t\r\"'`"))
        if value and " " not in value and said(value, name.strong):
            yield name.kind, start, start + len(value)


def _within(text: str, at: int) -> bool:
    """Does a word begin before?"""
    return at > 0 and text[at].isalnum() and (text[at - 1].isalnum() or text[at - 1] in "_-")
