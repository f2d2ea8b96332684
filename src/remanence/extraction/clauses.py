"""A sentence into its main clauses, for languages written with blanks.

A sentence is cut at "and", "but", "so", ";", a dash or a comma only where both sides have a verb of their own. A right
side without a subject is given the one of the left, with its modal or auxiliary where the verb needs it. What qualifies
a claim (because, if, when, that, which …) stays with it: inside such a clause nothing is cut.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from remanence.extraction.brackets import inside
from remanence.extraction.counts import counted
from remanence.extraction.doubts import is_doubt
from remanence.extraction.german import INFINITIVE, PARTICIPLE
from remanence.extraction.grammar import CONDITIONS, Parse, Sentence
from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.neighbours import CLITICS
from remanence.extraction.sentences import as_sentence

MOST_WORDS = 160
_LOOKED_AHEAD = 16
_LONGEST_SUBJECT = 9
_DASHES = frozenset({"—", "–", "-", "--"})
_PLURAL_VERBS = split_words("are were have do aren't weren't haven't don't sind haben sont ont son han")
_PURPOSES = split_words("can could doesn't doesnt don't dont won't wouldn't")
_PERSONS = split_words("i we he she they er sie wir ich il elle ils elles nous je")
_PASSING = split_words("finally also then just already recently first now immediately later")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the left side ends, where the right begins, and what the right must be given."""

    end: int
    right: int
    carried: str = ""


def main_clauses(sentence: str, lexicon: Lexicon) -> list[str]:
    """The claims of a sentence, in order."""
    tokens = sentence.split()
    if not lexicon.finite or not 4 <= len(tokens) <= MOST_WORDS:
        return [sentence]
    cutter = _Cutter(Sentence(tokens, lexicon))
    ending = "." if sentence.endswith(".") else ""
    clauses: list[str] = []
    place = 1
    while place < len(tokens) - 1:
        cut = None if cutter.inside[place] else cutter.cut(place)
        if cut is not None and not cut.carried and (things := counted(cutter.sentence, cutter.start, cut.right)):
            cut = Cut(cut.end, cut.right + 1, things)
        if cut is None or (not cut.carried and cutter.sentence.points_back(cut.right)):
            place += 1
            continue
        clauses.append(as_sentence(cutter.carried, tokens[cutter.start : cut.end], ending))
        cutter.start, cutter.carried = cut.right, cut.carried
        place = cut.right + 1
    clauses.append(as_sentence(cutter.carried, tokens[cutter.start :], ""))
    return clauses


class _Cutter:
    """A sentence on its way from left to right; `start` is where the clause begins that is not yet ended."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.tokens = sentence.tokens
        self.lexicon = sentence.lexicon
        self.inside = inside(sentence.tokens)
        self.start = 0
        self.carried = ""

    def cut(self, place: int) -> Cut | None:
        token, word, lexicon = self.tokens[place], self.words[place], self.lexicon
        if token.endswith(";") or token in _DASHES:
            return self._at_sign(place)
        if word in lexicon.joining or word in lexicon.contrasting:
            return self._at_conjunction(place)
        if word == "so" and lexicon.name == "en":
            return self._at_so(place)
        return self._at_comma(place) if token.endswith(",") else None

    def _at_sign(self, place: int) -> Cut | None:
        dash = self.tokens[place] in _DASHES
        end, right = (place if dash else place + 1), place + 1
        if end - self.start < 2 or (dash and not self._complete(end)):
            return None
        if not dash and not self._complete(end):
            # What follows a semicolon stands alone where it has a subject, whatever the left side is.
            bound = self.words[self.start] in self.lexicon.subordinating
            return (
                Cut(end, right)
                if not bound and right < len(self.words) and self._own_subject(right) is not None
                else None
            )
        if self._joins(self.words[right]) and right + 1 < len(self.tokens):
            right += 1
        if not dash and self.words[right] in self.lexicon.subordinating:
            later = next(
                (p + 1 for p in range(right, len(self.words)) if self.tokens[p].endswith(",")), len(self.words)
            )
            if self.sentence.parse(later, len(self.words)).verb >= 0:
                return Cut(end, right)  # "; until he is back, she signs"
        if self._own_subject(right) is not None:
            return Cut(end, right)
        if dash:
            return None
        if self.sentence.is_order(right) or self.words[right] in self.lexicon.bare:
            return Cut(end, right)
        return self._shared(end, right, sure=True)

    def _at_so(self, place: int) -> Cut | None:
        """A result is a claim of its own; "so that" and "so it can" give the purpose of the one before."""
        right = place + 1
        if self.words[right] in {"that", "far", "on", "much", "many", "then"} or not self._complete(place):
            return None
        verb = self._own_subject(right)
        if verb is None or (self.words[verb] in _PURPOSES and not self.tokens[place - 1].endswith(",")):
            return None
        return Cut(place, right)

    def _at_conjunction(self, place: int) -> Cut | None:
        right = place + 1
        if is_doubt(" ".join(self.tokens[right:])):
            return None
        sure = self.words[place] not in self.lexicon.joining
        if self.words[place] == "while" and self._is_rule(place):
            return None
        comma = self.tokens[place - 1].endswith(",")
        verb = self._own_subject(right)
        if not self._complete(place):
            # Behind a comma a contrast with a subject of its own needs no proof that the left side is a clause.
            free = (
                (sure or self.words[right] in _PERSONS)
                and comma
                and place - self.start >= 3
                and self.words[self.start] not in self.lexicon.subordinating
            )
            return Cut(place, right) if free and verb is not None and self._definite(right) else None
        if self._same_form(place, right) and (shared := self._shared(place, right, sure=True)) is not None:
            return shared
        if verb is not None:
            if sure and not comma and self._reported(place):
                return None  # "said they like it but the export is slow": both are said
            apart = sure or comma or not (self._only_nouns_join(place, right, verb) or self._open_clause(place))
            return Cut(place, right) if apart else None
        if (comma or sure) and self.sentence.is_order(right):
            return Cut(place, right)
        return self._shared(place, right, sure=sure)

    def _at_comma(self, place: int) -> Cut | None:
        right, words, lexicon = place + 1, self.words, self.lexicon
        if self._joins(words[right]) or self.inside[right] or self.tokens[place].endswith((',"', ",”", ",'", ",“")):
            return None
        if words[right] in lexicon.subordinating and words[right] not in lexicon.personal:
            return None
        if not self._complete(right):
            return None
        if words[right] in {"please", "pls", "dont", "don't"} and lexicon.name == "en":
            return Cut(right, right)
        if words[right] == "then" and self.sentence.word(right + 1).split("'")[0] in _PERSONS | {"it"}:
            return Cut(right, right + 1)
        verb = self._own_subject(right)
        if verb is not None and verb - right <= 5:
            helped = verb - right <= 3 and self.sentence.helps(verb) and words[right] not in lexicon.adverbs
            if helped or self._definite(right):
                return Cut(right, right)
        if self.sentence.verb_first(right) and self.sentence.word(right + 1) in lexicon.contrasting:
            return self._shared(right, right, sure=True)
        later = next((p + 1 for p in range(right + 1, len(words) - 1) if words[p] in lexicon.joining), None)
        if later is None:
            return None
        bare = words[right] in lexicon.bare and words[later] in lexicon.bare
        if bare or (verb is None and self.sentence.verb_first(right) and self.sentence.verb_first(later)):
            return self._shared(right, right, sure=False)
        return None

    def _is_rule(self, end: int) -> bool:
        """ "must not be used while the engine runs": the time a rule holds is part of it."""
        verb = self._parsed(end).verb
        ordered = verb < 0 and self.sentence.is_order(self.start)
        return not self.tokens[end - 1].endswith(",") and (
            ordered or (verb >= 0 and self.words[verb] in self.lexicon.modal)
        )

    def _joins(self, word: str) -> bool:
        return word in self.lexicon.joining or word in self.lexicon.contrasting

    def _complete(self, end: int) -> bool:
        """Whether the left side is a main clause that lacks nothing."""
        start, words = self.start, self.words
        if self.carried:
            return end - start >= 2
        if self.lexicon.name == "en" and words[start] in CONDITIONS and words[start + 1] in self.lexicon.personal:
            return False  # "Had we used Go, it would have been faster"
        verb = self._parsed(end).verb
        if verb < 0:
            orders = self.sentence.is_order(start) and end - start >= 2
            return orders and words[start + 1] not in self.lexicon.prepositions
        last = max((p for p in range(verb, end) if words[p] in self.lexicon.subordinating), default=-1)
        if last < 0 or self.sentence.like_preposition(last, end):
            return True
        return any(self.sentence.is_verb(place) for place in range(last + 1, end))

    def _own_subject(self, right: int) -> int | None:
        """The place of the verb of a right side that has its own subject."""
        words, lexicon = self.words, self.lexicon
        if words[right] in lexicon.prepositions and words[right + 1 : right + 2] in (["then"], ["that"]):
            right = min(right + 2, len(words) - 1)  # "since then nobody lives there"
        opens = words[right] in lexicon.subordinating and words[right] not in lexicon.personal
        if (opens and words[right] not in lexicon.determiners) or self.sentence.verb_first(right):
            return None
        found = self.sentence.parse(right, min(len(words), right + _LOOKED_AHEAD))
        if found.verb >= 0 and found.verb == found.subject:
            return found.verb
        if not 0 < found.verb - found.subject <= _LONGEST_SUBJECT:
            return None
        if lexicon.name != "de" and words[right] in lexicon.prepositions and found.subject == right:
            return None
        if all(words[place] in lexicon.adverbs for place in range(right, found.verb)):
            return None
        if lexicon.name == "de" and self._closes(found.verb) and not self.sentence.helps(found.verb):
            return None  # "und in Malmö promoviert" shares the helping verb
        if self._joins(words[found.verb - 1]) or not lexicon.contrasting.isdisjoint(words[right : found.verb]):
            return None  # "milk and bread and went home"
        if (
            words[found.verb] in lexicon.doubtful
            and found.verb - right == 1
            and words[right].isalpha()
            and not self._definite(right)
        ):
            return None  # "new filters every 20,000 km"
        listed = any(self.tokens[place].endswith(",") for place in range(found.subject, found.verb))
        return None if listed and found.verb - found.subject < 3 else found.verb

    def _definite(self, place: int) -> bool:
        """Whether a subject begins here beyond doubt, so that a mere comma may join two clauses."""
        word = self.words[place]
        if word in self.lexicon.determiners or word in self.lexicon.personal:
            return True
        return self.sentence.contracted(place) or self.sentence.upper(place)

    def _same_form(self, place: int, right: int) -> bool:
        """ "is pinned to 5.3 and loads untrusted files": a doubtful word is a verb where the left one has its form."""
        word, lexicon = self.words[right], self.lexicon
        if word in lexicon.bare and self._takes_object(right):  # "can rename them and share links"
            verb = self._parsed(place).verb
            return self.carried.split(" ")[-1] in lexicon.modal or (verb >= 0 and self.words[verb] in lexicon.modal)
        if lexicon.name != "en" or not word.endswith("s") or word not in lexicon.doubtful:
            return False
        verb = self._parsed(place).verb
        if verb < 0 or not self.words[verb].endswith("s") or place - verb <= 2:
            return False
        if self.sentence.upper(right) or self.tokens[right].endswith(","):
            return False
        after = self.sentence.word(right + 1)
        nouns_go_on = after in lexicon.finite or after in lexicon.joining or after in lexicon.prepositions
        return bool(after) and not nouns_go_on

    def _only_nouns_join(self, place: int, right: int, verb: int) -> bool:
        """Whether "and" joins two nouns of one subject: "thinks Redis and Kafka are slow", "between A and B is"."""
        words, left = self.words, self.words[self.start : place]
        single = not words[verb - 1].endswith("s") and words[right] not in self.lexicon.personal
        if single and (words[verb] in _PLURAL_VERBS or (verb - right == 1 and words[verb] in self.lexicon.bare)):
            return True
        if "between" in left or "both" in left or "zwischen" in left:
            return True
        if self._definite(right):
            return False
        last = max((p for p in range(self.start, place) if self.sentence.is_verb(p)), default=-1)
        return last >= 0 and words[last] in self.lexicon.reporting

    def _open_clause(self, end: int) -> bool:
        """Whether the left side holds a clause that the right may belong to."""
        opening = (p for p in range(self.start + 1, end) if self.words[p] in self.lexicon.subordinating)
        return any(not self.sentence.like_preposition(place, end) for place in opening)

    def _shared(self, end: int, right: int, *, sure: bool) -> Cut | None:
        """A right side that has a verb and shares the subject of the left."""
        words, lexicon, sentence = self.words, self.lexicon, self.sentence
        verb = right
        while verb < len(words) - 1 and words[verb] in lexicon.adverbs:
            verb += 1
        if (verb == len(words) - 1 and not sure) or self._open_clause(end):
            return None
        if self.carried and sentence.verb_first(self.start) and words[self.start] in lexicon.finite:
            return Cut(end, right, self.carried) if sentence.verb_first(right) else None
        found = self._parsed(end)
        if lexicon.name == "de" and found.verb >= 0 and (helper := self._bracket(found, end, right)):
            return Cut(end, right, helper)
        if found.verb < 0 and not self.carried and sentence.is_order(self.start):
            ordered = (sentence.is_order(right) or words[right] in lexicon.bare) and sentence.object_like(right + 1)
            return Cut(end, right, "Bitte" if words[self.start] == "bitte" else "") if ordered else None
        if found.verb < 0:
            goes_on = sentence.verb_first(right) or (sure and words[right] in lexicon.bare)
            return Cut(end, right, self.carried) if self.carried and goes_on else None
        if found.verb - found.subject > _LONGEST_SUBJECT:
            return None
        if self._reported(end):
            return None  # "said we must keep it and may not …": whose verb it is, nobody can tell
        carried = self._given(found, end, verb)
        if carried is not None:
            return Cut(end, right, carried) if carried else None
        if not sentence.verb_first(right) and not (sure and words[verb] in lexicon.finite and not sentence.upper(verb)):
            return None
        if words[verb] in lexicon.doubtful and not sure and sentence.word(verb + 1) in lexicon.prepositions:
            # "reads logs and traces from disk": a noun, unless the left verb has the same ending.
            same = words[verb].endswith("s") and words[found.verb].endswith("s") and end - found.verb > 2
            return Cut(end, right, self._subject(found)) if same else None
        return Cut(end, right, self._subject(found))

    def _reported(self, end: int) -> bool:
        """Whether the left side tells what somebody said."""
        verb = self._parsed(end).verb
        reports = verb >= 0 and self.words[verb] in self.lexicon.reporting
        return reports and any(map(self.sentence.is_verb, range(verb + 1, end)))

    def _closes(self, place: int) -> bool:
        """Whether a word ends its part of the sentence."""
        return place == len(self.words) - 1 or self.tokens[place].endswith((",", ";"))

    def _bracket(self, found: Parse, end: int, right: int) -> str:
        """German: subject and helping verb of two sides whose verbs stand last: "hat … studiert und … promoviert"."""
        if not self.sentence.helps(found.verb) or end - found.verb < 3:
            return ""
        last = next(
            (p for p in range(right, len(self.words)) if self._closes(p) or self._joins(self.sentence.word(p + 1))),
            right,
        )
        if last == right or any(self.sentence.helps(p) for p in range(right, last + 1)):
            return ""
        ending = INFINITIVE if self.words[found.verb] in self.lexicon.modal else PARTICIPLE
        if self.words[found.verb] in {"wird", "werden", "würde", "würden"}:
            ending = PARTICIPLE if PARTICIPLE.match(self.words[end - 1]) else INFINITIVE
        both = ending.match(self.words[end - 1]) and ending.match(self.words[last])
        lower = self.tokens[end - 1][:1].islower() and self.tokens[last][:1].islower()
        return f"{self._subject(found)} {self.tokens[found.verb]}" if both and lower else ""

    def _given(self, found: Parse, end: int, verb: int) -> str | None:
        """Subject and helping verb, where the right verb needs both; "" where the left lacks its object, else None."""
        words, lexicon, sentence = self.words, self.lexicon, self.sentence
        modal = words[found.verb] in lexicon.modal
        group = found.verb + 1
        while group < end and words[group] in lexicon.adverbs:
            group += 1
        while group < end and not modal and sentence.helps(found.verb) and words[group] in {"been", "being", "be"}:
            group += 1
        participle = sentence.helps(found.verb) and group < end and sentence.is_participle(group)
        alike = sentence.is_participle(verb) if participle else words[verb] in lexicon.bare or not lexicon.bare
        short = 2 if (participle or modal) and alike else 0 if participle or modal else 1
        if not sentence.helps(verb) and end - group < short:
            return ""  # "reviewed and signed the agreement"
        if (
            lexicon.name == "de"
            and words[found.subject] == "ich"
            and words[verb].endswith("e")
            and len(words[verb]) > 3
        ):
            return None if sentence.upper(verb) else self._subject(found)
        if participle and sentence.is_participle(verb) and not sentence.helps(verb):
            subject = "" if found.verb == found.subject else self._subject(found) + " "  # "I've" is both
            return subject + " ".join(self.tokens[found.verb : group])
        if modal and words[verb] in lexicon.bare:
            if found.verb == found.subject:
                return self.tokens[found.verb]
            if self._takes_object(verb):
                return f"{self._subject(found)} {self.tokens[found.verb]}"
        if words[found.verb] in lexicon.bare and words[verb] in lexicon.bare and sentence.object_like(verb + 1):
            return self._subject(found)  # "share a budget and report to"
        return None

    def _takes_object(self, verb: int) -> bool:
        after = self.sentence.word(verb + 1)
        if not after or self.words[verb] not in self.lexicon.doubtful or self.sentence.object_like(verb + 1):
            return bool(after)
        return after.endswith("s") and after not in self.lexicon.auxiliary

    def _parsed(self, end: int) -> Parse:
        """Subject and verb of the left side, by a guess where nothing is certain."""
        found = self.sentence.parse(self.start, end)
        if found.verb >= 0 or self.words[self.start] in self.lexicon.subordinating:
            return found
        return self.sentence.guess(self.start, end)

    def _subject(self, found: Parse) -> str:
        if found.verb == found.subject:
            return re.split("['’]", self.tokens[found.verb])[0]
        verb = found.verb
        passing = CLITICS if self.lexicon.name in {"fr", "es"} else _PASSING
        while verb - 1 > found.subject and self.words[verb - 1] in passing:
            verb -= 1
        subject = " ".join(self.tokens[found.subject : verb])
        return subject if "," in subject[:-1] else subject.rstrip(",")  # "The engineer, Priya," keeps both
