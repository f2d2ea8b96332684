"""Claims of a Japanese sentence: a comma ends one after a verb in a joining form, and the topic goes on."""

from __future__ import annotations

from remanence.extraction.japanese import ENDING, JOINING, PROFESSIONS, STEMS, TIMES
from remanence.extraction.patterns import pattern

_MOST_CHARACTERS = 600
TOPIC = pattern(r"^([^、。，]{1,24}?)(は|が)(?!、?[？?])")
TIME_TOPIC = pattern(
    rf"^(?:{'|'.join(TIMES)}|\d+[年月日時](?:\d+[月日分])?|(?:[週月年日]に)?[一二三四五六七八九十\d]+(?:日|回|度|"
    rf"時間|割|%))"
    r"(?:の[朝昼夜春夏秋冬])?(?:から|まで)?は、?"
)
# "飼っているが" → "飼っている", "使っており" → "使っている": a claim ends without what joined it.
_JOINED = (
    (pattern(r"(?<=[うくぐすつぬぶむるたいだん])(?:が|けど|けれど|けれども|し)$"), ""),
    (pattern(r"(?<=[てで])(?:おり|いて)$"), "いる"),
    (pattern(r"であり$"), "である"),
    (pattern(r"(?<=[にがは])あり$"), "ある"),
    (pattern(r"(?<=[\u3400-\u9fffァ-ヶー])で$"), "だ"),
)
_VERB_STEM = pattern(r"(?:[\u3400-\u9fffァ-ヶー](?:し|り|き|ち|み|び|ぎ|い|え|れ|め|け|せ|げ)|され|られ|なり|あり)$")
_IS_A = pattern(rf"(?:{'|'.join(PROFESSIONS)})で$")
_IS = pattern(r"(?:[\u3400-\u9fffァ-ヶーA-Za-z\d])で$")
_DOES = pattern(r"[をに][^をに]{0,8}[\u3400-\u9fffァ-ヶー]{2,}し$")
_HAS_OBJECT = pattern(r"[をがに]")


def japanese_clauses(sentence: str) -> list[str]:
    if len(sentence) > _MOST_CHARACTERS:
        return [sentence]
    found: list[str] = []
    current = topic = ""
    for piece in filter(None, sentence.split("、")):
        if not current:
            current = piece
        elif _ends(current, piece):
            found.append(_alone(current))
            current = piece if _topic(piece) or not topic else topic + piece
        else:
            current = f"{current}、{piece}"
        topic = _topic(current) or topic
    return [*found, current] if current else found


def _topic(text: str) -> str:
    """The topic a clause begins with, with its particle; a time is none."""
    if match := TIME_TOPIC.match(text):
        text = text[match.end() :]
    match = TOPIC.match(text)
    return match.group() if match and match.group(2) == "は" else ""


def _ends(left: str, following: str) -> bool:
    """Whether a claim ends with the left part."""
    own = _topic(following)
    if left.endswith(ENDING):
        return True
    topical = TOPIC.match(left)
    if own:
        if _VERB_STEM.search(left) and _HAS_OBJECT.search(left):
            return True
        return topical is not None and (left.endswith(JOINING) or (topical.group(2) == "は" and bool(_IS.search(left))))
    if topical is None and _DOES.search(left) and "を" in following:
        return True
    if topical is None or topical.group(2) != "は" or len(left) - topical.end() <= 1:
        return False
    if _IS_A.search(left[topical.end() :]):
        return True
    acts = "を" in left and "を" in following and _VERB_STEM.search(left) is not None
    return len(left) - topical.end() > 3 and (left.endswith(STEMS) or acts)


def _alone(clause: str) -> str:
    for joined, instead in _JOINED:
        clause = joined.sub(instead, clause)
    return clause
