"""Pronouns and what they stand for, in languages written with blanks: a wrong name is worse than a pronoun.

"He" and "she" are replaced where exactly one person of that gender was spoken of; "it" and "they" where the clause
before offers exactly one thing or group. Where two fit, the pronoun stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from remanence.extraction.grammar import CONDITIONS, Sentence, sentence_of
from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.patterns import pattern
from remanence.extraction.people import People, is_called, people_named
from remanence.extraction.topic import PLURAL_VERBS, SPEAKERS, Topic, topic_of

_MOST_WORDS = 160
_FARTHEST_OBJECT = 5
_FARTHEST_SUBJECT = 6
# "It" and its like that stand for nothing: "It is likely that …", "il faut …", "es gibt …".
_EMPTY_SUBJECT = pattern(
    r"(?:it(?:'s| is| was| will be| would be| has been| may be| might be)(?: \w+)? "
    r"(?:possible|impossible|likely|unlikely|important|necessary|clear|unclear|worth|recommended|known|expected|"
    r"best|better|"
    r"easy|hard|difficult|safe|time|advisable|required|unknown|true|not)\b"
    r"|it (?:might|may|could|would|should|will|can|must)(?: \w+)? be (?:worth|possible|impossible|necessary|best|"
    r"better|wise|"
    r"easier|good|nice|helpful|useful|hard|difficult)\b"
    r"|it (?:(?:only|also|never|always|just) )?(?:happens|happened|occurs|occurred)\b"
    r"|it (?:seems|appears|turns out|looks|rains|depends)\b|it takes .{0,40} to\b"
    r"|il (?:faut|y a|s'agit|semble|pleut|reste (?:à|encore)|existe|(?:n')?est (?:plus |pas |très )?"
    r"(?:possible|nécessaire|important|prévu|interdit|recommandé|obligatoire|impossible|question))"
    r"|es (?:gibt|fehl|ist (?:nicht |sehr )?(?:möglich|wichtig|nötig|klar|geplant|verboten)|sind|waren|regnet|geht|"
    r"dauert|"
    r"wird|wurde|war))",
    re.IGNORECASE,
)


_CONTRACTED = pattern(r"(he|she|they|it)['’]?(s|ll|d|re|ve)(?= )(?<!its)(?<!shell)(?<!hell)(?<!shed)", re.IGNORECASE)
_DONE = split_words(
    "been got had become worked lived started moved joined left gone bought sold written seen made taken given known "
    "grown "
    "begun come finished already never"
)
_SHIPS = split_words("vessel ship boat ferry yacht trawler schooner")
_BEFORE_VERB = split_words("no quizás quizá también ya nunca siempre le les lo la los las")
_BEING = split_words("es era está estaba puede debe")
_NOT_OF_PEOPLE = split_words(
    "que necesario posible imposible importante probable obligatorio mejor peor cierto difícil fácil tarde hora "
    "lunes martes "
    "miércoles jueves viernes sábado domingo un una el la de decir ser haber verdad urgente conveniente preciso"
)
_IMPERSONAL = split_words("hay hubo había es era fue será hace hizo falta está llueve puede debe parece se")


@dataclass
class References:
    """What was spoken of so far. `forget_things` at a break: people last longer than things."""

    people: People = field(default_factory=People)
    topic: Topic = field(default_factory=Topic)

    def forget_things(self) -> None:
        self.topic = Topic()

    def with_subject(self, sentence: str, lexicon: Lexicon) -> str:
        """Spanish leaves a known subject out: "Estudió en Salamanca" is said of the one person spoken of."""
        if lexicon.name != "es":
            return sentence
        first = sentence_of(sentence, lexicon, 4)
        place = 0
        while place < len(first.words) - 1 and first.words[place] in _BEFORE_VERB:
            place += 1
        verb = first.word(place)
        person = self.people.only()
        impersonal = verb in _IMPERSONAL and (verb not in _BEING or first.word(place + 1) in _NOT_OF_PEOPLE)
        if (
            not person
            or not (first.verb_first(place) or verb in lexicon.finite)
            or impersonal
            or (verb != "es" and verb.endswith(("n", "o", "mos", "s")))
        ):
            return sentence
        return f"{person} {sentence[:1].lower()}{sentence[1:]}"

    def resolve(self, clause: str, lexicon: Lexicon) -> str:
        """The clause with its pronouns replaced where that is certain, and what it speaks of remembered."""
        sentence = sentence_of(clause, lexicon)
        if not lexicon.pronouns or not 1 < len(sentence.tokens) <= _MOST_WORDS:
            return clause
        self.people.clause += 1
        found = sentence.parse(0, len(sentence.tokens))
        before = self.topic
        if lexicon.name == "en" and not _EMPTY_SUBJECT.match(clause) and (match := _CONTRACTED.match(clause)):
            clause = self._expanded(clause, match, sentence)
            sentence = sentence_of(clause, lexicon)
            found = sentence.parse(0, len(sentence.tokens))
        if not lexicon.pronouns.keys().isdisjoint(sentence.words) and not _EMPTY_SUBJECT.match(clause):
            clause = self._replaced(sentence, found.verb)
            sentence = sentence_of(clause, lexicon)
            found = sentence.parse(0, len(sentence.tokens))
        named = list(people_named(sentence))
        for each in named:
            self.people.meet(each.name, each.gender, sure=True)
        self.people.meet_guessed(sentence)
        if found.verb < 0:
            found = sentence.guess(0, len(sentence.tokens))
        self.topic = topic_of(sentence, found, named, self.people)
        if len(named) == 1 and is_called(sentence, named[0].place):
            self.people.rename(self.topic.subject, named[0].name)
            self.topic = Topic(named[0].name, named[0].gender or "person")
        if not self.topic.subject and before.subject and clause.lower().startswith(before.subject.lower() + " "):
            self.topic = before  # its verb is not known, but whom it speaks of is
        return clause

    def _expanded(self, clause: str, match: re.Match[str], sentence: Sentence) -> str:
        """ "She's vegetarian" → "Nadja is vegetarian", where it is certain who she is."""
        pronoun, verb = match.group(1).lower(), match.group(2).lower()
        antecedent = self._antecedent(sentence.lexicon.pronouns[pronoun][0], sentence.lexicon)
        if not antecedent:
            return clause
        after = sentence.word(1)
        if verb == "s":
            verb = "has" if after in _DONE else "is"
        elif verb == "d":
            verb = "would" if after in sentence.lexicon.bare or after in sentence.lexicon.adverbs else "had"
        else:
            verb = {"ll": "will", "re": "are", "ve": "have"}[verb]
        return f"{antecedent[:1].upper()}{antecedent[1:]} {verb}{clause[match.end() :]}"

    def _replaced(self, sentence: Sentence, verb: int) -> str:
        tokens = list(sentence.tokens)
        used = {each.gender for each in people_named(sentence)}
        for place, word in enumerate(sentence.words):
            if word not in sentence.lexicon.pronouns:
                continue
            gender, owning = sentence.lexicon.pronouns[word]
            if word == "her":
                owning = self._owns(sentence, place)
            if owning and sentence.lexicon.name == "de" and not _before_noun(sentence, place):
                continue  # "abgeschlossen sein"
            antecedent = self._meant(sentence, place, verb, gender, gender in used)
            if not antecedent or (owning and sentence.lexicon.name in {"fr", "es"}):
                continue
            used.add(gender)
            text = sentence.lexicon.owning.format(antecedent) if owning else antecedent
            if owning and text.endswith("s's") and gender == "p":
                text = antecedent + "'"
            if owning and sentence.lexicon.name == "de" and antecedent.endswith(("s", "x", "z", "ß")):
                text = antecedent + "'"
            tail = tokens[place][len(tokens[place].rstrip(",.;:!?")) :]
            tokens[place] = (text[:1].upper() + text[1:] if place == 0 else text) + tail
        return " ".join(tokens)

    def _meant(self, sentence: Sentence, place: int, verb: int, gender: str, used: bool) -> str:
        """What a pronoun stands for; "" where that is not certain."""
        word, lexicon = sentence.words[place], sentence.lexicon
        if lexicon.name == "en" and sentence.words[0] in CONDITIONS:
            return ""
        in_subject = verb < 0 or place < verb
        if word == "il" and sentence.word(place + 1) in {"y", "n'y"}:
            return ""
        if word in {"sie", "ihr", "ihre"} and lexicon.name == "de" and not _singular(sentence.word(verb)):
            return ""
        if gender in "mf":
            return self._antecedent(gender, lexicon) if in_subject or not used else ""
        if verb < 0 and place > 2 and (sentence.words[0] in lexicon.past or sentence.words[0] in lexicon.bare):
            return ""  # "Removed the decorator, since it hid …": its own object
        if in_subject:
            return self._antecedent(gender, lexicon) if place <= _FARTHEST_SUBJECT else ""
        if not self._object_is_clear(sentence, place, verb):
            return ""
        if self.topic.copula and self.topic.thing:
            return self.topic.thing
        return self._antecedent(gender, lexicon)

    def _object_is_clear(self, sentence: Sentence, place: int, verb: int) -> bool:
        """ "Management wants to replace it", "I think it started": somebody acts, so "it" is what was spoken of."""
        if sentence.words[place] != "it" or place - verb > _FARTHEST_OBJECT or self.topic.mixed:
            return False
        subject, lexicon = sentence.words[:verb], sentence.lexicon
        if " ".join(subject) == self.topic.subject.lower() and self.topic.sort == "p":
            return lexicon.determiners.isdisjoint(sentence.words[verb:place])
        somebody = not subject or subject[-1] in SPEAKERS or subject[-1] in lexicon.collective
        somebody = somebody or any(each.place < verb for each in people_named(sentence))
        return (somebody or self.people.among(subject)) and lexicon.determiners.isdisjoint(sentence.words[verb:place])

    def _owns(self, sentence: Sentence, place: int) -> bool:
        """Whether "her" is followed by what is hers."""
        lexicon, after = sentence.lexicon, sentence.word(place + 1)
        if not after or sentence.tokens[place].endswith((",", ".", ";")):
            return False
        others = (lexicon.prepositions, lexicon.adverbs, lexicon.determiners, lexicon.joining, lexicon.personal)
        return not any(after.split("'")[0] in each for each in others)

    def _antecedent(self, gender: str, lexicon: Lexicon) -> str:
        topic = self.topic
        found = ""
        if lexicon.name != "en" and topic.sort == f"thing-{gender}":
            # Here things have a gender too: with a person of the same one around, nobody can tell.
            found = "" if gender in "mf" and self.people.just_met(gender) else topic.subject
        elif gender in "mf":
            if gender == "f" and not _SHIPS.isdisjoint(topic.subject.lower().split()):
                return ""
            return self.people.the_one(gender)
        elif gender == "n":
            if topic.body or (topic.is_thing and (topic.steady or not topic.thing[:1].isupper())):
                found = topic.subject
            elif not topic.is_thing:
                found = topic.thing
        elif topic.sort == "p":
            found = topic.subject
        else:
            found = topic.things
        return "" if found[:1].isdigit() else _lowered(found, lexicon)


def _before_noun(sentence: Sentence, place: int) -> bool:
    nearby = range(place + 1, min(place + 4, len(sentence.tokens)))
    return any(sentence.upper(later) for later in nearby)


def _singular(verb: str) -> bool:
    return verb not in PLURAL_VERBS and not verb.endswith("en")


def _lowered(text: str, lexicon: Lexicon) -> str:
    """As it stands in the middle of a sentence: "The cache" → "the cache", "a cache" → "the cache"."""
    first, _, rest = text.partition(" ")
    if rest and first.lower() in lexicon.determiners:
        return f"{'the' if first.lower() in {'a', 'an'} else first.lower()} {rest}"
    return text
