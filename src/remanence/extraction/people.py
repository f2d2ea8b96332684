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
from remanence.extraction.patterns import pattern

NAME = pattern(r"[A-ZÀ-ÖØ-Þ][\w'’-]*[a-zà-öø-ÿ][\w'’-]*$")
_REMEMBERED_CLAUSES = 8
_MOST_PEOPLE = 40
_BROTHERS = split_words(
    "brother son father husband uncle nephew grandfather dad boyfriend bruder sohn vater mann onkel frère père fils "
    "mari "
    "father-in-law brother-in-law stepfather stepson grandson godfather schwiegervater schwager großvater enkel "
    "neffe cousin "
    "beau-père beau-frère grand-père oncle neveu suegro cuñado abuelo sobrino primo nieto novio yerno "
    "hermano hijo padre tío marido esposo"
)
_SISTERS = split_words(
    "sister daughter mother wife aunt niece grandmother mum mom girlfriend schwester tochter mutter soeur sœur fille "
    "mère "
    "mother-in-law sister-in-law stepmother stepdaughter granddaughter godmother schwiegermutter schwägerin "
    "großmutter enkelin "
    "nichte cousine freundin belle-mère belle-sœur belle-fille grand-mère nièce suegra cuñada abuela sobrina prima "
    "nieta novia "
    "nuera "
    "femme hermana hija madre tía esposa tante"
)
_CALLED = split_words("called named heißt namens appelle s'appelle nommé nommée llama llamado llamada")
_NAMING = split_words("name nickname vorname prénom nombre")
_OWNERS = split_words("my his her their our your mein meine seine ihre mon ma son sa mi su")
_FAMILY = split_words(
    "grandpa grandma granny grandad granddad mum mom mummy mommy dad daddy mama papa oma opa mutti papi mamie papy "
    "abuela abuelo"
)
_GRANDMOTHERS = split_words("grandma granny mum mom mummy mommy mama oma mutti mamie abuela")
_MONTHS = split_words(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september "
    "october "
    "november december januar februar märz mai juni juli oktober dezember monday tuesday wednesday thursday friday "
    "saturday "
    "sunday mon tue wed thu fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag"
)
# Only people do these.
_DEEDS = split_words(
    "born grew married studied graduated retired thinks says said thought believes prefers likes loves hates "
    "dislikes speaks "
    "cooks plays teaches taught learns wants wanted hopes hoped asked told wrote joined resigned quit moved lives "
    "works worked "
    "lived suspects reckons enjoys promised complained volunteered emigrated died wishes knows remembers travels "
    "commutes swims "
    "runs owns earns dreams"
)
_ROLE_ENDINGS = [
    "führer",
    "führerin",
    "leiter",
    "leiterin",
    "meister",
    "meisterin",
    "chef",
    "chefin",
    "sprecher",
    "sprecherin",
    "minister",
    "ministerin",
    "präsident",
    "präsidentin",
    "vorsitzende",
    "vorsitzender",
    "trainer",
    "trainerin",
    "lehrer",
    "lehrerin",
    "anwalt",
    "anwältin",
    "arzt",
    "ärztin",
    "direktor",
    "direktorin",
    "ingenieur",
    "ingenieurin",
    "kollege",
    "kollegin",
    "professor",
    "professorin",
    "berater",
    "beraterin",
    "inhaber",
    "inhaberin",
    "wirt",
    "wirtin",
    "pfarrer",
    "pfarrerin",
    "autor",
    "autorin",
    "manager",
    "managerin",
    "gründer",
    "gründerin",
    "forscher",
    "forscherin",
    "koordinator",
    "koordinatorin",
    "architekt",
    "architektin",
    "kapitän",
    "dozent",
    "dozentin",
    "nachbar",
    "nachbarin",
    "freund",
    "freundin",
    "schüler",
    "schülerin",
    "student",
    "studentin",
    "mitarbeiter",
    "mitarbeiterin",
    "verwalter",
    "verwalterin",
    "züchter",
    "züchterin",
    "bauer",
    "bäuerin",
    "winzer",
    "winzerin",
    "försterin",
    "förster",
    "rätin",
    "entwickler",
    "entwicklerin",
]
_COPULAS = split_words("is was are were ist war est es se")
_INTRODUCING = split_words(
    "manager boss lead ceo cto cfo owner doctor colleague friend neighbour neighbor teacher lawyer founder director "
    "head "
    "chef chefin leiter leiterin patron directeur directrice jefe jefa assistant engineer author contact dentist "
    "landlord student user customer client patient colleague coworker intern candidate tutor trainer driver nurse "
    "mayor "
    "inspector minister president chairman chairwoman spokesman spokeswoman captain pilot designer developer analyst "
    "consultant editor reporter journalist scientist researcher professor conservator curator lifeguard caretaker "
    "vet chef "
    "carpenter plumber electrician gardener farmer woman man girl boy guest member officer clerk accountant architect "
    "producer singer painter coach principal roommate flatmate partner cousin fiancé fiancée maintainer reviewer "
    "author "
    "étudiant étudiante voisin voisine collègue ami amie médecin avocat avocate infirmière gardien gardienne "
    "conservatrice "
    "conservateur maire farero vecino vecina médico médica abogado abogada profesor profesora amigo amiga compañero "
    "compañera "
    "alcalde alcaldesa "
    "tenant dog cat horse hund katze pferd chien chat cheval perro gato caballo"
)
_NO_PEOPLE_BEHIND = split_words("the in at on near le la les el los las der die das im")
_BEFORE_DATES = split_words(
    "in since until till by of this last next early late mid from im seit bis ende anfang on every"
)
_ANIMALS = split_words("dog cat horse hund katze pferd chien chat cheval perro gato caballo")
SPOKEN_TO = split_words("asked told met emailed pinged informed hired invited thanked contacted interviewed asks tells")
_BEFORE_PLACES = split_words("st saint san santa sankt lake mount port fort")
_CITIES = split_words("austin jordan victoria virginia florence charlotte georgia sydney santiago diego jose")
_PLACE_NOUNS = split_words(
    "hospital street university church school road square station avenue college inc gmbh ltd airport park bridge "
    "institute clinic museum centre center library hotel restaurant bank court county council department ministry "
    "theatre "
    "theater lake river valley island mountain hill bay harbour harbor beach market tower hall house building office "
    "factory "
    "group team foundation association club union society league festival conference summit project system server "
    "service "
    "street lane drive boulevard court plaza district"
)


@dataclass(slots=True)
class Person:
    name: str
    gender: str  # m, f, or "" for unknown
    said: int  # the clause that last named them
    sure: bool = False
    subject: int = -1  # the clause that last was about them


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
        if len(unknown) > 1:
            # "the user" was spoken of, and others were only mentioned.
            unknown = [each for each in unknown if each.subject == self.clause - 1 and each.name[:1].islower()]
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

    def about(self, name: str) -> None:
        """The clause speaks of them."""
        for person in self.met:
            if person.name == name:
                person.subject = self.clause

    def rename(self, known: str, name: str) -> None:
        """Whoever was known by a description ("my mum") has a name from now on."""
        for person in self.met:
            if person.name.lower() == known.lower() and person.name != name:
                self.met = [each for each in self.met if each is person or each.name != name]
                person.name, person.said, person.sure = name, self.clause, True
                return

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
        for place in range(len(sentence.words) - 1):
            role = sentence.words[place + 1]
            if sentence.words[place] in {"my", "our"} and (is_role(role) or kin_gender(role)):
                named = place + 2 < len(sentence.tokens) and sentence.upper(place + 2)
                if not named and not sentence.tokens[place + 1].endswith(("'s", "’s", ",")):
                    self.meet(f"{sentence.words[place]} {role}", kin_gender(role))
        for place in range(1, len(sentence.tokens) - 1):
            first, second = sentence.tokens[place], sentence.tokens[place + 1].rstrip(",.;:!?)")
            if not (NAME.match(first) and NAME.match(second)) or sentence.words[place] in sentence.lexicon.function:
                continue
            if sentence.words[place + 1] in _PLACE_NOUNS or sentence.word(place - 1) in _NO_PEOPLE_BEHIND:
                continue
            if sentence.words[place] in _MONTHS or sentence.words[place + 1] in _MONTHS:
                continue
            before = sentence.word(place - 2) if sentence.word(place - 1) in _COPULAS else sentence.word(place - 1)
            beside = sentence.tokens[place - 1].endswith(",") and sentence.tokens[place + 1].endswith(",")
            self.meet(f"{first} {second}", "", sure=beside or before in _INTRODUCING)


def does_as_people_do(words: list[str], verb: int) -> bool:
    """Whether the verb, or the participle right behind it, is of people only: "was born", "prefers"."""
    return not _DEEDS.isdisjoint(words[verb : verb + 2])


def is_role(word: str) -> bool:
    return word in _INTRODUCING and word not in _ANIMALS


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
    if word in _MONTHS and _is_date(sentence, place):
        return None
    if word in _FAMILY:
        return "f" if word in _GRANDMOTHERS else "m"
    gender = "f" if word in lexicon.feminine else "m" if word in lexicon.masculine else ""
    kin = kin_gender(before)
    if gender or kin or before in SPOKEN_TO or before in _INTRODUCING or is_called(sentence, place):
        return kin or gender or _gender_of_called(sentence, place)
    if lexicon.name == "de" and before.endswith(tuple(_ROLE_ENDINGS)) and len(before) > 4 and sentence.upper(place - 1):
        return "f" if before.endswith(("in", "e")) and not before.endswith("kollege") else "m"
    beside = place >= 2 and sentence.tokens[place - 1].endswith(",") and before in _INTRODUCING
    return "" if beside and sentence.tokens[place].endswith(",") else None  # "The user, Benedikt, asked"


def is_called(sentence: Sentence, place: int) -> bool:
    """ "My daughter's name is Sofia", "a student named Ilse", "she is called Tilly"; not "a tool called Moth"."""
    before, earlier = sentence.word(place - 1), sentence.words[max(0, place - 5) : place - 1]
    owned = [word.removesuffix("'s") for word in earlier]
    people = any(
        kin_gender(word) or word in _INTRODUCING or word in {"she", "he", "shes", "she's", "he's"} for word in owned
    )
    if before in _CALLED:
        return people or before in {"heißt", "s'appelle"}
    follows = place + 1 < len(sentence.tokens) and NAME.match(clean([sentence.tokens[place + 1]]))
    if before in _COPULAS and follows and (is_role(sentence.word(place - 2)) or kin_gender(sentence.word(place - 2))):
        return True  # "My manager is Dana Fox"
    named = before in _COPULAS and not _NAMING.isdisjoint(earlier)
    return named and (people or not _OWNERS.isdisjoint(earlier))


def _gender_of_called(sentence: Sentence, place: int) -> str:
    if not is_called(sentence, place):
        return ""
    earlier = [word.removesuffix("'s") for word in sentence.words[max(0, place - 5) : place - 1]]
    return next((gender for gender in map(kin_gender, reversed(earlier)) if gender), "")


def _is_date(sentence: Sentence, place: int) -> bool:
    """ "in Jan. 2019", "by May"."""
    around = (sentence.word(place - 1), sentence.word(place + 1))
    return any(word[:1].isdigit() for word in around) or around[0] in _BEFORE_DATES


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
