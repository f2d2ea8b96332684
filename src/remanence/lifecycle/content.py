"""Content: what a text says that is worth keeping, read off its words alone.

A text is read sentence by sentence. Eighteen signals of a sentence, each with a reason (`SIGNALS`), are weighed and
added; e to that sum is what the sentence is worth, and a text is worth its three best sentences. So a fact keeps its
worth among small talk, and small talk gains none beside a fact. One signal is of the whole text: whether it answers
what somebody else asked just before. `content` brings that between 0 and 1: half of all turns of the conversations it
was fitted on are below 0.5. Signals know English best, German, French, Spanish, Chinese and Japanese a little;
elsewhere names, numbers and telling words are left, and nothing is held against a text that is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from math import exp, log1p
from operator import mul
from types import MappingProxyType

from remanence.lifecycle.content_dense import dense_signals

_BEST = 3
_MOST_CHARACTERS = 8_000
_KEPT = 4_096
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ASKED = re.compile(r"[?？][\"'”’»)\]!！.…\s]*$")
_DIGIT = re.compile(r"\d")
_SPEAKER = re.compile(r"\s*((?:[A-Z][\w.'’-]*)(?: [A-Z][\w.'’-]*){0,2}):\s+(?=\S)")
_CALLED = re.compile(
    r"(?:^(?:hey|hi|hello|thanks|thank you|yeah|yes|yep|wow|sure|oh|no|totally|absolutely|congrats|awesome|great|cool|"
    r"nice|right|well|sorry|agreed|definitely|hallo|danke|ja|nein|merci|salut|gracias|hola)[, ]+|, )"
    r"(?-i:[A-Z])\w+(?=\s*[,!?.]|$)",
    re.I,
)
_QUOTED = re.compile(r"[\"“«„「][^\"”»“」]{2,60}[\"”»“」]")
_ASIDE = re.compile(
    r"\b(?:by the way|btw|speaking of|actually|also|in fact|oh,|übrigens|apropos|au fait|d'ailleurs|por cierto)\b", re.I
)
_DATED = re.compile(
    r"\b(?:today|yesterday|tonight|ago|last \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|"
    r"april|june|july|august|september|october|november|december|recently|i just|\d{1,2}(?:st|nd|rd|th)|\d{1,2}:\d\d|"
    r"\d{1,2} ?[ap]m|\d{4}-\d\d-\d\d|heute|gestern|vor \w+ (?:tagen|wochen|monaten|jahren)|letzte\w* \w+|aujourd'hui|"
    r"hier|il y a|hoy|ayer|hace)\b",
    re.I,
)
_SOCIAL = re.compile(
    r"\b(?:talk (?:to you|soon|later)|long time|been a while|last (?:talked|chatted|spoke)|catch up|take care|"
    r"see you|good ?bye|bye|we (?:talked|chatted)|what's (?:up|new)|how (?:are|have) you|no (?:problem|worries)|"
    r"you're welcome|keep it up|good luck|let me know|check (?:it|this|them) out|take a look|look at this|"
    r"means a lot|keep (?:going|pushing)|proud of you|here for you|believe in you|your (?:support|encouragement))\b",
    re.I,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SELF = _words(
    """i i'm i've i'd i'll we we're we've we'd we'll ich wir je j'ai j'étais nous yo nosotros
    tengo soy estoy trabajo vivo"""
)
_OWN = _words("my mine our ours mein meine meinen meiner unser unsere mon ma mes notre nos mi mis nuestro")
_FIRST = _SELF | _OWN | _words("me us myself ourselves mich mir uns moi me nosotros")
_OTHER = _words(
    "you your yours you're you've you'd you'll yourself du dein deine ihr euch sie tu toi ton vous votre tú"
)
_DONE = _words(
    """was were had did went got took made came saw bought found gave told thought felt knew left kept began met
    ran sat spoke spent stood taught won wore wrote lost sold sent built brought caught chose drew drove ate fell flew
    forgot grew held heard led lent paid quit rode rose said shot slept swam threw woke became
    done gone seen taken given written broken worn born i've we've war waren hatte hatten habe haben bin gewesen
    gegangen gekauft été était avais j'ai suis fue fui era había he tuve"""
)
_HAPPENED = _words(
    "was were had did went got took made came gave told left won lost bought hat hatte war wurde été était fue era"
)
_WHEN = _words(
    """today yesterday tonight tomorrow monday tuesday wednesday thursday friday saturday sunday mondays tuesdays
    wednesdays thursdays fridays saturdays sundays january february march april june july august september october
    november december weekend morning evening afternoon night week weeks month months year years ago recently lately
    since last next summer winter spring christmas birthday anniversary just finally already heute gestern morgen
    montag dienstag mittwoch donnerstag freitag samstag sonntag woche wochen monat jahr jahre seit vor letzte nächste
    aujourd'hui hier demain semaine mois année ans depuis lundi mardi mercredi jeudi vendredi samedi dimanche hoy ayer
    mañana semana mes año años desde lunes martes miércoles jueves viernes"""
)
_COUNTED = _words(
    """two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand dozen twice
    half couple zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq dix dos tres cuatro cinco diez"""
)
_KIN = _words(
    """mom mother dad father parents sister brother wife husband son daughter kids kid children family friend friends
    grandma grandmother grandfather grandpa aunt uncle cousin niece nephew boyfriend girlfriend partner boss colleague
    colleagues coworker coworkers roommate neighbor team manager customer client dog cat puppy kitten pet pets mutter
    vater schwester bruder frau mann sohn tochter kinder freund freundin chef kollege hund katze mère père sœur frère
    femme mari fils fille enfants ami amie chien chat madre padre hermana hermano esposa hijo hija amigo perro gato"""
)
_LIKING = _words(
    """love loves loved like likes liked prefer prefers preferred enjoy enjoys enjoyed hate hates favorite favourite fan
    allergic vegan vegetarian passionate obsessed mag liebe lieber bevorzuge hasse allergisch aime préfère déteste
    gusta prefiero odio"""
)
_DECIDING = _words(
    """decided decide decision agreed chose chosen choose always never must every usually policy rule joined started
    signed quit moved entschieden beschlossen immer nie muss décidé toujours jamais decidido siempre nunca"""
)
_ASKING = _words(
    """can could would please what how why when where which who do does did is are should write give tell suggest
    recommend explain list make create generate provide describe help rewrite summarize continue translate"""
)
_REACTING = _words(
    """wow thanks thank congrats congratulations awesome amazing great cool nice glad happy sorry yeah yep yes sure
    absolutely definitely totally agree hey hi hello bye welcome okay ok haha lol sounds wonderful fantastic interesting
    helpful appreciate worries luck danke super toll merci génial gracias genial"""
)
_SHORT_REACTION = 8
_INTENDING = _words(
    """would could might may maybe should will i'll we'll hope hopefully if i'd we'd can think guess heard wonder
    wondering perhaps probably würde könnte vielleicht wenn peut-être si quizás"""
)
_PLAIN = (
    _words(
        """a an the and or but of to in on at for with from by as is are was were be been being it its this that these
    those i you he she they we my your his her their our me him them us do does did have has had not no so if then than
    there here what when where who how why which can could would should will just about into over also too very really
    some any all more most able above across actually add after again ago almost already always another anyone anything
    area around ask away back bad because become before began believe best better between big both bring call came care
    change come course day days different done down each early else end enough ever every everyone everything example
    fact far feel few find first found full fun get give go goes going gone good got great hand happen happy hard having
    hear help high hold home hope idea important interesting issue job keep kind knew know large last later learn least
    leave left less let level life like line little live long look lot love made main make many matter maybe mean might
    mind moment move much must need never new next nice nothing now number off often okay old once one only open other
    others own part pass people perfect person place plan point possible pretty probably problem put question quite
    rather ready real reason right said same saw say see seem set several share show side since small someone something
    sometimes soon sound sounds special start started stay still stop stuff such support sure take talk tell thank
    thanks thing things think thought through time times tip tips today together told took totally touch tried try
    trying turn two under understand until use used using want wanted watch way week well went whatever whether while
    whole wish without wonder wonderful word work working world worth wow year years yes yet amazing awesome cool
    excited exciting experience glad definitely absolutely super journey passion dream dreams goal goals positive
    memories memory friend friends inspire inspiring inspired motivation motivated beautiful enjoy creative create
    making looking coming getting doing seeing feeling keeps helping helped helps means meant"""
    )
    | _REACTING
    | _FIRST
    | _OTHER
)


@dataclass(frozen=True, slots=True)
class Signal:
    """What a sentence is read for: why it matters, what it weighed before any data, and what it weighs."""

    why: str
    prior: float
    weight: float


SIGNALS: Mapping[str, Signal] = MappingProxyType(
    {
        "self": Signal("who speaks of themselves tells what nobody else knows", 0.5, 0.37),
        "done": Signal("something they did, had or went through: it happened, and stays true", 1.0, 0.82),
        "own": Signal("what is theirs: my, our", 0.5, 0.65),
        "happened": Signal("something happened, to whomever", 0.5, 0.45),
        "when": Signal("a fact that has a time is one that is asked for by it", 1.0, 0.99),
        "number": Signal("a number cannot be guessed again", 1.0, 0.87),
        "name": Signal("names and titles are what one searches by", 1.0, 0.54),
        "kin": Signal("the people and animals of a life", 0.5, 0.29),
        "liking": Signal("a preference serves every later answer", 0.5, 0.07),
        "decision": Signal("what was decided, begun, or always holds", 0.5, 0.46),
        "aside": Signal("what is told without being asked is told because it matters", 0.5, 0.72),
        "detail": Signal("telling words, of which more say more: ln(1 + their number)", 1.0, 0.68),
        "answer": Signal("somebody asked for it: what is wanted once is wanted again", 1.0, 0.71),
        "question": Signal("it asks, and states little", -1.0, -1.17),
        "request": Signal("work of the moment, done when it is done", -1.0, -1.05),
        "reaction": Signal("thanks, greetings, praise: they answer, and state nothing", -1.0, -1.07),
        "addressed": Signal("it speaks of the one spoken to", -1.0, -0.77),
        "intention": Signal("a wish, a guess or hearsay is not yet a fact", -0.5, -0.61),
    }
)
NAMES = tuple(SIGNALS)
PRIOR: Mapping[str, float] = MappingProxyType({name: signal.prior for name, signal in SIGNALS.items()})
WEIGHTS: Mapping[str, float] = MappingProxyType({name: signal.weight for name, signal in SIGNALS.items()})
CHOSEN_BY = "rem bench forgetting, 2026-11-18: LongMemEval dev part (MIT) and talks, pulled to the priors, strength 15"
"""The run that chose the weights; none was fitted on LoCoMo, which is not free for every use (decision 0055)."""
MEDIAN = 14.5
"""What half of the turns are worth less than, where the weights were fitted."""


def speaker(text: str) -> str:
    """Who says it, where a name stands before it: "Ann: I moved." → "Ann"; "" where none does."""
    found = _SPEAKER.match(text)
    return found[1] if found else ""


def answers(before: str, text: str, *, by_another: bool = False) -> bool:
    """Whether a text answers the one just before it: that one asks, and somebody else speaks now.

    Who speaks is told by the name before a text, where the caller does not know better.
    """
    asked = any(_ASKED.search(sentence) for sentence in _SENTENCE.split(before[:_MOST_CHARACTERS]) if sentence)
    return asked and (by_another or speaker(before) != speaker(text))


@lru_cache(_KEPT)
def sentences(text: str, answer: bool = False) -> tuple[tuple[float, ...], ...]:
    """The signals of each sentence, in the order of `NAMES`; none for a text without words."""
    said = _SPEAKER.sub("", text[:_MOST_CHARACTERS], count=1)
    return tuple(signals for sentence in _SENTENCE.split(said) if sentence and (signals := _read(sentence, answer)))


def value(text: str, weights: Mapping[str, float] = WEIGHTS, *, answer: bool = False) -> float:
    """What the three best sentences are worth together, 0 for a text without words; `answer` where it is one.

    "Thanks!" has a reaction alone, e^-1.07 = 0.34; "I met Ann." has self, done,
    half a name and two telling words: e^(0.37 + 0.82 + 0.27 + 0.68 ln 3) = 9.09.
    """
    factors = tuple(weights[name] for name in NAMES)
    worths = (exp(sum(map(mul, signals, factors))) for signals in sentences(text, answer))
    return sum(nlargest(_BEST, worths))


def content(text: str, *, answer: bool = False) -> float:
    """The same between 0 and 1: value / (value + median), 0.5 for a text at the median."""
    found = value(text, answer=answer)
    return found / (found + MEDIAN)


def factors(text: str, *, answer: bool = False) -> dict[str, float]:
    """What each signal adds or takes in the best sentence, in the order of weight; those that are silent are left out.

    "Thanks!" → reaction -1.07.
    """
    read = sentences(text, answer)
    if not read:
        return {}
    each = [{name: signal * WEIGHTS[name] for name, signal in zip(NAMES, row, strict=True) if signal} for row in read]
    best = max(each, key=lambda parts: sum(parts.values()))
    return dict(sorted(best.items(), key=lambda part: -abs(part[1])))


def _read(sentence: str, answer: bool) -> tuple[float, ...]:
    if not sentence.isascii() and (dense := dense_signals(sentence, answer)) is not None:
        return dense
    written = _WORD.findall(sentence)
    if not written:
        return ()
    plain = sentence.replace("’", "'")
    words = [word.replace("’", "'").lower() for word in written]
    held = frozenset(words)
    asked = _ASKED.search(sentence) is not None
    regular = any(len(word) > 3 and word.endswith("ed") for word in words[1:])
    capitals = sum(
        word[0].isupper() and (lower := word.lower()) not in _FIRST and lower not in _WHEN
        for word in _WORD.findall(_CALLED.sub(_uncalled, sentence))[1:]
    )
    telling = sum(len(word) > 2 and "'" not in word for word in held - _PLAIN)
    reacts = len(words) <= _SHORT_REACTION and not held.isdisjoint(_REACTING)
    return (
        float(not held.isdisjoint(_SELF)),
        float((regular or not held.isdisjoint(_DONE)) and not held.isdisjoint(_FIRST)),
        float(not held.isdisjoint(_OWN)),
        float(regular or not _HAPPENED.isdisjoint(words[1:])),
        1.0 if _DATED.search(plain) else 0.5 * (not held.isdisjoint(_WHEN)),
        float(_DIGIT.search(sentence) is not None or not held.isdisjoint(_COUNTED)),
        min(1.0, capitals / 2 + (_QUOTED.search(sentence) is not None)),
        float(not held.isdisjoint(_KIN)),
        float(not held.isdisjoint(_LIKING)),
        float(not held.isdisjoint(_DECIDING)),
        float(_ASIDE.search(sentence) is not None),
        log1p(telling),
        float(answer),
        float(asked),
        float(words[0] in _ASKING and not asked),
        float(reacts or _SOCIAL.search(plain) is not None),
        float(not asked and not held.isdisjoint(_OTHER)),
        float(not held.isdisjoint(_INTENDING)),
    )


def _uncalled(called: re.Match[str]) -> str:
    """A name that somebody is called by is none to search by: it is read in small letters."""
    return called[0].lower()
