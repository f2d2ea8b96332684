"""Coverage: does a summary hold what a source says? Before a source may leave for a summary, this is asked.

Sources are read sentence by sentence. A sentence is covered when one sentence of the summary tells the same words in
the same order, names all it names (names, dates, paths, identifiers), states all its numbers, denies and doubts as much
as it does, and is a decision where it is one. There may be other words only as parts of a list that "and" joins: "Ann
likes green and black tea" covers "Ann likes black tea"; "Ann likes coffee but Bob likes tea", "If it is cold, Ann likes
tea", "Ann likes tea or milk" and "Ann likes tea at night" do not cover "Ann likes tea". What is doubted must stay
doubted, and what is certain certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from remanence.lifecycle.semantic_duplicates import Said, denies_alike, same
from remanence.model.words import folded, words

_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=[^a-z\s])|(?<=[.!?…][\"'”’»)\]])\s+(?=[^a-z\s])|(?<=[。！？；])|(?<=;)\s+")
_LINE = re.compile(r"\n+\s*(?:[-*•]\s+)?")
_NO_END = re.compile(r"\b(?:[A-Z]|[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|etc|[Ee]x|e\.g|i\.e|vs|[Nn]o|ca|bzw|z\.B)\.$")
_HEDGES = """
    might maybe perhaps probably possibly presumably supposedly allegedly apparently seems seem seemed appears likely
    unlikely guess suspect suspects unsure uncertain unclear unconfirmed roughly tentatively tentative vielleicht
    vermutlich wahrscheinlich eventuell möglicherweise angeblich wohl glaube peut-être probablement semble sembler
    apparemment quizás quizá probablemente posiblemente parece creo
"""
_HEDGING = (
    *("i think", "we think", "i believe", "not sure", "not certain", "could be", "may be", "may have", "je pense"),
    *("je crois", "tal vez", "a lo mejor", "ich denke"),
)
_HEDGES_UNSPACED = ("可能", "也许", "大概", "かもしれ", "たぶん", "おそらく", "と思う", "らしい")
_DECIDING = """
    decided decide decision decisions agreed chose chosen choose selected adopted settled approved rejected must
    always never policy rule entschieden beschlossen vereinbart muss décidé choisi convenu décision decidido acordado
    elegido decisión
"""
_DECIDED_UNSPACED = ("決定", "决定", "決めた", "必ず")
_BINDING = """
    a an the is are am be been of on in at this these its also just really very simply actually run runs running happen
    happens each every do does der die das den dem ein eine einen einem ist sind am im le la les un une est sont el los
    las una es
"""
"""They carry a sentence rather than say something: "it runs on Fridays", "it happens each Friday"."""
_JOINING = ", ; & and plus und sowie et y e"
_LEADING = """
    from to into onto by with without for since before after until against over under above below between during through
    via per near as than
"""
_LIMITING = """
    if unless when whenever until except only but while whereas although though without instead rather than that which
    who says said thinks believes claims wants used formerly previously almost hardly wenn falls außer nur aber obwohl
    ohne dass si sauf sans mais bien que excepto pero sin aunque or oder ou o nor alone solely just exclusively allein
"""
"""What makes a claim hold only sometimes, or only for somebody; where they stand, a sentence says another thing."""
_HEDGED, _DECIDED = frozenset(_HEDGES.split()), frozenset(_DECIDING.split())
_FILLERS, _JOINERS = frozenset(_BINDING.split()), frozenset(_JOINING.split())
_LEADERS, _LIMITS = frozenset(_LEADING.split()), frozenset(_LIMITING.split())
_TOKEN = re.compile(r"\w+(?:[.@#~/+\\:'’-]+\w+)*|[,;&]")
_PLURAL = re.compile(r"(?<=[^\W\d_s]{3})s$|['’]s?$")
_LONGEST = 80
_LONGEST_CHARACTERS = 2_000
_ENDS = '.!?…。！？;；:"”»'
_STEM = 5
TOLD, FILLER, JOINER, LEADER = range(4)


@dataclass(frozen=True, slots=True)
class Point:
    """One sentence as it is compared: its tokens in order, each with what it is in the sentence."""

    text: str
    said: Said
    tokens: tuple[tuple[str, int], ...]
    limits: frozenset[str]
    is_hedged: bool
    is_decided: bool

    @classmethod
    def of(cls, text: str) -> Point:
        said = Said.of(text)
        plain = f" {folded(text)} "
        tokens = tuple(map(_token, _TOKEN.findall(plain[:_LONGEST_CHARACTERS])))
        return cls(
            text,
            said,
            tokens,
            frozenset(word for word, _ in tokens if word in _LIMITS),
            not _HEDGED.isdisjoint(said.tokens)
            or any(f" {phrase} " in plain for phrase in _HEDGING)
            or any(mark in plain for mark in _HEDGES_UNSPACED),
            not _DECIDED.isdisjoint(said.tokens) or any(mark in plain for mark in _DECIDED_UNSPACED),
        )

    @property
    def told(self) -> tuple[str, ...]:
        """The words that say something, in order."""
        return tuple(word for word, kind in self.tokens if kind in (TOLD, LEADER))


def _token(word: str) -> tuple[str, int]:
    # A doubt is compared for itself, in whatever words.
    for kind, known in ((FILLER, _FILLERS | _HEDGED), (JOINER, _JOINERS), (LEADER, _LEADERS)):
        if word in known:
            return word, kind
    return (word if word in _LIMITS else _PLURAL.sub("", word)), TOLD


def points(text: str) -> tuple[Point, ...]:
    """The sentences of a text that say something."""
    return tuple(Point.of(sentence) for sentence in sentences(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the marks of a list."""
    found: list[str] = []
    for line in _LINE.split(text):
        line = line.strip().removeprefix("- ").removeprefix("* ")
        goes_on = False
        for part in filter(words, map(str.strip, _SENTENCE.split(line))):
            if goes_on:
                found[-1] += " " + part
            else:
                found.append(part)
            goes_on = _NO_END.search(part) is not None
    return found


def ended(sentence: str) -> str:
    """With an end, so that the next one is read as another."""
    return sentence if not sentence or sentence[-1] in _ENDS else sentence + "."


def lost(source: str, summary: str, *, in_full: bool = True) -> list[str]:
    """What of a source no sentence of the summary holds, in short; empty where all of it is covered.

    Not in full: names, numbers, doubts, decisions and denials alone, for a text beside which the source stays.
    """
    held = points(summary)
    return [miss for point in points(source) for miss in missing(point, held, in_full=in_full)]


def new_words(summary: str, texts: Iterable[str]) -> list[str]:
    """Telling words of a summary that stand in none of the texts, nor begin like one that does."""
    known = {word for text in texts for point in points(text) for word, _ in point.tokens}
    stems = {word[:_STEM] for word in known if len(word) >= _STEM}
    said = {word for point in points(summary) for word, kind in point.tokens if kind == TOLD}
    return sorted(word for word in said - known if word[:_STEM] not in stems)


def missing(point: Point, held: Iterable[Point], *, in_full: bool = True) -> Sequence[str]:
    """What of one sentence the nearest of these does not hold; empty where one of them holds it all."""
    fewest: Sequence[str] | None = None
    for other in held:
        misses = _misses(point, other, in_full)
        if not misses:
            return ()
        if fewest is None or len(misses) < len(fewest):
            fewest = misses
    return [*point.said.names[:3], *dict.fromkeys(point.told)][:4] if fewest is None else fewest


def _misses(point: Point, other: Point, in_full: bool) -> Sequence[str]:
    if point.text == other.text:
        return ()
    mine, its = point.said, other.said
    there = {word for word, _ in other.tokens}
    misses = [*its.lacks(mine), *sorted(mine.numbers - its.numbers), *sorted(mine.marks - its.marks)]
    if in_full:
        misses += [word for word in dict.fromkeys(point.told) if word not in there and word not in misses]
    if point.is_hedged != other.is_hedged:
        misses.append("that it is not certain" if point.is_hedged else "that it is certain")
    if point.is_decided and not other.is_decided:
        misses.append("that it was decided")
    if misses:
        return misses
    if not in_full:
        return () if denies_alike(mine, its) else ("what it denies",)
    if other.limits - point.limits:
        return ("that it always holds",)
    if point.limits and point.told != other.told:
        return ("when or for whom it holds",)
    return () if same(mine, its) and _told_by(point.told, other.tokens) else ("what belongs to what",)


def _told_by(wanted: Sequence[str], tokens: Sequence[tuple[str, int]]) -> bool:
    """Whether these words stand in a sentence in their order, with nothing between them but parts of a list."""
    if len(tokens) > _LONGEST:
        return False  # so long a sentence is covered by itself alone
    ends = {-1}  # where the last word that was found may stand
    for word in wanted:
        places = [place for place, (other, kind) in enumerate(tokens) if other == word and kind in (TOLD, LEADER)]
        ends = {place for place in places if any(end < place and _listed(tokens[end + 1 : place]) for end in ends)}
        if not ends:
            return False
    return any(_goes_on(tokens[end + 1 :]) for end in ends)


def _goes_on(tail: Sequence[tuple[str, int]]) -> bool:
    """Whether a sentence is at its end there, or goes on with "and", or with a list that does."""
    kinds = [(word, kind) for word, kind in tail if kind != FILLER]
    joined = any(kind == JOINER and word not in ",;" for word, kind in kinds)
    return not kinds or (kinds[0][1] == JOINER and joined and len(kinds) > 1)


def _listed(between: Sequence[tuple[str, int]]) -> bool:
    """Whether there is nothing to speak of, or a list that goes on, or one that began: "green and", "and black"."""
    kinds = [kind for _, kind in between if kind != FILLER]
    if all(kind == JOINER for kind in kinds):
        return True
    return JOINER in kinds and (kinds[-1] == JOINER) != (kinds[0] == JOINER)
