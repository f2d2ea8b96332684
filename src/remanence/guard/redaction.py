"""Redaction: secrets of known shapes are taken out of a text before anything keeps it.

Private parts, keys in PEM, JSON web tokens, passwords in addresses, tokens by their makers' prefixes, and what follows
a word like "password" or "api_key". Long texts are cut first: what is kept of a query needs no more.
"""

from __future__ import annotations

import re

MARK = "[redacted]"
MOST_CHARACTERS = 2000
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
_IN_ADDRESS = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}):[^\s/@]{1,200}@", re.IGNORECASE)
_NAMED = re.compile(
    r"(\b(?:password|passwd|passphrase|pwd|secret|token|api[_ -]?key|access[_ -]?key|bearer)\b"
    r"[\"']?\s*(?:[:=]|\bis\b)?\s*)"
    r"([\"']?)(?=[^\s\"']*[\d!@#$%^&*_+=-])[^\s\"']{6,200}\2",
    re.IGNORECASE,
)


def redacted(text: str) -> str:
    """The text without secrets, at most 2,000 characters of it."""
    cut = text[:MOST_CHARACTERS]
    cut = _WHOLE.sub(MARK, cut)
    cut = _IN_ADDRESS.sub(rf"\1:{MARK}@", cut)
    return _NAMED.sub(rf"\1{MARK}", cut)
