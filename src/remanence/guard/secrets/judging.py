"""Is it a secret's value? What stands after "password is" may as well be "wrong", `None` or `${PASSWORD}`.

A value that was set by a sign is believed unless it is a placeholder, code or a plain remark. One that was only said
must look like a secret: mixed of letters, digits and signs, not a version, date, amount, path or term of the trade.
Names that also mean harmless things ("token", "secret", "key") need a value that looks drawn at random.
"""

from __future__ import annotations

import re

from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.words import (
    BEGINNINGS,
    CHOSEN,
    COMPOUND_ENDS,
    DESCRIBING,
    OF_CODE,
    OF_TEMPLATES,
    PLACEHOLDER_WORDS,
    PROSE,
    REMARKS,
)

_OPEN = lazy(r"\$\{|\$\(|\{\{|\}\}|<%|%>|#\{|%\(|\[redacted|\{%|<<|\$\[|\$\$\{")
_VARIABLE = lazy(
    r"\$(?:[A-Z_][A-Z0-9_]*|[a-zA-Z_][a-zA-Z_]*|\d+)(?:(?:[\[:.]|->).*|-)?$|%[A-Za-z_][A-Za-z0-9_]*%$|@[A-Z_]+@$"
    r"|%[sdvqr]$|:[a-z_]+$|\?$|@[a-z_.]+$"
)
_WRAPPED = lazy(r"<.*>$|\[.*\]$|\{.*\}$|\(.*\)$|__.*__$|%.*%$", re.DOTALL)
_SUSPECT = lazy(r"[${}<>%#@\[\]()?:_]")
_MASKED = lazy(r"xxxx|\*\*\*\*|••|\.\.\.|…")
_PARTS = lazy(r"[^a-z]+")
_NOT_WORD = lazy(r"[\W_]+")
_FILLED = frozenset("xX*•.·-_#?…●○0 ")
_CALL = lazy(
    r"[A-Za-z_][\w.:>-]{0,80}[(\[]|(?:new|await|lambda|function|return|not|if|else|the|a|an) "
    r"|&?[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:;|$|\))"
)
_HOST = lazy(
    r"(?:[a-z0-9]+-)*(?:web|db|host|srv|server|node|vm|box|bastion|jump|gw|gateway|proxy|app|worker|port|cluster|site"
    r"|api"
    r"|ssh|vpn|win|windows|mac|linux|ubuntu|tab|step|env|team|project|region|zone|level|option|method|user|nas|switch"
    r"|router|printer|laptop|floor|room|page|chapter|version|phase|stage|q|slot|queue|job|build)-?\d{1,4}$",
    re.IGNORECASE,
)
# Words of a passphrase, bound by one sign: "copper.velvet.pigeon.rocket7".
_BOUND = lazy(r"[A-Za-z]{3,12}([-._])[A-Za-z]{3,12}(?:\1[A-Za-z]{3,12}){1,9}(?:[-._]?\d{1,4})?!?$")
_CONSTANT = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_IDENTIFIER = lazy(r"[A-Za-z]+(?:_[A-Za-z]+)+$|_?[a-z]+(?:[A-Z][a-z]+)+$|[A-Z]{2,}(?:_[A-Z0-9]+)+$")
_HARMLESS = lazy(
    r"v?\d+(?:\.\d+)+\S{0,12}$"  # versions, amounts, IPv4
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:t[\d:.z+-]*)?$|\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?$"  # dates, hours
    r"|[~$€£¥<>±+-]?\d+(?:[.,]\d+)*\s?(?:%|[a-z]{1,2}|min|hrs?|days?|sec|bits?|chars?|bytes?|[kmg]i?b|[kmgt]hz"
    r"|[kmg]bit|[kmg]bps|st|nd|rd"
    r"|th|x|px)?$"
    r"|[a-z][a-z./-]*:\d{1,5}(?:\.\d+)*$"  # a port, an image
    r"|[$€£]\d[\d.,]*(?:/\w+)?$|(?:[0-9a-f]{2}:){1,7}[0-9a-f]{2}$|#[a-z]{4,}$"  # money, addresses of devices, hashtags
    r"|(?-i:[A-Z]{2,8}-\d{1,6})$|(?:[1-9]\d{0,2}|\d{5,})-(?:[a-z]{3,}|of-\S*)$|\d+(?:-\d+)?-(?:day|bit|char|digit|word|hour|week"
    r"|month|year|minute|byte)\S*$"
    r"|[a-z][a-z0-9+.-]*://|(?:\.{0,2}/|~/|[a-z]:\\)\S*$|(?:[\w.-]+/)+[\w.-]*\.[a-z]{1,5}$|www\."
    r"|[\w.+-]+@[\w-]+\.[\w.-]+$|#\d+$|[a-z]+/[a-z]+$|[\w-]+\.(?:py|js|ts|go|rs|md|yml|yaml|json|toml|txt|env"
    r"|com|org|net|io|dev|html?|cfg|conf|ini|pem|sh)$",
    re.IGNORECASE,
)
_TRADE = lazy(
    r"(?:sha-?\d{1,3}(?:-\d+)?|md[45]|base-?\d\d|o?auth-?\d(?:\.\d)?|utf-?\d{1,2}|ascii|argon2\w{0,2}|bcrypt"
    r"|scrypt|pbkdf2|ed25519|x509|x\.509"
    r"|[hrep]s(?:256|384|512)|aes-?\d{3}\S{0,8}|aes-(?:cbc|gcm|xts|ctr|ecb)\S{0,20}|rsa-?\d{4}|http/?[123]?|https"
    r"|ipv[46]|k8s|i18n|l10n|s3|ec2|h2"
    r"|p256|tls1?\.?\d?|ssl3|web3|v\d+|utf8mb4"
    r"|2fa|mfa|u2f|fido2|1password|log4j|gpt-?\S{1,12}|claude-?\S{1,12}|llama-?\S{1,8}|python3?\S{0,4}"
    r"|node\d{0,2}|cl100k_base|o200k_base|es\d{4}"
    r"|[a-z]{2,6}-(?:east|west|north|south|central)\S{0,6}|jwt|saml2?|oidc|ldap|kerberos5?|non-empty|read-only"
    r"|write-only|e-?mail|case-sensitive)$",
    re.IGNORECASE,
)
# What a ledger or a store of contents calls something by; anybody may see it.
_PUBLIC = lazy(
    r"0x[0-9a-fA-F]{40}$|bc1[02-9ac-hj-np-z]{25,60}$|Qm[1-9A-HJ-NP-Za-km-z]{44}$|baf[ky][a-z2-7]{50,60}$"
    r"|(?:addr|cosmos|osmo|stake)1[0-9a-z]{30,110}$|G[A-Z2-7]{55}$|did:[a-z]|[Ss][Hh][Aa](?:1|256|384|512)[-:]"
    r"|AAAA[BCE]3NzaC1|AAAAE2VjZHNh"
)
UUID = lazy(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
_LICENSE = lazy(r"[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3,}$")
_SEPARATOR = lazy(r"[-_./:]")
_TURNS = lazy(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_UNUSUAL = lazy(r"[!#$%^&*+=~@]")
_CHANGES = lazy(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]")
_RUNS = lazy(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_UNSPOKEN = lazy(r"[^aeiouyAEIOUY]{5}|^[^aeiouyAEIOUY]{3,}$")
_HEX = lazy(r"[0-9a-fA-F]+$")
_WORD_ENDS = lazy(
    r"[a-zß-ÿ]*[aeiouyä-ü][a-zß-ÿ]*(?:ed|ing|ly|able|ible|ive|ful|less|ous|ory|ary|ity|ness|ment|tion|sion|ized|ised"
    r"|ical|onal|etic|atic|ically)$"
)
_DIGIT = lazy(r"\d")
_NO_DIGIT = lazy(r"[^\d\-'’._/,:()]")
_LETTER = lazy(r"[^\W\d_]")
_SIGN = lazy(r"[^\w\s\-'’./,:()&]")
_JOINT = lazy(r"(?<=[A-Za-z]{2})[-._](?=[A-Za-z]{2})")
# What only somebody types who was asked for a capital, a figure and a sign: "Winter42!cold".
_TYPED = lazy(
    r"(?=[^a-z]{0,60}[a-z])(?=[^A-Z]{0,60}[A-Z])(?=\D{0,60}\d)"
    r"[A-Za-z0-9][\w-]{0,60}[!#$%^&*~?][\w!#$%^&*~?-]{0,60}[A-Za-z0-9]"
)
_SETTING = lazy(
    r"(?:[a-z_-]{2,30}|[A-Z_]{2,30}|[A-Z]?[a-z]+(?:[A-Z][a-z]+){1,6})=$"
    r"|(?:[a-z_]{2,30}|[A-Z_]{2,30}|[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,6})=(?:[A-Za-z_\"'][^!#%^*~$]*|\d{1,9})$"
)
_COMPOUND = lazy(r"[^\W_]{1,20}(?:[-_.&+~][^\W_]{1,20}){1,5}[!?]?$")
_TITLED = lazy(r"[A-Z][a-z]+(?:[-_&+~][A-Z][a-z]+)+\d{0,4}$")
_HOST_END = lazy(
    r"\.(?:com|org|net|io|dev|internal|local|localhost|lan|corp|intern|home|cloud|app|info|biz|test|invalid|kdbx|pdf"
    r"|docx?"
    r"|xlsx?|csv|log|zip|tar|gz|[a-z]{2})$",
    re.IGNORECASE,
)
_LETTERS = lazy(r"[^\W\d_]+$")


def placeholder(value: str) -> bool:
    """Does a template, a variable or a mask stand where the secret would?"""
    bare = value.strip(" \t\"'`,;")
    if len(set(bare)) < 2 or (
        _SUSPECT.search(bare)
        and (_OPEN.search(bare) or _VARIABLE.match(bare) or (_WRAPPED.match(bare) and len(bare) > 2))
    ):
        return True
    low = bare.lower()
    if low in CHOSEN:
        return False
    if _FILLED.issuperset(low) or _MASKED.search(low):
        return True
    words = [word for word in _PARTS.split(low) if word]
    if words and PLACEHOLDER_WORDS.issuperset(words) and len(_DIGIT.findall(low)) <= 3:
        # "password1" and "admin123" are what people choose, and no template.
        return not (
            len(words) == 1 and low[-1].isdigit() and low[0].isalpha() and words[0] not in ("key", "token", "id")
        )
    return low.startswith(("your-", "your_", "my-super", "insert-", "example-", "sample-", "dummy-"))


def passphrase(value: str) -> bool:
    """Four words and more bound by one sign, or three and a number; none of them from a program."""
    if not _BOUND.match(value) or value.upper() == value:
        return False
    words = [word for word in _PARTS.split(value.lower()) if word]
    return (
        len(words) > (2 if value[-1].isdigit() else 3)
        and PLACEHOLDER_WORDS.isdisjoint(words)
        and OF_CODE.isdisjoint(words)
    )


def hostlike(value: str) -> bool:
    """The name of a machine, a room or a step: "web01"."""
    return _HOST.match(value) is not None


def setting(value: str) -> bool:
    """`name=value` of a program."""
    return _SETTING.match(value) is not None


def code(value: str) -> bool:
    """A call, an attribute, an index or a name from a program."""
    value = value.rstrip("!")
    if passphrase(value):
        return False
    return (
        bool(_CALL.match(value))
        or bool(_CONSTANT.match(value))
        or (bool(_IDENTIFIER.match(value)) and not any(c.isdigit() for c in value))
    )


def harmless(value: str) -> bool:
    """A version, date, amount, path, address or term of the trade."""
    if _TRADE.match(value):
        return True
    # A slash may also begin what was drawn at random.
    return bool(_HARMLESS.match(value)) and not (
        len(value) > 30 and value[0] in "/+" and not wordy(value) and value.count("/") < 5
    )


def mixed(value: str) -> bool:
    """Of letters and digits, or with signs that no word has inside."""
    if _DIGIT.search(value):
        return bool(_NO_DIGIT.search(value))
    if not _LETTER.search(value):
        return False
    return bool(_SIGN.search(value.rstrip("!*+"))) or len(_JOINT.findall(value)) > 2


def wordy(value: str) -> bool:
    """Made of words that can be spoken, with at most a few digits at the ends of them."""
    if len(_CHANGES.findall(value)) > 1 + len(value) // 8:
        return False
    for part in _RUNS.findall(value):
        if part.isdigit():
            if len(part) > 4:
                return False
        elif _UNSPOKEN.search(part):
            return False
    return True


def random_looking(value: str, least: int = 8) -> bool:
    """Drawn by a machine, as far as one can see."""
    if len(value) < least or " " in value:
        return False
    drawn = _DIGIT.search(value) or len(value) > 15 or _UNUSUAL.search(value)
    if not drawn or harmless(value) or _SETTING.match(value) or _PUBLIC.match(value):
        return False
    if UUID.match(value) or _LICENSE.match(value):
        return True
    if _HEX.match(value):
        return len(value) >= 16 and len(_DIGIT.findall(value)) > 1 and len(set(value)) > 4
    if not _LETTER.search(value):
        return False
    if _DIGIT.search(value):
        if len(value) >= 40 or not wordy(value) or len(_UNUSUAL.findall(value)) > 1:
            return True
        return len(value) >= 7 and not _SEPARATOR.search(value) and value[-1].isdigit()
    if len(value) >= 16 and len(_TURNS.findall(value)) >= 4 and not wordy(value):
        return True
    return bool(_UNUSUAL.search(value))


def plain_word(word: str, least: int = 5) -> bool:
    """A word that says nothing about a password, so it may be one: "swordfish", not "expired"."""
    word = word.rstrip("!")
    low = word.lower()
    return (
        len(word) >= least
        and bool(_LETTERS.match(word))
        and low not in DESCRIBING
        and (low in CHOSEN or low not in PLACEHOLDER_WORDS)
        and not _WORD_ENDS.match(low)
    )


def chosen(value: str) -> bool:
    """Words bound by signs as people choose them, which describe nothing: "Quokka_Smile", not "read-only"."""
    if not 5 < len(value) < 65 or not _COMPOUND.match(value) or harmless(value) or placeholder(value):
        return False
    parts = [part for part in _NOT_WORD.split(value.lower()) if part]
    first, last = parts[0], parts[-1]
    if max(map(len, parts)) < 3 or not any(part.isalpha() for part in parts) or hostlike(value):
        return False
    if not OF_TEMPLATES.isdisjoint(parts) or (value.upper() == value and "_" in value):
        return False
    if "." in value and (len(parts) < 3 or _HOST_END.search(value)):
        return False
    if last in DESCRIBING and last not in ("not", "me", "you"):
        return False
    return (
        first not in BEGINNINGS
        and last not in COMPOUND_ENDS
        and not ("." not in value and not _TITLED.match(value) and _WORD_ENDS.match(last))
    )


def titled(value: str) -> bool:
    """Words with capitals bound by a sign, which stand in no sentence by themselves: "Trombone-Case"."""
    return _TITLED.match(value) is not None and chosen(value)


def likely(value: str) -> bool:
    """After a word that means nothing but a password and a sign or verb: is it mixed, or words bound by signs?"""
    return said(value, True) or chosen(value)


def prose(value: str) -> bool:
    """Words with a space between that make a sentence, or more words than anyone types."""
    words = re.findall(r"\w+", value.lower()) if " " in value else []
    if len(words) < 2:
        return False
    told = sum(word in PROSE for word in words)
    known = sum(word in PROSE or word in REMARKS or word in PLACEHOLDER_WORDS for word in words)
    return told > 1 or len(words) > 12 or known == len(words) or "password" in value.lower()


def remark(word: str) -> bool:
    return word.lower() in REMARKS


def said(value: str, strong: bool) -> bool:
    """Does a value that was only said look like one? `strong`: after a word that means nothing but a password."""
    if value.isdigit():
        return strong and 4 <= len(value) <= 24
    if len(value) < 4 or not (mixed(value) or (not strong and len(value) > 15)):
        return False
    if placeholder(value) or code(value) or harmless(value) or _SETTING.match(value):
        return False
    return not remark(value) if strong else random_looking(value) or _TYPED.fullmatch(value) is not None
