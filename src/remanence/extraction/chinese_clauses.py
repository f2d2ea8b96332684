"""Claims of a Chinese sentence, and whom or what each speaks of.

A comma ends a claim where both sides have a predicate and neither is bound to the other ("因为", "如果"). A part that
begins with its predicate shares the subject before it. What somebody said, behind "说，", stays whole.
"""

from __future__ import annotations

from remanence.extraction.chinese import (
    BINDING,
    BROTHERS,
    COMPOUND_SURNAMES,
    CONTRASTING,
    JOINED_BY,
    NOUN_PREDICATES,
    PREDICATES,
    REPORTING,
    ROLES,
    SISTERS,
    SURNAMES,
)
from remanence.extraction.doubts import is_doubt
from remanence.extraction.patterns import pattern

PRONOUNS = ("他", "她", "它", "我", "你", "咱", "您")
_LONGEST_SUBJECT = 16
_MOST_CHARACTERS = 600
_POINTING = ("该", "这", "那", "大家", "双方", "所有", "有人", "没人")
_SEMICOLON = pattern(r"[；;]")
_COMMA = pattern(r"[，,](?!\d{3}(?!\d))")
_HAN = pattern(r"[\u3400-\u9fff]+$")
_COUNT = r"[\d〇零一二三四五六七八九十两几半多.]+"
_UNIT = (
    r"(?:个?(?:年|月|周|星期|礼拜|季度|学期|天|日|号|晚|小时|分钟|秒|点|时|刻)(?:[一二三四五六日天末初底中]|半|钟)?)"
)
_WHEN = pattern(
    rf"(?:(?:(?:自|从|到|在|截至|大约)?(?:每|本|上|下|这|今|明|昨|去|前|后|当|近|"
    rf"第)?(?:{_COUNT})?(?<=[每本上下这今明昨去前后当近\d一二三四五六"
    rf"七八九十两几半多]){_UNIT})|上午|下午|中午|晚上|早上|清晨|傍晚|凌晨|目前|现在|以前|之前|之后|以后|此前|近期|"
    rf"最近|平时|周末|春天|夏天|"
    r"秋天|冬天|春季|夏季|秋季|冬季|年初|年底|月底|当时|后来|业余时间|闲暇时|空闲时|工作日|小时候|节假日|(?:周|"
    r"星期)[一二三四五六日天]|\d{1,2}[:：]\d\d|以来|以内|左右|(?<=[年月日天周点号])"
    r"(?:起|前|后|内|的))+"
)


_AFTERWARDS = pattern(r"[^，的是了]{2,8}?(?:之后|以后|之前|以前|期间)(?=[^的，])")


def _predicate(word: str) -> str:
    sign, _, not_before = word.partition("!")
    return f"{sign}(?![{not_before}])" if not_before else sign


_PREDICATE = pattern("|".join(map(_predicate, sorted(PREDICATES, key=len, reverse=True))))
_NOUN_PREDICATE = pattern(rf"(?:{'|'.join(NOUN_PREDICATES)})(?=[了过到在为至成给\d《“一两三每])")
_BOUND = pattern("|".join(map(_predicate, BINDING)))
_NO_NAME = frozenset("的了们个这那和与")
_DONE = pattern(r"[\u3400-\u9fff]{1,3}了(?=.)")
_GIVEN = pattern(rf"(?:{'|'.join((*ROLES, *SISTERS, *BROTHERS))})(?=[\u3400-\u9fff])")
_NOT_IN_SUBJECT = (
    "于",
    "并",
    "再",
    "先",
    "就",
    "都",
    "才",
    "请",
    "到",
    "收",
    "看",
    "打",
    "交",
    "读",
    "听",
    "坐",
    "约",
    "更",
    "和",
)


def chinese_clauses(sentence: str) -> list[str]:
    if len(sentence) > _MOST_CHARACTERS:
        return [sentence]
    found: list[str] = []
    for part in _SEMICOLON.split(sentence.rstrip("。")):
        current = subject = ""
        for piece in filter(None, map(str.strip, _COMMA.split(part))):
            cut = _cut(current, piece, subject) if current else None
            if cut is not None:
                found.append(current)
            current = cut if cut is not None else f"{current}，{piece}" if current else piece
            subject = chinese_subject(cut if cut is not None else current) or subject
        if current:
            found.append(current)
    return [piece + "。" if sentence.endswith("。") else piece for piece in found]


def _cut(left: str, piece: str, subject: str) -> str | None:
    """The next claim with its subject, or None where the part belongs to the one before."""
    if _BOUND.match(left) or _BOUND.match(piece) or len(piece) < 3 or is_doubt(piece):
        return None
    if any(said.endswith(REPORTING) for said in left.split("，")) or not has_predicate(left):
        return None
    contrast = next((word for word in CONTRASTING if piece.startswith(word)), "")
    rest = piece[len(contrast) :].lstrip("，")
    joined = next((word for word in JOINED_BY if rest.startswith(word)), "")
    rest = rest[len(joined) :]
    behind = without_time(rest)
    if _BOUND.match(rest) and not joined:
        return None
    if chinese_name(behind) or behind.startswith((*PRONOUNS, *_POINTING)) or chinese_subject(behind):
        return rest if has_predicate(behind) else None
    if begins_with_predicate(behind) or joined or contrast:
        return subject + rest if subject else rest if contrast else None
    return None


def without_time(text: str) -> str:
    match = _AFTERWARDS.match(text) or _WHEN.match(text)
    return text[match.end() :].lstrip("，") if match and match.end() < len(text) else text


def has_predicate(text: str) -> bool:
    if _WHEN.fullmatch(text):
        return False
    return _PREDICATE.search(text) is not None or _NOUN_PREDICATE.search(text) is not None or text.endswith("了")


def begins_with_predicate(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_PREDICATE, _NOUN_PREDICATE, _DONE))


def chinese_name(text: str) -> str:
    """The personal name a text begins with: a surname, one or two characters, then what may follow a name."""
    if text[:2] in COMPOUND_SURNAMES:
        lengths: tuple[int, ...] = (4, 3)
    elif text[:1] in SURNAMES or (text[:1] in "小老阿" and text[1:2] in SURNAMES):
        lengths = (3, 2)
    else:
        return ""
    for length in lengths:
        known = _PREDICATE.match(text, length - 1)
        if length == lengths[0] and known and len(known.group()) > 1:
            continue  # "李雷认为": not "李雷认"
        name, rest = text[:length], text[length:]
        if (
            len(name) == length
            and _HAN.match(name)
            and not _PREDICATE.search(name[1:])
            and not _NO_NAME.intersection(name)
            and _may_follow(rest)
        ):
            return name
    return ""


def _may_follow(rest: str) -> bool:
    behind = without_time(rest)
    signs = ("的", "，", "和", "与", "、", "（", "(", *SISTERS, *BROTHERS, *ROLES)
    return not rest or behind != rest or begins_with_predicate(rest) or rest.startswith(signs)


def people_in(text: str) -> list[tuple[str, str]]:
    """The people a clause names, each with the gender its words tell: at its beginning, or behind what they are."""
    found: dict[str, str] = {}
    behind = without_time(text)
    if name := chinese_name(behind):
        after = behind[len(name) :]
        found[name] = (
            "f" if after.startswith(("女士", "小姐", "太太", "阿姨")) else "m" if after.startswith("先生") else ""
        )
    for match in _GIVEN.finditer(text):
        if name := chinese_name(text[match.end() :].rstrip("。")):
            word = match.group()
            found.setdefault(name, "f" if word in SISTERS else "m" if word in BROTHERS else "")
    return list(found.items())


def chinese_subject(text: str) -> str:
    """Whom or what a clause speaks of, without its time; a person by name; "" where that is left out or too far."""
    text = without_time(text.partition("，")[0])
    if name := chinese_name(text):
        after = text[len(name) :]
        if not after.startswith("的"):
            return name
    if text.startswith(PRONOUNS) and text[1:2] != "的" and not text[1:].startswith((*SISTERS, *BROTHERS)):
        return text[:2] if text[1:2] == "们" else text[:1]
    if begins_with_predicate(text) or _BOUND.match(text):
        return ""
    for length in range(2, min(_LONGEST_SUBJECT, len(text))):
        rest = text[length:]
        begins = begins_with_predicate(rest) and not rest.startswith(_NOT_IN_SUBJECT)
        if begins or _WHEN.match(rest):
            whole = text[:length]
            named = [name for name, _ in people_in(whole)]
            return named[-1] if named and whole.endswith(named[-1]) else whole
    return ""
