"""Clauses and references in Chinese and Japanese, which are written without blanks.

Chinese: a comma ends a claim where the next part begins with a word that shares the subject ("并", "目前", "也") or
contrasts with it ("但", "而"). Japanese: a comma ends a claim after a verb in a joining form. A subject that was left
out is taken from the part or sentence before, when that had one.
"""

from __future__ import annotations

import re

from remanence.extraction.chinese import AFTER_NAME, BINDING, CARRYING, CONTRASTING, SURNAMES
from remanence.extraction.japanese import ENDING, JOINING

_LONGEST_SUBJECT = 14
_MOST_CHARACTERS = 600
_JOINED_BY = ("并且", "并", "同时", "而且", "且", "然后", "随后")
_SEMICOLON = re.compile(r"[；;]")
_COMMA = re.compile(r"[，,]")
_TOPIC = re.compile(r"^([^、。，]{1,20}?)(は|が)(?!、?[？?])")
_HONOURED = re.compile(r"(?:さん|氏|様|くん|君|ちゃん|先生|部長|課長|社長)$")
# "では", "には" mark a place or time; "猫が好き", "コーヒーは飲みません" speak of the person who was the topic.
_NO_TOPIC = re.compile(r"[でにとへ]は|からは|までは")
_OF_A_PERSON = re.compile(
    r"が(?=あります|います|ある|いる|好き|嫌い|得意|苦手|でき)|は(?=飲み|飲ま|食べ|吸い|吸わ|好き|嫌い)"
)
_HAN_ONLY = re.compile(r"[\u3400-\u9fff]{2,}$")


def chinese_clauses(sentence: str) -> list[str]:
    if len(sentence) > _MOST_CHARACTERS:
        return [sentence]
    found: list[str] = []
    for part in _SEMICOLON.split(sentence.rstrip("。")):
        current = ""
        subject = ""
        for piece in _COMMA.split(part):
            piece = piece.strip()
            if not current:
                current, subject = piece, chinese_subject(piece)
                continue
            cut = _chinese_cut(current, piece, subject)
            if cut is None:
                current = f"{current}，{piece}"
            else:
                found.append(current)
                current = cut
                subject = chinese_subject(cut) or subject
        if current:
            found.append(current)
    return [piece + "。" if sentence.endswith("。") else piece for piece in found]


def _chinese_cut(left: str, piece: str, subject: str) -> str | None:
    """The next claim with its subject, or None where the part belongs to the one before."""
    if left.startswith(BINDING) or piece.startswith(BINDING) or len(piece) < 3:
        return None
    contrast = next((word for word in CONTRASTING if piece.startswith(word)), "")
    rest = piece[len(contrast) :]
    joined = next((word for word in _JOINED_BY if rest.startswith(word)), "")
    rest = rest[len(joined) :]
    if chinese_name(rest) or rest.startswith(("他", "她", "它", "我", "你", "该", "这", "那")):
        return rest
    if rest.startswith(CARRYING) or joined:
        return subject + rest if subject else None
    if chinese_subject(rest):
        return rest
    return rest if contrast and not subject else None


def chinese_name(text: str) -> str:
    """The personal name a clause begins with: a surname, one or two characters, then what may follow a name."""
    if text[:1] not in SURNAMES:
        return ""
    for length in (3, 2):
        name = text[:length]
        if len(name) == length and _HAN_ONLY.match(name) and text[length:].startswith(AFTER_NAME):
            return name
    return ""


def chinese_subject(text: str) -> str:
    """What stands before the first word that follows a subject; "" where that is too far or nothing."""
    if text.startswith(("他", "她", "它", "我", "你")):
        return text[:2] if text[1:2] == "们" else text[:1]
    if name := chinese_name(text):
        return name
    if text.startswith(AFTER_NAME) or text.startswith(CARRYING) or text.startswith(BINDING):
        return ""
    for length in range(2, min(_LONGEST_SUBJECT, len(text) - 1)):
        if text[length:].startswith(AFTER_NAME) or text[length:].startswith(CARRYING):
            return text[:length]
    return ""


def japanese_clauses(sentence: str) -> list[str]:
    if len(sentence) > _MOST_CHARACTERS:
        return [sentence]
    found: list[str] = []
    current = ""
    topic = ""
    parts = sentence.split("、")
    for place, piece in enumerate(parts):
        if not current:
            current = piece
        else:
            topical = _TOPIC.match(piece)
            own = topical is not None and topical.group(2) == "は"
            if current.endswith(ENDING) or (own and current.endswith(JOINING) and _TOPIC.match(current)):
                found.append(current)
                current = piece if own or not topic else topic + piece
            else:
                current = f"{current}、{piece}"
        if (match := _TOPIC.match(current)) and match.group(2) == "は":
            topic = match.group()
        if place == len(parts) - 1:
            found.append(current)
    return found


class DenseReferences:
    """Who was spoken of last, for pronouns and subjects that were left out."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.person = ""
        self.subject = ""

    def resolve(self, clause: str) -> str:
        """The clause with its pronoun or missing subject replaced, and what it speaks of remembered."""
        if self.language == "zh":
            clause = self._chinese(clause)
            self.subject = chinese_subject(clause)
            self.person = chinese_name(clause) or self.person
            return clause
        clause = self._japanese(clause)
        topic = _TOPIC.match(clause)
        if topic and topic.group(2) == "は" and topic.group(1)[-1] not in "でにとへ":
            self.subject = topic.group(1)
        if topic and _HONOURED.search(topic.group(1)):
            self.person = topic.group(1)
        return clause

    def _chinese(self, clause: str) -> str:
        if clause[:1] in {"他", "她"} and clause[1:2] != "们":
            return self.person + clause[1:] if self.person else clause
        known = len(self.subject) > 1 and self.subject[0] not in "我你他她它" and self.subject != self.person
        if clause.startswith("它") and clause[1:2] != "们" and known:
            return self.subject + clause[1:]
        if clause.startswith("该") and len(self.subject) > 2 and self.subject.endswith(clause[1:3]):
            return self.subject + clause[3:]
        return clause

    def _japanese(self, clause: str) -> str:
        for pronoun in ("彼女", "彼"):
            if clause.startswith((pronoun + "は", pronoun + "の", pronoun + "が")) and self.person:
                return self.person + clause[len(pronoun) :]
        # Where a person was the topic and a sentence names no subject, it is still the person.
        named = _OF_A_PERSON.sub("", _NO_TOPIC.sub("", clause))
        if self.person and self.subject == self.person and "は" not in named and "が" not in named:
            return f"{self.person}は{clause}"
        return clause
