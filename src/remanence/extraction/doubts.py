"""What says no more than that its speaker doubts what was just said: "but I'm not 100% sure", "Könnte falsch sein".

A claim without its doubt says more than was said, so a mere doubt is never cut off from the claim before it.
"""

from __future__ import annotations

import re

from remanence.extraction.patterns import pattern

_MOST_SIGNS = 60
_DOUBT = pattern(
    r"(?:(?:but|though|aber|mais|pero),? )?(?:"
    r"(?:(?:i|we)(?: am| are|['’]m|['’]re),? |still |though |honestly )*(?:not|un)[ -]?(?:\w+ |100 ?% )?"
    r"(?:sure|certain|confirmed|decided|final)(?: (?:about|of|on) (?:it|that|this))?"
    r"|(?:i|we|that|this|it) (?:could|may|might) (?:well )?be (?:wrong|mistaken|outdated|off|false)"
    r"(?: (?:about|on) \w+)?"
    r"|(?:but )?(?:do not|don['’]t) quote me(?: on (?:that|this|it))?"
    r"|(?:that|this|it)(?: is|['’]s) (?:just |only |still )?(?:a guess|a rumou?r|unconfirmed|"
    r"not (?:sure|certain|confirmed|decided|final))"
    r"|nothing(?: is|['’]s)? (?:sure|certain|confirmed|decided|final)"
    r"|(?:(?:ich )?bin (?:ich )?(?:mir )?(?:da )?)?(?:noch )?nicht (?:\w+ )?sicher"
    r"|(?:das )?(?:könnte|kann) (?:aber )?(?:auch )?falsch sein|(?:alle angaben )?ohne gewähr"
    r"|(?:das )?ist (?:aber )?(?:noch )?nicht (?:\w+ )?(?:sicher|entschieden|bestätigt)"
    r"|(?:je ne suis |ce n['’]est )?pas (?:\w+ )?(?:sûre?|certaine?|confirmé|décidé)|à confirmer"
    r"|no (?:estoy|está) (?:\w+ )?(?:segur[oa]|confirmado|decidido)"
    r"|(?:但是?|不过)?(?:我|我们|还|也)*(?:不太?|没有?|未|尚未)(?:确定|确认|决定|肯定)(?:是否\w{0,8})?。?"
    r"|(?:ただし?|でも)?(?:、)?(?:まだ)?(?:未定|未確認|確かではない|確定していない)(?:です)?。?"
    r")(?:,? (?:though|yet|however|tho|anymore|either|aber|noch|encore|todavía|aún))*[.!…]*$",
    re.IGNORECASE,
)


def is_doubt(text: str) -> bool:
    """Whether a sentence, or the rest of one, is a doubt of the claim before it and nothing else."""
    return len(text) <= _MOST_SIGNS and _DOUBT.match(text) is not None
