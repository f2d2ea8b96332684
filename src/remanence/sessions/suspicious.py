"""A quick look, by the standard library alone: could this text, or this JSON value, hold a secret?

In doubt yes: a yes costs some 30 ms, since `guard.secrets` is loaded and looks properly; a no must be right. So every
way in which that package finds a secret has its cheap sign here, wider than its own: the words for secrets, the marks
of makers, long runs of letters with digits, what stands before a host, arguments of programs, codes and pairs, and of a
value its keys. The time it takes grows with the text and no faster.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # as in typing, which takes longer to load than a hook may
if TYPE_CHECKING:
    from typing import Any

_MARKS_TEXT = """
    BEGIN PuTTY-User-Key kty LS0t 0tLS0tQ tLS0tLUJF AKIA ASIA ABIA ACCA A3T ABSK da2- amzn.mws. AIza GOCSPX- ya29. 1//0
    4/0A JQQJ99 +AMC +ASt AzCa ACDb AzSe AIoT LTAI AKID dop_v1_ doo_v1_ dor_v1_ v1.0- cfat_ cfut_ cfk_ akab- HRKU- FlyV1
    fo1_ fm2_ SCW pscale_ sbp_ sb_secret_ rnd_ vcp_ vci_ vca_ vcr_ vck_ nfp_ nfc_ nfo_ nfu_ ghp_ gho_ ghu_ ghs_ ghr_
    github_pat_ glpat- gldt- glrt- glptt- glft- glimt- glagent- gloas- glcbt- glsoat- glffct- glwt- glrtr- GR1348941
    _gitlab_session= ATATT3 ATCTT3 ATBB ATSTT3 BBDC- npm_ pypi- rubygems_ CLOJARS_ dckr_pat_ dckr_oat_ SWMTKN-1-
    SWMKEY-1- AKCp cmVmdGtu sqp_ squ_ sqa_ CCIPAT_ CCIPRJ_ bkua_ bkat_ bkct_ .atlasv1. hvs. hvb. hvr. pul- ops_eyJ
    AGE-SECRET-KEY- sk-ant- sk-proj- sk-svcacct- sk-admin- sk-None- sk-service- sk-or- lsv2_ sk-lf- sk- hf_ api_org_
    gsk_ xai- pplx- r8_ fw_ tgp_v1_ llx- LLM| tvly- pcsk_ sk_ nvapi- rk_live_ rk_test_ whsec_ sq0 EAAA access_token$
    shpat_ shpss_ shpca_ shppa_ shptka_ access- FLWSECK rzp_ AQE xprv yprv zprv xoxa- xoxb- xoxe- xoxo- xoxp- xoxr-
    xoxs- xoxc- xoxd- xoxe. xapp- xwfp- hooks.slack.com /api/webhooks/ mfa. .webhook.office.com
    outlook.office.com/webhook :AA SG. key- xkeysib- xsmtpsib- POSTMARK Q~ EAA IGQ IGAA AAAA WPL_ lin_api_ lin_oauth_
    lin_wh_ ntn_ secret_ figd_ figo_ figu_ figor_ PMAK- PMAT- pk_ dapi dose snyk_ !AQ 3MVG9 5Aep pat-na pat-eu dG9r
    /token: tfp_ CFPAT- tskey- ak_ pnu_ pnb_ rdme_ duffel_ EZAK EZTK cosmo_ dnkey- secret- fio-u- dt0 glsa_ glc_
    eyJ NRAK- NRBR- NRII- NRIQ- NRJS- NRRA- NRSP- NRAL sntrys_ sntryu_ sntrya_ phx_ phs_ pha_ phr_ hcaik_ hcxik_ hcamk_
    hcbik_ ddapp_ ddpat_ pdus+ $2 $1$ $5$ $6$ $y$ $7$ $gy$ $apr1$ $md5 $argon2 $scrypt$ $pbkdf2 pbkdf2_sha scrypt:
    pbkdf2: {SSHA {SHA {MD5} {CRYPT} {SMD5} TlRMTVNTUA ::: ewog otpauth doI bedrock-api-key-
"""
MARKS = tuple(_MARKS_TEXT.split())
"""How keys begin, case and all. Those of one or two signs are left to the look at long runs."""
_WORDS_TEXT = (
    " login|aswd|asword|aswrd|mdp|kennwort|contrase|senha|wachtwoord|hasl|senord|adgangskode|salasana|heslo"
    "|parola|ifre|kata sandi|bearer|credential|cookie|clave|chave|jeton|geheimnis|phrase|mnemonic|seed words"
    "|recovery words|2fa|two-factor|two factor|authenticator|unlock| opens |opened|disarm| decrypts |gets you in"
    "|lets you in| works for | works on |/user:|identified|securestring|sqlplus|sqlldr|expdp|impdp|rman "
    "|psk|codewor|code word|kodeord|losungswort|watchword|memorable|magic word|safe word|safeword|community"
    "|security question|security answer|net user "
)
_WORDS = tuple(_WORDS_TEXT.split("|"))
_WORDS_ELSEWHERE_TEXT = """
    contraseñ hasł парол 密 口令 パスワード 暗証番号 合言葉 비밀번호 비번 암호 jelszó khẩu κωδικ كلمة पासवर्ड รหัสผ่าน
    schlüssel clé 私 令牌 キー トークン 秘密鍵 シークレット токен секрет ключ 토큰 키 验证码 驗證碼 助记词
"""
_WORDS_ELSEWHERE = tuple(_WORDS_ELSEWHERE_TEXT.split())
_NAMES = re.compile(
    r"pass(?!(?:ed|es|ing)(?![a-z]))|pss?wo?r?d|(?<!a)psw(?![a-z])|pwd?(?![a-z])|mfa(?![bd-jl-rt-z])"
    r"|secret(?!ar|ion|ly|iv)|tokens?(?!i[zs]|om)|creds|auth(?:orization|entication)?(?![a-z])"
    r"|sess(?:ion)?[ _-]?id|signature|keys?(?!board|word|note|pad|hole|frame|chain|stroke|ring|ed|ing)"
    r"|(?:fi|wlan|wpa2?)[ _-]?code|(?:recovery|backup|scratch|emergency)[ -]?code|otps?(?![a-z])"
)
_PLACES = re.compile(
    r":[^\s\"'<>/]{4,80}@"
    r"|[?&;#](?:amp;)?[\w.-]{0,60}(?:pass|sig|code|session|sid|jwt|sas)[\w.-]{0,60}=[^&\s\"'<>#;`?]{4}"
    r"|(?:basic|ntlm|negotiate|digest|ssws)\s{1,3}[\"']?(?![a-z]{1,15}(?![a-z0-9+/_.~=:%-]))[a-z0-9+/_.~=:%-]{6}"
    r"|:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:\S{4}"
)
_TOLD = re.compile(
    r"(?<![a-z])(?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy|jenkins|ec2-user)"
    r"(?:\s/\s| (?:and|with) )"
    r"|(?:use|type|enter|try) [\"'`]?[^\s\"'`]{5,80}[\"'`]? to (?:log|sign|unlock|decrypt)"
    r"|(?:pin|puk|otp|combo|combination|code)s?(?![a-z])[^!?\n;]{0,90}?(?:\d{4}|\d[- ]\d)"
    r"|\d{4}[\"'`]? (?:is|was|as) |(?:press|punch|dial|enter|type|key in|tap|use)(?: in)? [\"'`]?\d{4}"
    r"|(?<![a-z])(?:pin|puk|geheimzahl|c[óo]digo|codice|keypad)[ \w-]{0,9}[^;]{0,90}?\d[ -]?\d"
    r"|(?<![a-z])(?:ww(?![a-z])|log-?ins?(?![a-z])[^.!?\n]{0,90}?(?:it['’]?s|it is|es ist|c['’]est) )"
    r"|wifi:t:|(?:ssid|wi-?fi|wlan|hotspot)[^.!?\n]{0,60}?(?:code|, then |[–—-] )|openssl[^\n]{0,80}?-k "
    r"|(?:use|with|as|try|creds:?) (?:root|admin|administrator|sa|postgres|ubuntu|pi|oracle|guest|deploy)/\S{4}"
)
_ELSE = re.compile(
    r"(?:protected|secured|crypted|guarded|locked|sealed|schützt|sichert|schlüsselt|riegelt|sperrt|protég|verrouill"
    r"|chiffr|cifrad|protegid|bloquead|criptat|protett|bloccat|beveiligd|versleuteld|vergrendeld)[^.!?\n]{0,60}? "
    r"(?:by|with|using|mit|par|avec|con|com|da|met)(?![a-z])"
    r"|(?:mit|met) \S{5,60} (?:ge|be|ver|zu)[a-zü]{3,14}[td](?![a-z])"
    r"|(?:prompt|asks|asked|gefragt)[^\n]{0,60}?(?:enter|type|use|give|answer|say|put|reply|wants|nimm|tippe|gib)"
    r"|(?:open|extract|unzip|decrypt|unlock|unpack|öffnen|entpack|entschlüss|uitpakken|ouvrir|abrir|aprir)"
    r"[^.!?\n:]{0,24}?(?::|[ ,](?:use|type|enter|nimm|gebruik|with|using|utilise|usa))[^\n]{0,4}[^\s\"'`]{5}"
    r"|(?:needs?|wants?|takes|braucht) \S{5,60} (?:to|zum) "
    r"|(?<![a-z])(?:(?:from|von|vom|de|da|du|van) |old(?: one| pw)?[:=] ?)[\"'`„“«]?"
    r"[^\s\"'`]{0,58}[\d!$%^&*~_#+=@][^\s\"'`]{0,58}"
    r"[\"'`”“»]?[,;/|]? ?(?:to|auf|zu|à|a|en|para|por|naar|op|new|->|=>|→)"
)
"""Locks, prompts, what opens something, and changes from one value to another."""
_PAIRS = re.compile(
    r"(?:log(?:ged|ging|s)?[ -]?(?:into|in|on)|sign(?:ed|ing|s)?[ -]?in|zugangsdaten|identifiants?|account"
    r"|user(?:name)?|ssh|ftp|wi-?fi|wlan|ssid|hotspot)(?![a-z]|-[a-z0-9])[^\n]{0,90}?"
    r"(?:[/:|,]| and | with | using )\s?(?:the )?(?:\S{0,60}?[\d!#$%^&*+=~@?]|(?:[^\s-]{1,60}-){3}"
    r"|(?:[^\s._]{1,60}[._]){3})"
)
_PROGRAMS_TEXT = (
    "mysql|mariadb|mycli|7z|rar |sshpass|zip |ssh |scp |sftp |plink|psexec|twine|ansible-vault|mongo|cqlsh|snowsql"
    "|sqlcmd|bcp |redis-cli|ldap|smbclient|rpcclient|impacket|cifs|curl|wget|http |httpie|lftp|rclone|ncftp|artifactory"
    "|jf |svn"
)
_PROGRAMS = tuple(_PROGRAMS_TEXT.split("|"))
_OPTION = re.compile(r"\s-(?:p|a|w|u)|\s--(?:user|proxy-user|auth)")
_RUN = re.compile(r"[A-Za-z0-9_-]{16,}")
_JOINT = re.compile(r"[_-]+")
_LEAST_PART = 6
_HARMLESS = re.compile(
    r"(?:rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|[0-9a-f]{40}|[0-9a-f]{64}|(?:toolu|call|tool|msg|fc)_[A-Za-z0-9]{16,48}"
)
"""Ids of sessions and of calls, and digests, which are in every event."""
_ENCODED = re.compile(r"[A-Za-z0-9+/]{40}|MI[IGH][A-Za-z0-9+/]{29}|MHcCAQEE|MC4CAQAw")
_WIDE = {0xFF01 + sign: 0x21 + sign for sign in range(94)} | {0x3000: 0x20}
_ODD = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U0001d400-\U0001d7ff\U000e0000-\U000e01ef]"
)
_KEYS = re.compile(r"(?<![a-z])(?:pin(?:[_-]?code)?|cvv|cvc|otp|sig|cookies?|pat|jwt)$")
_NAMING = ("name", "key", "field", "header", "variable", "id")
"""Keys whose value may say what another value is."""


def suspicious_value(value: Any) -> bool:
    """Whether a JSON value could hold a secret, in its texts, in its keys, or under one of them."""
    texts: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if not _HARMLESS.fullmatch(one):
                texts.append(one)
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            for key, inner in one.items():
                low = key.lower().strip()
                if _KEYS.search(low) or (low in _NAMING and isinstance(inner, str) and _KEYS.search(inner.lower())):
                    return True
            texts += one
            waiting += one.values()
    return suspicious("\n".join(texts))


def suspicious(text: str) -> bool:
    """Whether the text could hold a secret."""
    if not text.isascii():
        if _ODD.search(text):
            return True
        text = text.translate(_WIDE)
    low = text.lower()
    return (
        _holds_one(low, _WORDS)
        or (not low.isascii() and _holds_one(low, _WORDS_ELSEWHERE))
        or _holds_one(text, MARKS)
        or ("://" in low and "@" in low)
        or ("private" in low and ("<" in low or "&lt;" in low))
        or _NAMES.search(low) is not None
        or _PLACES.search(low) is not None
        or _TOLD.search(low) is not None
        or _PAIRS.search(low) is not None
        or _ELSE.search(low) is not None
        or _commands(low)
        or _runs(text)
    )


def _holds_one(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - quicker than any()
        if word in text:
            return True
    return False


def _commands(low: str) -> bool:
    """Programs that are given a password among their arguments, or by a pipe."""
    if ("echo " in low or "printf " in low) and _holds_one(low, ("sudo", "cryptsetup", "kinit")):
        return True
    return " -" in low and _holds_one(low, _PROGRAMS) and _OPTION.search(low) is not None


def _runs(text: str) -> bool:
    """Long runs that may have been drawn: letters with digits that are no id and no digest, or base64."""
    for run in _RUN.findall(text):
        if not run.isalpha() and not run.isdigit() and _is_mixed(run) and not _HARMLESS.fullmatch(run):
            return True
    return any(_telling(run) for run in _ENCODED.findall(text))


def _is_mixed(run: str) -> bool:
    """Whether a part of the run has letters and digits both."""
    return any(len(part) >= _LEAST_PART and not part.isalpha() and not part.isdigit() for part in _JOINT.split(run))


def _telling(run: str) -> bool:
    return len(run) < 40 or (not run.islower() and not run.isupper() and any(sign.isdigit() for sign in run))
