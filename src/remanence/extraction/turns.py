"""Who speaks in a dialogue: labels before a colon that repeat, are roles, are first names or carry a time.

A label that stands once among other keys ("Owner: Anna") is no speaker.
"""

from __future__ import annotations

import re
from collections import Counter

from remanence.extraction.first_names import FEMININE, MASCULINE
from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern

_DATE = (
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? |[A-Z][a-z]{2,8} \d{1,2}(?:, \d{4})?,? |"
    r"\d{4}-\d\d-\d\d[T ,]*|\d{1,2}[./]\d{1,2}[./]\d{2,4},? *)?"
)
_TIME = rf"(?:\[?\(?{_DATE}\d{{1,2}}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AaPp][Mm])?\)?\]?)"
_LABEL = r"(?P<label>[^\W\d_][\w.'’-]*(?: [^\W\d_(][\w.'’-]*){0,3}(?: \d{1,2})?)"
_TURN = pattern(
    rf"(?:[-*•] )?(?:(?P<time>{_TIME})\s{{0,3}}(?:[-–]\s{{0,3}})?)?(?:\*\*|__)?<?@?{_LABEL}>?(?:\*\*|"
    rf"__)?\s{{0,3}}(?P<late>{_TIME}|\([^()\n]{{1,30}}\))?"
    rf"(?P<colon>\s{{0,2}}[:：](?:\*\*|__)?(?:\s+|(?<=：))|(?<=>)\s)(?P<said>.*)"
)
_STAMPED = pattern(rf"(?:\*\*)?{_LABEL}(?:\*\*)?\s{{1,4}}(?:[—–-]\s{{0,3}})?(?:Today at |Yesterday at )?{_TIME}\s*$")
ROLES = split_words(
    "user assistant human ai bot agent system customer support client interviewer interviewee moderator host guest "
    "speaker "
    "caller operator doctor patient teacher student developer reviewer nutzer kunde assistent utilisateur usuario "
    "asistente "
    "用户 助手 客服 客户 ユーザー アシスタント 店員 客 me you"
)
_BEFORE_TIMES = split_words(
    "at by until till from since to around on before after um ab bis gegen à vers a hasta desde"
)
QUESTION_LABELS = split_words("q question frage pregunta 问 問")
ANSWER_LABELS = split_words("a answer antwort respuesta réponse 答")
_FIRST_NAMES = FEMININE | MASCULINE
_SAYING = split_words(
    "said says wrote writes replied answered asked added noted sagte sagt schrieb schreibt meinte antwortete fragte "
    "dit écrit répondit répond demanda dijo dice escribió respondió preguntó"
)
_TALK = pattern(
    r"(?:^|\W)(?:i|i'll|i'm|you|we|me|my|let's|ich|du|wir|je|tu|nous|yo)(?:\W|$)|[?!？！]|我|你|私", re.IGNORECASE
)
_NO_SPEAKERS = split_words(
    "note notes todo warning error info debug fix fixes fixed added changed removed important summary http https "
    "file line "
    "decision deadline owner status project date time name title subject from to cc version port host url repo path "
    "type key "
    "value result results cause reason step example action item goal scope risk budget contact address phone email "
    "tip ps edit "
    "update nit question answer usage warn critical fatal"
)


def is_quoting(label: str, said: str) -> bool:
    """ "Tom said:" before a quotation: only what stands in its marks is said by Tom."""
    return said[:1] in {*'"“„«'} and label.rsplit(maxsplit=1)[-1].lower() in _SAYING


def match_turn(line: str, speakers: frozenset[str]) -> tuple[str, str] | None:
    """Speaker and words of a line that begins a turn."""
    line = line.strip()
    match = _TURN.match(line[:400])
    if match is None or match.group("label").lower() not in speakers:
        return None
    label, said = match.group("label"), line[match.start("said") :].strip()
    if is_quoting(label, said):
        return None
    who, _, verb = label.rpartition(" ")
    return (who if who and verb.lower() in _SAYING else label), said


def match_stamp(line: str, speakers: frozenset[str]) -> str | None:
    """The speaker of a line that holds nothing but a name and a time."""
    line = line.strip()
    match = _STAMPED.match(line[:120]) if line[-1:].isdigit() or line[-1:] in "mM])" else None
    return match.group("label") if match and match.group("label").lower() in speakers else None


def _is_handle(label: str) -> bool:
    """ "Ines", "nkechi", "Auntie Rose"; not "the slot moved to" before a time."""
    words = label.split()
    return label not in _BEFORE_TIMES and (len(words) == 1 or all(not word[:1].islower() for word in words))


def find_speakers(lines: list[str]) -> frozenset[str]:
    """The labels, in lower case, that are speakers of this text."""
    counts: Counter[str] = Counter()
    timed: set[str] = set()
    talking: set[str] = set()
    answering: set[str] = set()
    asked = False
    shown: dict[str, str] = {}
    for line in lines:
        if ":" not in line and "：" not in line and ">" not in line:
            continue
        head = line.strip()[:400]
        match = _TURN.match(head)
        if match is not None:
            label = match.group("label").lower()
            if label in _NO_SPEAKERS or not match.group("said") or is_quoting(label, match.group("said")):
                continue
            counts[label] += 1
            if asked:
                answering.add(label)
            asked = match.group("said").rstrip().endswith(("?", "？"))
            shown.setdefault(label, match.group("label"))
            if match.group("time") or match.group("late") or match.group("colon").isspace():
                timed.add(label)
            if _TALK.search(match.group("said")[:200]):
                talking.add(label)
        elif (stamp := _STAMPED.match(head)) is not None and _is_handle(stamp.group("label")):
            label = stamp.group("label").lower()
            counts[label] += 1
            timed.add(label)
            talking.add(label)
    names = {label for label in counts if label.split()[0] in _FIRST_NAMES and len(label.split()) <= 3}
    roles = {label for label in counts if label.split()[0] in ROLES}
    labelled = {label for label in counts if label in QUESTION_LABELS | ANSWER_LABELS}
    if not (labelled & QUESTION_LABELS and labelled & ANSWER_LABELS):
        labelled = set()
    sure = {label for label in counts if label in timed or (counts[label] > 1 and label in talking)} | roles | names
    if not sure & talking and sum(counts[label] for label in sure) < 4:
        return frozenset(labelled)
    # Between people who speak, a capitalised single label is one more of them.
    others = {
        label
        for label in counts
        if len(label.split()) <= 2
        and not shown.get(label, "a")[:1].islower()
        and (label in talking or label in answering or counts[label] > 1)
    }
    return frozenset(sure | labelled | (others if len(sure) > 1 or len(others | sure) > 1 else set()))
