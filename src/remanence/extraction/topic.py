"""What a clause is about: its subject, of what sort that is, and the thing or things its verb acts on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from remanence.extraction.grammar import Parse, Sentence
from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.neighbours import CLITICS
from remanence.extraction.patterns import pattern
from remanence.extraction.people import (
    NAME,
    SPOKEN_TO,
    Named,
    People,
    clean,
    does_as_people_do,
    is_role,
    kin_gender,
)

SPEAKERS = split_words("i we ich wir je nous yo nosotros you someone nobody everyone")
PLURAL_VERBS = split_words("are were have sind waren haben werden wurden müssen können sollen sont ont son han")
_ARTICLES = {
    "de": {"der": "m", "die": "f", "das": "n"} | dict.fromkeys(split_words("eine meine unsere diese"), "f"),
    "fr": {"le": "m", "la": "f", "un": "m", "une": "f", "ma": "f", "cette": "f", "ce": "m"},
    "es": {"el": "m", "la": "f", "un": "m", "una": "f", "esta": "f", "este": "m"},
}
_TRAILING = split_words("then first too again instead yet already soon now today yesterday tomorrow last next this")
_STEADY = split_words(
    "is was are were has have had runs uses holds contains supports stores needs costs makes handles includes "
    "provides employs"
)
_BODIES = split_words("company firm cooperative committee board council agency bank startup organisation organization")
_COMMON_NOUN = pattern(r"(?:ity|tion|sion|ness|ment|ing|ance|ence|ism|age|ure|ship|ics|sis|ency|ancy)$")
_SINGULAR_VERBS = split_words("is was has ist war hat est a était es tiene")
_LONGEST_OBJECT = 6


@dataclass(slots=True)
class Topic:
    """The subject and its sort: m, f, person, p (several), speaker, thing (thing-m, -f, -n by its article), or ""."""

    subject: str = ""
    sort: str = ""
    thing: str = ""
    things: str = ""
    body: bool = False  # one company, one committee: "it" as well as "they"
    copula: bool = False
    mixed: bool = False  # a second verb behind a comma: what "it" is, nobody can tell
    steady: bool = False  # its verb says something of the subject alone: "runs PostgreSQL", "is a"

    @property
    def is_thing(self) -> bool:
        return self.sort.startswith("thing")


def topic_of(sentence: Sentence, found: Parse, named: list[Named], people: People) -> Topic:
    """The topic of a parsed clause; who may be a person is met."""
    subject, verb = found.subject, found.verb
    words, lexicon = sentence.words, sentence.lexicon
    if verb < 0 and lexicon.name == "en" and words and (words[0] in lexicon.past or words[0] in lexicon.bare):
        thing, things = _objects(sentence, 0, {each.place for each in named})
        return Topic(sort="speaker", thing=thing, things=things)  # "Tried the new build first"
    if verb < 0:
        return Topic()
    commas = [place for place in range(subject, verb) if sentence.tokens[place].endswith(",")]
    if len(commas) == 1 and subject < commas[0] + 1 < verb and lexicon.joining.isdisjoint(words[subject:verb]):
        return Topic()  # "Redis ran out, maxmemory was 2 GB": what stands before the comma is no subject
    topic = Topic(subject=" ".join(sentence.tokens[subject:verb]).strip(" ,"))
    if lexicon.joining.isdisjoint(words[subject:verb]):
        topic.subject = topic.subject.split(", ")[0]
    trailing = _TRAILING | CLITICS if lexicon.name in {"fr", "es"} else _TRAILING
    while len(topic.subject.split()) > 1 and topic.subject.split()[-1].lower() in trailing:
        topic.subject = topic.subject.rsplit(" ", 1)[0]
    if verb == subject:
        topic.sort = "speaker" if words[subject][:2] in {"i'", "we", "im", "iv"} else ""
    else:
        topic.sort = _sort(sentence, found, named, people, topic)
    topic.body = words[verb - 1] in _BODIES and words[verb] not in PLURAL_VERBS
    topic.copula = words[verb] in {"is", "was", "are", "were"}
    topic.steady = words[verb] in _STEADY
    comma = next((p + 1 for p in range(verb, len(words)) if sentence.tokens[p].endswith(",")), len(words))
    topic.mixed = any(map(sentence.is_verb, range(comma, len(words))))
    if lexicon.name == "en":
        topic.thing, topic.things = _objects(sentence, verb, {each.place for each in named})
    return topic


def _sort(sentence: Sentence, found: Parse, named: list[Named], people: People, topic: Topic) -> str:
    words, lexicon = sentence.words, sentence.lexicon
    subject, verb = found.subject, found.verb
    first, last = words[subject], words[verb - 1]
    if first in SPEAKERS:
        return "speaker"
    pointing = first in lexicon.determiners and verb - subject > 1  # "this loop"
    if first in lexicon.pronouns or (first in lexicon.personal and not pointing):
        return ""
    if not lexicon.joining.isdisjoint(words[subject:verb]) or last in lexicon.collective:
        return "p"
    who = next((each for each in named if each.place == subject), None)
    if who is not None and len(who.name.split()) >= verb - subject - 1:
        topic.subject = who.name
        people.about(who.name)
        return who.gender or "person"
    if _single_name(sentence, found):
        if lexicon.name == "de":
            return ""
        if words[verb] in PLURAL_VERBS or words[verb] in lexicon.bare or _plural(last):
            return "p"
        sure = words[verb] in SPOKEN_TO or does_as_people_do(words, verb)
        people.meet(topic.subject, "", sure=sure)  # a person or a thing: the next pronoun tells
        people.about(topic.subject)
        return "thing"
    owned = (
        verb - subject <= 7
        and verb - subject >= 2
        and sentence.tokens[verb - 2].endswith("s")
        and sentence.upper(verb - 2)
    )
    if (kin := kin_gender(last)) and (verb - subject <= 3 or owned):
        if not named:  # "Her brother is called Chidi" is about one person
            people.meet(topic.subject, kin, sure=True)
        return kin
    described = verb - subject == 2 and first in {"the", "our", "my"}
    if lexicon.name == "en" and (described or verb - subject == 1) and is_role(last):
        people.meet(_lowered_article(topic.subject), "", sure=True)
        people.about(_lowered_article(topic.subject))
        return "person"
    if lexicon.name != "en":
        return "thing-" + _ARTICLES.get(lexicon.name, {}).get(first, "?")
    head = next((words[p - 1] for p in range(subject + 1, verb) if words[p] in lexicon.prepositions), last)
    return "p" if _plural(head) and words[verb] not in _SINGULAR_VERBS else "thing"


def _lowered_article(text: str) -> str:
    return text[:1].lower() + text[1:]


def _single_name(sentence: Sentence, found: Parse) -> bool:
    tokens = sentence.tokens[found.subject : found.verb]
    return (
        len(tokens) <= 2
        and not any(token.endswith(",") for token in tokens[:-1])
        and all(NAME.match(token.rstrip(",")) for token in tokens)
        and sentence.words[found.subject] not in sentence.lexicon.function
        and _COMMON_NOUN.search(sentence.words[found.verb - 1]) is None
    )


def _objects(sentence: Sentence, verb: int, people: set[int]) -> tuple[str, str]:
    """The one thing, and the one group of things, that directly follow the verb."""
    tokens, words, lexicon = sentence.tokens, sentence.words, sentence.lexicon
    start = verb + 1
    while start < len(words) and (
        words[start] in lexicon.adverbs
        or words[start] in lexicon.past
        or words[start] in lexicon.bare
        or words[start] in {"to", "be", "been"}
    ):
        start += 1
    end = start
    while end < len(words) and end - start < _LONGEST_OBJECT:
        if end > start and (words[end] in _bounds(lexicon) or sentence.is_verb(end)):
            break
        end += 1
        if tokens[end - 1].endswith((",", ".", ";", ":")):
            break
    if end == start or start in people or words[start] in lexicon.prepositions or words[start] in lexicon.personal:
        return "", ""
    if end < len(tokens) and tokens[end - 1].endswith(","):
        return "", ""  # the first of several
    text, first = clean(tokens[start:end]), words[start]
    numbered = end - start == 2 and tokens[start + 1].rstrip(",.;").isdigit()  # "plot 31"
    named = (sentence.upper(start) or numbered) and first not in lexicon.determiners
    if not (first in lexicon.determiners or named or tokens[start].startswith("`")):
        return "", text if end - start <= 3 and _plural(words[end - 1]) else ""
    if first in {"a", "an"}:
        return "the " + text.split(" ", 1)[-1], ""
    return ("", text) if _plural(words[end - 1]) and not named else (text, "")


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


@cache
def _bounds(lexicon: Lexicon) -> frozenset[str]:
    """Words that end an object."""
    return lexicon.prepositions | lexicon.joining | lexicon.subordinating | lexicon.contrasting | _TRAILING
