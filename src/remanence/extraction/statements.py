"""Text in, atomic statements that stand alone out, in order; the same claim once.

Each block is cut into sentences and those into claims; chatter and questions are left out, pronouns replaced where
that is certain, and a claim that needs its heading, announcement, parent or speaker is given it. No model, no
dependency, linear in the text; nothing raises, whatever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from remanence.extraction.answers import completed, is_personal
from remanence.extraction.blocks import Block, Sort, blocks
from remanence.extraction.chatter import is_question, plain, says_nothing, without_openers
from remanence.extraction.claims import Claims, has_verb, is_scrap, lacks_subject
from remanence.extraction.documents import from_json, json_lines
from remanence.extraction.grammar import bare_word
from remanence.extraction.language import is_dense, language_of
from remanence.extraction.lexicon import split_words
from remanence.extraction.logs import event
from remanence.extraction.markup import pieces, readable, unmarked
from remanence.extraction.patterns import pattern
from remanence.extraction.record_names import names_only_itself
from remanence.extraction.sentences import sentences
from remanence.extraction.traits import described
from remanence.extraction.turns import ANSWER_LABELS, QUESTION_LABELS, is_quoting
from remanence.extraction.voice import spoken
from remanence.model.extraction import Fact
from remanence.model.words import folded

_LONGEST_LEAD = 120
_HEADING = "#"  # asks a question like a speaker
_CHANGES = split_words("added changed removed fixed deprecated security features bugfixes improvements")
_FILE = pattern(r"`?[\w./-]+\.\w{1,6}`?$")
_BOX = pattern(r"(?:Open|Done): ")
_SELF = split_words("me i ich moi yo 我 私です")
_LABEL = pattern(r"([^:：.!?(（]{1,40})(?:: |：)(?=\S)")
_PLACE = pattern(
    r"(?:\[`?[\w./-]+\.\w{1,6}(?::\d+(?:[-:]\d+)?)?`?\]|`?[\w./-]+\.\w{1,6}`?(?::\d+(?:[-:]\d+)?|"
    r",? lines? \d+(?:[-–]\d+)?|"
    r" \(?L\d+(?:-L?\d+)?\)?|#L\d+))(?:\s*[:—–-]+)?\s+(?=\S)"
)
_BOLD_LABEL = pattern(r"(?:\*\*|__)([^*\n]{1,60}?)(?:[.:]\s?(?:\*\*|__)|(?:\*\*|__)[.:])\s+(?=\S)")
_KEYED = pattern(r"[A-ZÄÖÜÉ][\w-]{2,20}: \S")
_SEVERAL = pattern(r"\w[.!?]\s+\w|[。！？].")
_QUOTED_TO = ('"', "”", "“", "»", '".', "”.", "“.", "».")
_CLOSING = pattern(
    r"(?:(?:all the )?best|(?:kind |warm |best )?regards|cheers|sincerely|thanks|thank you|yours|.{0,20}grüße?n?|lg|"
    r"mfg|vg|"
    r"(?:bien )?cordialement|bonne journée|amicalement|(?:un )?saludos?|atentamente|cordialmente)[\s,!.]*$",
    re.IGNORECASE,
)


def texts(text: str) -> list[str]:
    """The statements of a text, without what they are."""
    return [fact.text for fact in decompose(text)]


def decompose(text: str) -> list[Fact]:
    """The atomic, self-contained statements of a text, in its order."""
    seen: set[str] = set()
    facts: list[Fact] = []
    for statement, sort in _statements(readable(text)):
        for piece in pieces(statement):
            fold = folded(piece).rstrip(".!。 ")
            if fold not in seen and any(sign.isalnum() for sign in fold):
                seen.add(fold)
                facts.append(described(piece, logged=sort is Sort.LOG))
    return facts


def _statements(text: str) -> Iterator[tuple[str, Sort]]:
    if (events := json_lines(text)) is not None:
        yield from ((each, Sort.LOG) for each in events)
    elif (told := from_json(text)) is not None:
        yield from ((each, Sort.PAIR) for each in told)
    else:
        yield from _Decomposer(text).run()


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    completed: bool = False


class _Decomposer:
    """One pass over the blocks of a text, with what was said so far."""

    def __init__(self, text: str) -> None:
        self.language = language_of(text)
        self.colon = "：" if is_dense(self.language) else ": "
        self.blocks = blocks(text, self._has_verb)
        self.claims = Claims(self.language)
        self.events: set[str] = set()
        self.leads: dict[str, str] = {}
        self.question = ""
        self.asker = ""
        self.closed = False  # a closing formula was read: a signature may follow

    def run(self) -> Iterator[tuple[str, Sort]]:
        for block in self.blocks:
            if block.sort is Sort.BREAK:
                if block.leads:
                    self._under(unmarked(block.leads[0]))
                continue
            for statement in self._block(block):
                yield statement, block.sort

    def _under(self, heading: str) -> None:
        self.claims.references.forget_things()
        self.closed = False
        self.question, self.asker = (heading, _HEADING) if is_question(heading) else ("", "")

    def _block(self, block: Block) -> Iterator[str]:
        if block.sort is Sort.LOG:
            if (told := event(block.text)) not in self.events:
                self.events.add(told)
                yield " ".join(block.text.split())
        elif block.sort is Sort.ROW:
            yield unmarked(block.text)
        elif block.sort is Sort.COMMAND:
            yield f"{unmarked(block.leads[-1])} {block.text}"
        elif block.sort is Sort.PAIR:
            yield from self._pair(block)
        elif block.sort is Sort.REMARK:
            yield from (f"{block.leads[0]} — {claim.text}" for claim in self.claims.of(unmarked(block.text)))
        elif block.sort is Sort.ITEM:
            yield from self._item(block)
        else:
            yield from self._prose(block)

    def _pair(self, block: Block) -> Iterator[str]:
        *parents, key = (unmarked(lead) for lead in block.leads)
        mere_note = names_only_itself(key) or self.language.openers.match(key + ": ") is not None
        mere_note = mere_note or says_nothing(key, self.language)
        label = "" if mere_note else " ".join((*parents, key)) + self.colon
        value = plain(unmarked(block.text))
        if mere_note and bare_word(value.split(" ", 1)[0]) in self.language.determiners | self.language.personal:
            value = value[:1].upper() + value[1:]
        short = len(value) <= 10 if is_dense(self.language) else len(value.split()) <= 3
        if short or not (_SEVERAL.search(value) or self._has_verb(value)):
            if value and not is_question(value):
                yield label + value
            return
        quoting = is_quoting(key, value)
        for place, sentence in enumerate(sentences(value, self.language)):
            for claim in self.claims.of(sentence):
                stands_alone = _KEYED.match(claim.text) or (place and claim.whole and not quoting)
                yield claim.text if stands_alone else label + claim.text
            if quoting and sentence.endswith(_QUOTED_TO):
                label, quoting = "", False

    def _item(self, block: Block) -> Iterator[str]:
        text = unmarked(_BOLD_LABEL.sub(r"\1: ", block.text, count=1) if block.text[:2] in {"**", "__"} else block.text)
        mere_parent = text.endswith((":", "：")) or not self._has_verb(text)
        if block.parent and mere_parent and not text.endswith((".", "。")):
            return
        label = ""
        if match := _BOX.match(text):
            label, text = match.group(), text[match.end() :]
        if match := _PLACE.match(text):
            label, text = match.group(), text[match.end() :]
        elif (match := _LABEL.match(text)) and len(match.group(1).split()) <= 5:
            label += "" if names_only_itself(match.group(1)) else match.group()
            text = text[match.end() :]
        leads = [lead for lead in map(self._lead, block.leads) if lead]
        for claim in self.claims.of(text, keep_short=True):
            whole = claim.whole and not lacks_subject(claim.text, self.language) and not _BOX.match(label)
            yield self._needed(leads, block.parents, whole) + label + claim.text

    def _needed(self, leads: list[str], parents: int, whole: bool) -> str:
        """What of its leads an item needs to be understood: its parents, and the heading where it is no sentence."""
        parents = min(parents, len(leads))
        if not leads or (not parents and whole and not _FILE.match(leads[-1])):
            return ""
        count = parents + (0 if whole else 1)
        if not parents:
            count = 2 if leads[-1].lower() in _CHANGES else 1
        return "".join(lead + self.colon for lead in leads[-count:])

    def _lead(self, text: str) -> str:
        """A heading, announcement or parent as a label; "" where it says nothing."""
        if text not in self.leads:
            label = unmarked(text).rstrip(" :：.。").strip()
            empty = label.lower() in self.language.empty_headings or says_nothing(label + ":", self.language)
            self.leads[text] = "" if empty or len(label) > _LONGEST_LEAD else without_openers(label, self.language)
        return self.leads[text]

    def _prose(self, block: Block) -> Iterator[str]:
        text = unmarked(block.text)
        if block.speaker:
            yield from self._turn(text, block.speaker)
            return
        if self.closed and len(text.split()) <= 5 and not self._has_verb(text):
            return
        self.closed = self.closed or _CLOSING.match(text) is not None
        if self.question and self.asker == _HEADING:
            yield from self._turn(text, "")
            return
        for run in self._answered(text):
            if run.completed:
                yield run.text
                continue
            yield from self._claimed(run.text, block)

    def _claimed(self, text: str, block: Block) -> Iterator[str]:
        for claim in self.claims.of(text):
            if is_scrap(claim, self.language):
                continue
            lead = ""
            if not claim.whole and block.leads and len(claim.text.split()) <= 8 and not is_dense(self.language):
                lead = self._lead(block.leads[-1])
            yield f"{lead}: {claim.text}" if lead else claim.text

    def _answered(self, text: str) -> Iterator[_Run]:
        """A paragraph in which questions are answered: the answers that need their question, with it; and the rest."""
        if "?" not in text[:-1] and "？" not in text[:-1]:
            yield _Run(text)
            return
        rest: list[str] = []
        asked = ""
        for sentence in sentences(plain(text), self.language):
            answer = completed(asked, sentence, self.language, alone=False) if asked else ""
            if answer:
                yield _Run(" ".join(rest))
                yield _Run(answer, completed=True)
                rest = []
            else:
                rest.append(sentence)
            asked = without_openers(sentence, self.language) if is_question(sentence) else ""
        yield _Run(" ".join(rest))

    def _turn(self, text: str, speaker: str) -> Iterator[str]:
        """What a speaker says; "" and mere labels (Q, A) are not named."""
        asked, asker = self.question, self.asker
        self.question = ""
        named = bool(speaker) and speaker.lower() not in QUESTION_LABELS | ANSWER_LABELS
        said = sentences(plain(text), self.language)
        for place, sentence in enumerate(said):
            if asked and asker != speaker and place == 0:
                alone, listed = len(said) == 1 and asker != _HEADING, speaker.lower() in ANSWER_LABELS
                if named and sentence.lower().rstrip(".! ") in _SELF:
                    sentence = speaker
                answer = completed(asked, sentence, self.language, alone, listed)
                if answer:
                    yield speaker + self.colon + answer if named and is_personal(asked) else answer
                    continue
            for claim in self.claims.of(sentence):
                if not is_scrap(claim, self.language):
                    yield spoken(speaker, claim.text, self.language) if named else claim.text
        if said and is_question(said[-1]):
            self.question, self.asker = without_openers(said[-1], self.language), speaker

    def _has_verb(self, text: str) -> bool:
        return has_verb(text, self.language)
