"""Where the subject and the verb of a clause are, guessed from word lists, endings and neighbours.

For languages written with blanks. A word that may as well be a noun ("tests", "runs") is a verb only before what an
object begins with. In doubt there is no verb, and then nothing is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.neighbours import (
    BEFORE_VERBS,
    CLITICS,
    DEMONSTRATIVES,
    GERMAN_OTHERS,
    IRREGULAR_PLURALS,
    NO_PAST,
    OBJECTS,
    ORDERS,
    RELATIVE,
    SPANISH_CLITICS,
    SPANISH_ENDINGS,
    SPANISH_PARTICIPLES,
    SUBJECTS,
)
from remanence.extraction.patterns import pattern

_STRIPPED = "\"'“”„«»()[]`*_,;:.!?…¡¿"
_CONTRACTED = frozenset(
    f"{pronoun}'{verb}"
    for pronoun in ("i", "we", "you", "he", "she", "it", "they", "that", "there")
    for verb in ("ll", "m", "re", "s", "ve", "d")
) | {"im", "ive", "c'est", "j'ai"}
_CLITIC = pattern(r"(?:m|t|s|n|l|j|qu)'")
_NUMBER = pattern(r"[$€£#]?\d")


@dataclass(frozen=True, slots=True)
class Parse:
    """Where the subject of a main clause begins, and its verb; -1 where there is none."""

    subject: int
    verb: int


_NONE = Parse(-1, -1)


@lru_cache(maxsize=16_384)
def bare_word(token: str) -> str:
    """The token in lower case, without the signs around it."""
    return token.lower().replace("’", "'").strip(_STRIPPED)


CONDITIONS = split_words("had were should")
"""With these a sentence begins that asks, or that says what did not happen: "Had we used Go, it …"."""


@cache
def no_verbs(lexicon: Lexicon) -> frozenset[str]:
    """Words that are no verbs, whatever they end in."""
    return (
        lexicon.adverbs
        | lexicon.prepositions
        | lexicon.determiners
        | lexicon.joining
        | lexicon.contrasting
        | lexicon.subordinating
        | lexicon.personal
    )


@dataclass
class Sentence:
    """The tokens of a sentence, the same as bare words, and what its language knows of them."""

    tokens: list[str]
    lexicon: Lexicon

    @cached_property
    def words(self) -> list[str]:
        words = [bare_word(token) for token in self.tokens]
        if "A" in self.tokens[1:]:
            return [
                words[0],
                *("#a" if token == "A" else word for token, word in zip(self.tokens[1:], words[1:], strict=True)),  # nosec B105
            ]
        return words  # "coating A" has no article behind it

    def word(self, place: int) -> str:
        """The word there, "" where the sentence has ended."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def upper(self, place: int) -> bool:
        return self.tokens[place][:1].isupper()

    def helps(self, place: int) -> bool:
        """Whether the word is an auxiliary or a modal."""
        return self.word(place) in self.lexicon.auxiliary or self.word(place) in self.lexicon.modal

    def parse(self, start: int, end: int) -> Parse:
        """Subject and verb of the main clause between two places; what comes before it ("When …, ") is passed over."""
        words, lexicon = self.words, self.lexicon
        begin = start
        if begin < end and words[begin] in lexicon.subordinating and words[begin] not in lexicon.personal:
            comma = next((place + 1 for place in range(begin, end) if self.tokens[place].endswith(",")), None)
            if comma is None and words[begin] not in lexicon.prepositions:
                return _NONE
            begin = begin + 1 if comma is None else comma
        if begin < end and self.contracted(begin):
            return Parse(begin, begin)
        resumed = begin
        for place in range(begin + 1, end):
            if place < resumed:
                continue
            if words[place] in RELATIVE and self.tokens[place - 1].endswith(","):
                closed = (p + 1 for p in range(place, end) if self.tokens[p].endswith(","))
                resumed = next(closed, end)  # "Anna, who joined last year, leads"
                continue
            if words[place] in lexicon.subordinating and not self.like_preposition(place, end):
                if words[place] in lexicon.personal and place + 1 < end and self.is_verb(place + 1):
                    continue
                break
            if self.is_verb(place) or self._follows_subject(begin, place):
                return Parse(self._subject_start(begin, place), place)
        return _NONE

    def guess(self, start: int, end: int) -> Parse:
        """Where nothing is a verb beyond doubt: the first word that could be one and has a noun before it."""
        words, lexicon = self.words, self.lexicon
        for place in range(start + 1, end - 1):
            before, after = words[place - 1], words[place + 1]
            if (
                words[place] not in lexicon.finite
                or before in no_verbs(lexicon)
                or self.tokens[place - 1].endswith(",")
            ):
                continue
            if words[place].endswith("s") and not before.endswith("s") and after not in lexicon.finite:
                return Parse(self._subject_start(start, place), place)
        return _NONE

    def contracted(self, place: int) -> bool:
        """Whether the word is a pronoun and its verb in one: "I'll", "it's"."""
        if self.lexicon.name == "fr" and self.word(place).startswith("j'"):
            return True
        return self.word(place) in _CONTRACTED and self.helps(place)

    def points_back(self, place: int) -> bool:
        """ "(…, but) that isn't decided": alone it says nothing, and what it speaks of would be surer than it was."""
        first, _, contracted = self.words[place].partition("'")
        if not {first, self.words[place]} & DEMONSTRATIVES:
            return False
        verb = place + 1
        while verb < len(self.words) - 1 and (self.words[verb] in CLITICS or self.words[verb] in self.lexicon.adverbs):
            verb += 1
        return bool(contracted) or (verb < len(self.words) and self.is_verb(verb))

    def is_verb(self, place: int) -> bool:
        """Whether the word can carry its clause where it stands."""
        words, lexicon, token = self.words, self.lexicon, self.tokens[place]
        word, before = words[place], self.word(place - 1)
        if token.startswith(("`", '"', "“")) or before in {"to", "zu"} or (word == "am" and before != "i"):
            return False
        if word in lexicon.auxiliary or word in lexicon.modal:
            return True
        if place and self.tokens[place - 1].endswith((",", ";")) and before not in lexicon.personal:
            if any(self.tokens[earlier].endswith(",") for earlier in range(max(0, place - 6), place - 1)):
                return word in lexicon.finite and not token[:1].isupper()  # behind "…, Priya, "
            return word in lexicon.finite and word not in lexicon.doubtful and word not in lexicon.past
        if self._by_ending(place) or self._by_neighbour(place):
            return True
        if word in lexicon.finite:
            return self._finite(place)
        if word in lexicon.bare:
            if before in {"i", "we", "you", "they"}:
                return True
            if before in lexicon.adverbs and self.word(place - 2) in lexicon.personal:
                return True
            several = before.endswith("s") and not before.endswith("ss") and before not in lexicon.determiners
            if several or (self.word(place - 2) in lexicon.joining and before not in lexicon.determiners):
                return word not in lexicon.doubtful or self.object_like(place + 1)
            if before in IRREGULAR_PLURALS or not IRREGULAR_PLURALS.isdisjoint(words[max(0, place - 4) : place]):
                return word not in lexicon.doubtful and before not in no_verbs(lexicon)
        return False

    def _by_neighbour(self, place: int) -> bool:
        """An unknown word that must be a verb for what stands beside it: "the coat blistered after", "no cobra"."""
        lexicon, word, before = self.lexicon, self.words[place], self.word(place - 1)
        if lexicon.name == "en":
            if len(word) < 5 or not word.endswith("ed") or word in NO_PAST or not word.isalpha() or self.upper(place):
                return False
            if before in SUBJECTS:
                return True
            if before in no_verbs(lexicon) or self.helps(place - 1) or before.endswith("ly") or not before:
                return False
            return place + 1 == len(self.words) or (
                self.object_like(place + 1) and not self.upper(place + 1) and self.words[place + 1] not in OBJECTS
            )
        if lexicon.name == "fr":
            bare = _CLITIC.sub("", word)
            if len(word) > 5 and word.endswith(("era", "eront", "erait", "eraient", "aient", "èrent")):
                return before not in lexicon.determiners and before not in lexicon.prepositions
            if (
                before in {"ne", "se", "nous", "vous"}
                and before != word
                and len(word) > 2
                and word not in no_verbs(lexicon)
            ):
                return before in {"ne", "se"} or word in lexicon.finite
            return bare != word and (bare in lexicon.finite or (word[0] == "n" and len(bare) > 3))
        if lexicon.name == "es":
            if before == "no":
                return len(word) > 2 and word not in no_verbs(lexicon)
            return before in SPANISH_CLITICS and len(word) > 3 and word.endswith(("a", "e", "an", "en", "ó", "ía"))
        return False

    def _finite(self, place: int) -> bool:
        lexicon, before = self.lexicon, self.word(place - 1)
        if lexicon.name == "de" and self.upper(place):
            return False
        if before in lexicon.personal:
            return True
        if before in lexicon.determiners or before in lexicon.prepositions:
            return False
        if self.words[place] in lexicon.doubtful and before in BEFORE_VERBS:
            return True
        if self.words[place] in lexicon.doubtful:
            return self.word(place + 1) not in lexicon.finite and self.object_like(place + 1)
        return True

    def _by_ending(self, place: int) -> bool:
        """German and Spanish: a word in lower case with a verb's ending, where a verb is to be expected."""
        lexicon, word, before = self.lexicon, self.words[place], self.word(place - 1)
        if lexicon.name == "es":
            several = before.endswith("s") and len(word) > 4 and word.endswith(("an", "en"))
            return (several or (len(word) > 5 and word.endswith(SPANISH_ENDINGS))) and before not in lexicon.determiners
        if lexicon.name != "de" or not self.tokens[place][:1].islower():
            return False
        if word in GERMAN_OTHERS or word in no_verbs(lexicon) or self.tokens[place - 1].endswith(","):
            return False
        if before == "ich":
            return word.endswith("e") and len(word) > 3
        if before in {"er", "sie", "es", "man"}:
            return word.endswith(("t", "te", "en")) and len(word) > 3
        if before == "wir" or (self.word(place - 2) in lexicon.joining and self.upper(place - 1)):
            return word.endswith("en") and len(word) > 4  # "Anna und Tom heiraten"
        if self.word(place - 2) in lexicon.determiners and self.upper(place - 1) and len(word) > 3:
            after = self.word(place + 1)
            follows = after in lexicon.determiners or after in lexicon.prepositions or after in lexicon.personal
            if word.endswith(("t", "te", "ten")) and (
                follows or after in {"uns", "mir", "ihm", "ihr", "sich", "nicht"}
            ):
                return True  # "die Bänke leiht uns"
        endings = ("iert", "ierte", "elt", "igt", "zt", "llt", "ßt")
        return place > 0 and self.upper(place - 1) and len(word) > 4 and word.endswith(endings)

    def _follows_subject(self, begin: int, place: int) -> bool:
        """Whether an unknown word must be the verb: nothing but a pronoun or a first name stands before it."""
        lexicon, word = self.lexicon, self.words[place]
        if not self.tokens[place][:1].islower() or not word.isalpha() or len(word) < 3 or word in no_verbs(lexicon):
            return False
        while place - 1 > begin and self.words[place - 1] in lexicon.adverbs:
            place -= 1
        if place - 1 != begin or self.tokens[begin].endswith(","):
            return False
        first = self.words[begin]
        if first in SUBJECTS:
            return True
        named = self.upper(begin) and (first in lexicon.feminine or first in lexicon.masculine)
        return named and word.endswith(("s", "ed") if lexicon.name == "en" else ("t", "e", "a", "ó"))

    def is_participle(self, place: int) -> bool:
        word = self.word(place)
        if self.lexicon.name == "fr":
            return len(word) > 3 and word.endswith(("é", "ée", "és", "ées"))
        if self.lexicon.name == "es":
            return word in SPANISH_PARTICIPLES or (
                len(word) > 4 and word.endswith(("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"))
            )
        return word in self.lexicon.past

    def verb_first(self, place: int) -> bool:
        """Whether a clause without a subject begins here: with a verb, adverbs before it passed over."""
        lexicon = self.lexicon
        while place < len(self.words) - 1 and self.words[place] in lexicon.adverbs:
            place += 1
        word = self.words[place]
        if self.contracted(place):
            return False
        if word in lexicon.auxiliary or word in lexicon.modal:
            return True
        if lexicon.name in {"fr", "es"} and (self.word(place - 1) == "se" or word.startswith("s'")):
            return True  # only a verb follows
        if lexicon.name == "es" and word.endswith("ó") and len(word) > 3:
            return True
        if lexicon.name in {"de", "fr", "es"} and word not in lexicon.finite:
            return self._unknown_verb_first(place)
        if self.upper(place):
            return False
        if word not in lexicon.finite:
            after = self.word(place + 1)
            follows = after in lexicon.determiners or after in {"it", "them", "him", "her", "us"}
            return len(word) > 4 and word.endswith("ed") and follows
        return word not in lexicon.doubtful or self.object_like(place + 1)

    def _unknown_verb_first(self, place: int) -> bool:
        """ "und koordiniert …", "et contacte le traducteur": in French and Spanish only right before an article."""
        lexicon, word = self.lexicon, self.words[place]
        if place + 1 >= len(self.words) or len(word) < 5 or word in no_verbs(lexicon):
            return False
        if lexicon.name == "de":
            return self.tokens[place][:1].islower() and word.endswith(("t", "ierte")) and word not in GERMAN_OTHERS
        endings = ("e", "ent", "it", "era") if lexicon.name == "fr" else ("a", "e", "an", "en", "ará")
        after = self.words[place + 1]
        return word.endswith(endings) and after in lexicon.determiners and after not in {"de", "du", "des"}

    def is_order(self, place: int) -> bool:
        """Whether an order begins here: "Run …", "Please …", "Don't …"."""
        lexicon, word = self.lexicon, self.word(place)
        if lexicon.name == "de" and "bitte" in self.words[:3] and word.endswith("e") and word not in GERMAN_OTHERS:
            return len(word) > 4
        return word in ORDERS or (word in lexicon.bare and word not in lexicon.doubtful)

    def object_like(self, place: int) -> bool:
        """Whether what stands here may follow a verb."""
        if place >= len(self.words):
            return False
        lexicon, word, token = self.lexicon, self.words[place], self.tokens[place]
        return (
            word in lexicon.determiners
            or word in lexicon.personal
            or word in lexicon.prepositions
            or word in lexicon.adverbs
            or word in OBJECTS
            or token[:1].isupper()
            or token.startswith("`")
            or _NUMBER.match(token) is not None
            or (word.endswith(("ing", "ly")) and lexicon.name == "en")
        )

    def like_preposition(self, place: int, end: int) -> bool:
        """Whether a word such as "after", "until" or "that" opens no clause: no verb follows."""
        word, lexicon = self.words[place], self.lexicon
        if word == "that":
            after = self.words[place + 1] if place + 1 < end else ""
            behind = self.word(place - 1) in lexicon.prepositions  # "After that"
            return behind or not after or after in lexicon.prepositions or after in lexicon.adverbs
        if word not in lexicon.prepositions:
            return False
        return not any(self.is_verb(later) for later in range(place + 1, min(end, place + 6)))

    def _subject_start(self, begin: int, verb: int) -> int:
        words, lexicon = self.words, self.lexicon
        first = begin
        last = verb - 1
        while last > first and words[last] in lexicon.adverbs and words[last] not in lexicon.personal:
            last -= 1
        if last > first and words[last] in SUBJECTS and lexicon.joining.isdisjoint(words[first:last]):
            return last  # "Since her retirement she has"
        after_that = self.word(first - 1) in lexicon.prepositions or self.word(first + 1) in lexicon.personal
        if words[first] in {"that", "this"} and first + 1 < verb and after_that:
            return first + 1
        adverb = words[first] in lexicon.adverbs and words[first] not in lexicon.determiners
        if adverb or words[first] in lexicon.prepositions or words[first].endswith("ing"):
            comma = next((place for place in range(first, verb - 1) if self.tokens[place].endswith(",")), None)
            if comma is not None:
                first = comma + 1
            elif adverb:
                first += 1
            else:
                first = self._last_article(first, verb)
        while first < verb - 1 and words[first] in lexicon.adverbs and words[first] not in lexicon.determiners:
            first += 1
        return first

    def _last_article(self, first: int, verb: int) -> int:
        """ "On 14 March the service began": the subject begins with the last article before the verb."""
        words, lexicon = self.words, self.lexicon
        places = [p for p in range(first + 1, verb) if words[p] in lexicon.determiners or words[p] in lexicon.personal]
        if not places:
            return first
        last = places[-1]
        if words[last - 1] not in lexicon.prepositions:
            return last
        return last + 1 if words[last] in {"that", "this"} and last + 1 < verb else first


def sentence_of(text: str, lexicon: Lexicon, most: int | None = None) -> Sentence:
    """The first words of a text, ready to be parsed."""
    return Sentence(text.split()[:most], lexicon)
