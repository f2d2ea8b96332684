"""Redaction: secrets of known shapes are taken out of a text before anything keeps it.

Private parts, keys in PEM, JSON web tokens, passwords in addresses, tokens by their makers' prefixes, and what is set
or said after a word like "password" or "api_key". Of a long text only the beginning is looked at and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from remanence.model.words import STOP_WORDS, tokens_of, words

MARK = "[redacted]"
LEFT_OUT = "…"
MOST_CHARACTERS = 2000
_LOOKED_AHEAD = 400
_WHOLE = re.compile(
    r"<private>.*?(?:</private>|$)"
    r"|-----BEGIN [A-Z ]{2,40}-----.*?(?:-----END [A-Z ]{2,40}-----|$)"
    r"|\beyJ[\w-]{6,}\.[\w-]{4,}\.?[\w-]*"
    r"|\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{30,}|\bxox[abprs]-[\w-]{10,}|\bhf_[A-Za-z0-9]{16,}"
    r"|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bnpm_[A-Za-z0-9]{30,}",
    re.DOTALL | re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}):[^\s/]{1,200}@", re.IGNORECASE)
_NAME = r"(?:\b|_)(?:password|passwd|passphrase|pwd|secret|token|api[_ -]?key|access[_ -]?key|bearer)(?:_key|\b)"
# What is set by a sign is a secret whatever it looks like; what is only said must look like one.
_SET = re.compile(rf"({_NAME}[\"']?\s*[:=]\s*)([\"']?)[^\s\"']{{6,200}}\2", re.IGNORECASE)
_SAID = re.compile(
    rf"({_NAME}[\"']?\s*(?:\bis\b)?\s*)([\"']?)(?=[^\s\"']*[\d!@#$%^&*_+=-])[^\s\"']{{6,200}}\2", re.IGNORECASE
)


def echoed(query: str, texts: Iterable[str]) -> str:
    """Of a query the words that stand in these texts, and those that ask or bind; the others are left out.

    So a log of queries holds nothing that the store does not hold: no secret, and nothing that was purged.
    """
    held = [(text, text.lower() if text.isascii() else None) for text in texts]
    kept: list[str] = []
    for word in words(redacted(query)):
        if word in STOP_WORDS or any((said is None or word in said) and word in tokens_of(text) for text, said in held):
            kept.append(word)
        elif not kept or kept[-1] != LEFT_OUT:
            kept.append(LEFT_OUT)
    return " ".join(kept)


def redacted(text: str) -> str:
    """The text without secrets, at most 2,000 characters of it."""
    looked_at = _WHOLE.sub(MARK, text[: MOST_CHARACTERS + _LOOKED_AHEAD])
    looked_at = _IN_ADDRESS.sub(rf"\1:{MARK}@", looked_at)
    looked_at = _SET.sub(rf"\1{MARK}", looked_at)
    kept = _SAID.sub(rf"\1{MARK}", looked_at)
    if len(text) <= MOST_CHARACTERS + _LOOKED_AHEAD and len(kept) <= MOST_CHARACTERS:
        return kept
    # Cut where a word ends: the beginning of a secret is no secret's shape.
    return kept[:MOST_CHARACTERS].rpartition(" ")[0] if " " in kept[:MOST_CHARACTERS] else ""
