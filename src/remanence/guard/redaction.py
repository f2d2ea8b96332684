"""Redaction for logs: the beginning of a text, without secrets; and of a query only what the store holds anyway."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from remanence.guard.secrets import redact
from remanence.model.words import STOP_WORDS, tokens_of, words

LEFT_OUT = "…"
MOST_CHARACTERS = 2000
_LOOKED_AHEAD = 400


def echoed(query: str, texts: Iterable[str], *, clean: bool = False) -> str:
    """Of a query the words that stand in these texts, and those that ask or bind; the others are left out.

    So a log of queries holds nothing that the store does not hold: no secret, and nothing that was purged. Where it is
    known to be `clean`, it is not looked through for secrets again.
    """
    held = [(text, text.lower() if text.isascii() else None) for text in texts]
    told = cache(tokens_of)  # a long text is taken apart once, not for every word of the query
    kept: list[str] = []
    for word in words(query if clean and len(query) <= MOST_CHARACTERS else redacted(query)):
        if word in STOP_WORDS or any((said is None or word in said) and word in told(text) for text, said in held):
            kept.append(word)
        elif not kept or kept[-1] != LEFT_OUT:
            kept.append(LEFT_OUT)
    return " ".join(kept)


def redacted(text: str) -> str:
    """The text without secrets, at most 2,000 characters of it."""
    kept = redact(text[: MOST_CHARACTERS + _LOOKED_AHEAD]).text
    if len(text) <= MOST_CHARACTERS + _LOOKED_AHEAD and len(kept) <= MOST_CHARACTERS:
        return kept
    # Cut where a word ends: the beginning of a secret is no secret's shape. What now ends the text may be one, though.
    while (cut := kept[:MOST_CHARACTERS].rpartition(" ")[0]) and (kept := redact(cut).text) != cut:
        pass
    return cut
