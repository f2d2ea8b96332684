"""The people a text speaks of, and their gender as far as it is known.

Gender comes from a title, a common first name, a word of kinship ("her brother Chidi") or from a pronoun that could
mean nobody else. A capitalised word is a person beyond doubt with a known first name, a title or a role ("my manager
is Dana Fox"); others stay a guess and are asked only when nobody else is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from remanence.extraction.grammar import Sentence
from remanence.extraction.lexicon import split_words

NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-öø-ÿ][\w'’-]*$")
_REMEMBERED_CLAUSES = 8
_MOST_PEOPLE = 40
_BROTHERS = split_words(
    "brother son father husband uncle nephew grandfather dad boyfriend bruder sohn vater mann onkel frère père fils "
    "mari "
    "hermano hijo padre tío marido esposo"
)
_SISTERS = split_words(
    "sister daughter mother wife aunt niece grandmother mum mom girlfriend schwester tochter mutter soeur sœur fille "
    "mère "
    "femme hermana hija madre tía esposa tante"
)
_CALLED = split_words("called named heißt appelle s'appelle llama")
_COPULAS = split_words("is was are were ist war est es se")
_INTRODUCING = split_words(
    "manager boss lead ceo cto cfo owner doctor colleague friend neighbour neighbor teacher lawyer founder director "
    "head "
    "chef chefin leiter leiterin patron directeur directrice jefe jefa assistant engineer author contact dentist "
    "landlord "
    "tenant dog cat horse hund katze pferd chien chat cheval perro gato caballo"
)
SPOKEN_TO = split_words("asked told met emailed pinged informed hired invited thanked contacted interviewed asks tells")
_BEFORE_PLACES = split_words("st saint san santa sankt lake mount port fort")
_CITIES = split_words("austin jordan victoria virginia florence charlotte georgia sydney santiago diego jose")
_PLACE_NOUNS = split_words(
    "hospital street university church school road square station avenue college inc gmbh ltd airport park bridge "
    "institute"
)


@dataclass(slots=True)
class Person:
    name: str
    gender: str  # m, f, or "" for unknown
    said: int  # the clause that last named them
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """A person named in a clause, and where."""

    name: str
    gender: str
    place: int


@dataclass(slots=True)
class People:
    """Who was met, clause by clause."""

    met: list[Person] = field(default_factory=list)
    clause: int = 0

    def the_one(self, gender: str) -> str:
        """The only person a pronoun of this gender can mean; "" where there is none or more than one."""
        recent = [person for person in self.met if self.clause - person.said <= _REMEMBERED_CLAUSES]
        known = [person for person in recent if person.gender == gender]
        if known:
            return known[0].name if len(known) == 1 else ""
        unknown = [person for person in recent if not person.gender and person.sure]
        unknown = unknown or [person for person in recent if not person.gender]
        if len(unknown) != 1:
            return ""
        unknown[0].gender = gender
        return unknown[0].name

    def only(self) -> str:
        """The one person beyond doubt that was spoken of lately."""
        recent = [each for each in self.met if each.sure and self.clause - each.said <= _REMEMBERED_CLAUSES]
        return recent[0].name if len(recent) == 1 else ""

    def just_met(self, gender: str) -> bool:
        return any(person.gender == gender and self.clause - person.said <= 1 for person in self.met)

    def among(self, words: list[str]) -> bool:
        """Whether one of these words is of somebody's name."""
        return any(part in words for person in self.met for part in person.name.lower().split())

    def meet(self, name: str, gender: str, sure: bool = False) -> None:
        parts = set(name.lower().split())
        for person in self.met:
            known = set(person.name.lower().split())
            if parts <= known or known <= parts:
                person.said = self.clause
                person.sure = person.sure or sure
                person.gender = person.gender or gender
                if len(parts) > len(known):
                    person.name = name
                return
        self.met.append(Person(name, gender, self.clause, sure))
        if len(self.met) > _MOST_PEOPLE:
            del self.met[0]

    def meet_guessed(self, sentence: Sentence) -> None:
        """Two capitalised words may be a person: "The mayor, Elin Strand, opened"."""
        if sentence.lexicon.name == "de":
            return
        for place in range(1, len(sentence.tokens) - 1):
            first, second = sentence.tokens[place], sentence.tokens[place + 1].rstrip(",.;:!?)")
            if not (NAME.match(first) and NAME.match(second)) or sentence.words[place] in sentence.lexicon.function:
                continue
            before = sentence.word(place - 2) if sentence.word(place - 1) in _COPULAS else sentence.word(place - 1)
            beside = sentence.tokens[place - 1].endswith(",") and sentence.tokens[place + 1].endswith(",")
            self.meet(f"{first} {second}", "", sure=beside or before in _INTRODUCING)


def kin_gender(word: str) -> str:
    """The gender a word of kinship says: "brother" → m."""
    return "m" if word in _BROTHERS else "f" if word in _SISTERS else ""


def clean(tokens: list[str]) -> str:
    """The tokens without the signs around them and without a final 's."""
    return re.sub(r"['’]s$", "", " ".join(tokens).strip('"“”(),.;:!?'))


def people_named(sentence: Sentence) -> Iterator[Named]:
    """Who is named in a clause beyond doubt, in order."""
    tokens, words, lexicon = sentence.tokens, sentence.words, sentence.lexicon
    place = 0
    while place < len(tokens):
        end = place + 1
        if tokens[place].lstrip("\"'“„(")[:1].isupper() and not _is_place(sentence, place):
            word = words[place].removesuffix("'s")
            if word in lexicon.titles and end < len(tokens):
                gender = lexicon.titles[word]
                while end < len(tokens) and end - place < 4 and (words[end] in lexicon.titles or sentence.upper(end)):
                    gender = gender or lexicon.titles.get(words[end], "")
                    end += 1
                    if tokens[end - 1].endswith((",", ";", ":", "'s")):
                        break
                yield Named(clean(tokens[place:end]), gender, place)
            elif (found := _by_first_name(sentence, place, word)) is not None:
                end = _end_of_name(sentence, place)
                yield Named(clean(tokens[place:end]), found, place)
        place = end


def _by_first_name(sentence: Sentence, place: int, word: str) -> str | None:
    """The gender of a person whose name begins here; None where none does."""
    if not NAME.match(sentence.tokens[place].strip("\"'“”(),.;:!?")):
        return None
    lexicon, before = sentence.lexicon, sentence.word(place - 1)
    gender = "f" if word in lexicon.feminine else "m" if word in lexicon.masculine else ""
    kin = kin_gender(before)
    called = before in _CALLED and sentence.word(place - 2) in _COPULAS
    if gender or kin or called or before in SPOKEN_TO or before in _INTRODUCING:
        return kin or gender
    return None


def _end_of_name(sentence: Sentence, place: int) -> int:
    end = place + 1
    while (
        end < len(sentence.tokens)
        and end - place < 3
        and not sentence.tokens[end - 1].endswith((",", ".", ";", ":", "'s", "’s"))
        and NAME.match(sentence.tokens[end].rstrip(",.;:!?)'s’"))
        and sentence.words[end] not in sentence.lexicon.function
    ):
        end += 1
    return end


def _is_place(sentence: Sentence, place: int) -> bool:
    """ "St. Mary's Hospital", "in Austin"."""
    before = sentence.word(place - 1)
    if before in _BEFORE_PLACES or sentence.word(place + 1) in _PLACE_NOUNS:
        return True
    return sentence.words[place] in _CITIES and before in sentence.lexicon.prepositions
