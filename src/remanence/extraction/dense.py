"""Whom a clause speaks of in Chinese and Japanese, which are written without blanks and often leave it out.

A pronoun is replaced where one person fits, or where the clause before spoke of one; a subject that was left out where
a person was the topic. A time ("現在は", "每周三她") is no topic.
"""

from __future__ import annotations

from remanence.extraction.chinese_clauses import (
    PRONOUNS,
    chinese_subject,
    people_in,
    without_time,
)
from remanence.extraction.japanese_clauses import TIME_TOPIC, TOPIC
from remanence.extraction.patterns import pattern

_REMEMBERED_CLAUSES = 6
_HONOURED = pattern(
    r"(?:さん|氏|様|くん|君|ちゃん|先生|部長|課長|社長|教授|博士|店長|監督|選手|(?:^|の)(?:母|父|妻|夫|兄|弟|姉|妹|"
    r"祖母|祖父|息子|娘|友人|上司|同僚))$"
)
_SHORT_NAME = pattern(r"(?:[\u3400-\u9fff]{2,5}|[ァ-ヶー・]{2,12})$")
# "では", "には" mark a place or time; "猫が好き", "コーヒーは飲みません" speak of the person who was the topic.
_NO_TOPIC = pattern(r"[でにとへ]は|からは|までは")
_OF_A_PERSON = pattern(
    r"(?:が|は)(?=好き|嫌い|大好き|得意|苦手|上手|下手|欲し|必要|でき|わか|分か)|が(?=あります|います|ある|いる)|"
    r"は(?=飲み|飲ま|飲め|食べ|吸い|吸わ)"
)


_ATTRIBUTE = pattern(
    r"(?:趣味|年齢|出身|専門|職業|仕事|誕生日|住所|血液型|特技|夢|妻|夫|息子|娘|兄|弟|姉|妹|父|母|両親|家族|担当|"
    r"役職|電話番号|連絡先|母校|給料|上司)は"
)


class DenseReferences:
    """Who was spoken of last, for pronouns and subjects that were left out."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.person = ""
        self.subject = ""
        self.clause = 0
        self.people: dict[str, tuple[str, int]] = {}  # name: gender, the clause that last named them

    def resolve(self, clause: str) -> str:
        """The clause with its pronoun or missing subject replaced, and what it speaks of remembered."""
        self.clause += 1
        if self.language == "zh":
            clause = self._chinese(clause)
            self.subject = chinese_subject(clause)
            for name, gender in people_in(clause):
                self.people[name] = (self.people.get(name, ("", 0))[0] or gender, self.clause)
                self.person = name
            return clause
        clause = self._japanese(clause)
        topic = TOPIC.match(clause)
        if topic and not TIME_TOPIC.match(clause):
            of_person = self.person and topic.group(1).startswith(self.person + "の")
            if topic.group(2) == "は" and topic.group(1)[-1] not in "でにとへ" and not of_person:
                self.subject = topic.group(1)
            if _HONOURED.search(topic.group(1)):
                self.person = topic.group(1)
        return clause

    def _chinese(self, clause: str) -> str:
        behind = without_time(clause)
        before = clause[: len(clause) - len(behind)]
        if behind[:1] in {"他", "她"} and behind[1:2] not in {"们", "人"}:
            name = self._meant("m" if behind[0] == "他" else "f")
            return before + name + behind[1:] if name else clause
        known = len(self.subject) > 1 and not self.subject.startswith(PRONOUNS) and self.subject not in self.people
        if behind.startswith("它") and behind[1:2] != "们" and known:
            return before + self.subject + behind[1:]
        if clause.startswith("该") and len(self.subject) > 2 and self.subject.endswith(clause[1:3]):
            return self.subject + clause[3:]
        return clause

    def _meant(self, gender: str) -> str:
        """The one person of this gender spoken of lately; where several may be, the one the last clause was about."""
        recent = {
            name: known
            for name, (known, said) in self.people.items()
            if self.clause - said <= _REMEMBERED_CLAUSES and known in {"", gender}
        }
        certain = [name for name, known in recent.items() if known == gender]
        fitting = certain if len(certain) == 1 else list(recent)
        if len(fitting) != 1:
            fitting = [name for name in recent if name == self.subject]
        if len(fitting) != 1:
            return ""
        self.people[fitting[0]] = (gender, self.clause)
        return fitting[0]

    def _japanese(self, clause: str) -> str:
        known = self.person or (self.subject if _SHORT_NAME.match(self.subject) else "")
        for pronoun in ("彼女", "彼"):
            if clause.startswith((pronoun + "は", pronoun + "の", pronoun + "が")) and known:
                return known + clause[len(pronoun) :]
        if self.person and self.subject == self.person and _ATTRIBUTE.match(clause):
            return f"{self.person}の{clause}"
        # Where a person was the topic and a sentence names no subject, it is still the person.
        named = _OF_A_PERSON.sub("", _NO_TOPIC.sub("", TIME_TOPIC.sub("", clause)))
        if self.person and self.subject == self.person and "は" not in named and "が" not in named:
            return f"{self.person}は{clause}"
        return clause
