"""A paragraph into claims: sentences, those into main clauses, without chatter and questions, pronouns replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from remanence.extraction.chatter import is_question, plain, says_nothing, without_openers
from remanence.extraction.chinese_clauses import chinese_clauses, chinese_subject
from remanence.extraction.clauses import main_clauses
from remanence.extraction.dense import DenseReferences
from remanence.extraction.grammar import bare_word, sentence_of
from remanence.extraction.japanese_clauses import japanese_clauses
from remanence.extraction.language import is_dense, language_of
from remanence.extraction.lexicon import Lexicon, split_words
from remanence.extraction.markup import trimmed
from remanence.extraction.patterns import pattern
from remanence.extraction.record_names import names_only_itself
from remanence.extraction.reference import References
from remanence.extraction.sentences import sentences

_LOOKED_AT_WORDS = 60
_TELLING_LENGTH = 40
_DENSE_VERB = pattern(r"[はがをにで]|ます|した|です|する|[是有在了不将已]|会(?![议議])|可以|负责|需要")
_NEGATIONS = split_words("no not never don't dont without kein keine nicht nie ohne pas jamais sans aucun nunca sin")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim; `whole` where it has a subject and a verb of its own, or is an order."""

    text: str
    whole: bool


class Claims:
    """The claims of a text, paragraph by paragraph, with what was spoken of so far."""

    def __init__(self, language: Lexicon) -> None:
        self.language = language
        self.references = References()
        self._dense = DenseReferences(language.name)

    def of(self, text: str, keep_short: bool = False) -> Iterator[Claim]:
        """The claims of a paragraph; in lists even a word or two may be one."""
        language = language_of(text, self.language) if len(text) > _TELLING_LENGTH else self.language
        for sentence in sentences(plain(text), language):
            if says_nothing(sentence, language) and not (keep_short and len(sentence.split()) <= 2):
                continue
            if is_question(sentence):
                self._hear(sentence, language)
                continue
            sentence = self.references.with_subject(_unopened(sentence, language), language)
            for clause in _main_clauses(sentence, language):
                clause = without_openers(trimmed(clause), language)
                if not clause or (says_nothing(clause, language) and not keep_short):
                    continue
                if is_dense(language):
                    clause = self._dense.resolve(clause)
                else:
                    clause = self.references.resolve(clause, language)
                yield Claim(_capital(clause, sentence), has_verb(clause, language))

    def _hear(self, question: str, language: Lexicon) -> None:
        """What a question asks about may be "it" or "they" in the answer: "are backups kept" → "backups are kept"."""
        if is_dense(language):
            return
        tokens = question.rstrip("?").split()
        helper = next((p for p, token in enumerate(tokens[:5]) if bare_word(token) in language.auxiliary), None)
        if helper is None or helper + 2 >= len(tokens):
            return
        end = helper + 2
        if bare_word(tokens[helper + 1]) in language.determiners:
            verbs = (p for p in range(end, len(tokens)) if _is_main_verb(tokens[p], language))
            end = next(verbs, min(helper + 3, len(tokens)))
        turned = [*tokens[helper + 1 : end], tokens[helper], *tokens[end:]]
        self.references.resolve(" ".join(turned), language)


def _main_clauses(sentence: str, language: Lexicon) -> list[str]:
    if language.name == "zh":
        return chinese_clauses(sentence)
    if language.name == "ja":
        return japanese_clauses(sentence)
    return main_clauses(sentence, language)


def _is_main_verb(token: str, language: Lexicon) -> bool:
    return bare_word(token) in language.bare or bare_word(token) in language.past


def has_verb(text: str, language: Lexicon) -> bool:
    """Whether a text has a subject and a verb, or gives an order."""
    if is_dense(language):
        return _DENSE_VERB.search(text) is not None
    if not language.finite:
        return len(text.split()) > 2
    sentence = sentence_of(text, language, _LOOKED_AT_WORDS)
    words = sentence.words
    if sentence.parse(0, len(words)).verb >= 0:
        return True
    if len(words) < 3 or words[0] not in language.bare or not sentence.tokens[0][0].isalpha():
        return False
    # "Update docs" is an order, "Project Heron" and "Support for" are not.
    return words[0] not in language.doubtful or not (sentence.upper(1) or words[1] in language.prepositions)


def lacks_subject(text: str, language: Lexicon) -> bool:
    """Whether a text leaves open whom or what it speaks of."""
    if language.name == "ja":
        return "は" not in text and "が" not in text
    if language.name == "zh":
        return not chinese_subject(text)
    if not language.finite:
        return False
    sentence = sentence_of(text, language, _LOOKED_AT_WORDS)
    found = sentence.parse(0, len(sentence.words))
    if language.name == "es" and found.verb >= 0:
        return all(word in language.adverbs for word in sentence.words[: found.verb])  # "No se fuma"
    return found.verb < 0


def is_scrap(claim: Claim, language: Lexicon) -> bool:
    """A few words without a verb, a number, a negation or a name say nothing by themselves."""
    text = claim.text
    if names_only_itself(text):
        return True
    if claim.whole:
        return False
    if is_dense(language):
        return len(text.rstrip("。！")) <= 2
    words = text.split()
    if not language.finite:
        return len(words) < 2
    if len(words) == 1 and not any(sign.isdigit() or sign in ":`" for sign in text):
        return True
    if len(words) > 3 or any(sign.isdigit() or sign in ":`/" for sign in text):
        return False
    if any(_says_something(bare_word(word), language) for word in words):
        return False
    return len(words) <= 2 or not any(word[:1].isupper() for word in words[1:])


def _says_something(word: str, language: Lexicon) -> bool:
    return word in _NEGATIONS or word in language.finite or word in language.personal


def _unopened(sentence: str, language: Lexicon) -> str:
    """The sentence from where it says something; the article or pronoun it then begins with has its capital."""
    rest = without_openers(sentence, language)
    first = bare_word(rest.split(" ", 1)[0])
    if sentence[:1].isupper() and first in language.determiners | language.personal:
        return rest[:1].upper() + rest[1:]
    return rest


def _capital(claim: str, sentence: str) -> str:
    """A claim whose subject was put first begins as its sentence did."""
    if sentence[:1].isupper() and claim[:1].islower() and re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?[,\s]", claim):
        return claim[:1].upper() + claim[1:]
    return claim
