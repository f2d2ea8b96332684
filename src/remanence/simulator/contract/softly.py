"""The scenes in which nothing is destroyed: forgetting, by id and by scope, and correcting.

What is forgotten is in no answer, not even one that looks into the archive, and comes back on request. A corrected
value answers no more, and can be looked up. Forgetting a fact takes what dreams made of it along; the text that a fact
was taken out of stays in the archive, so there only the ways that ask for what is live are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from remanence.simulator.contract import Cannot, Promise
from remanence.simulator.contract.looks import Trial, missing, not_looked_up, repeated, spoken
from remanence.simulator.contract.scenes import (
    Look,
    Moment,
    Scene,
    after_jobs,
    after_reopening,
    at_once,
    elsewhere,
    put_back,
)
from remanence.simulator.contract.world import Fact, world

WORLD = world()
_SCOPED = tuple(fact for fact in WORLD.scope if fact.marker)
_OLD, _NEW = WORLD.corrected
_REPLACED, _REPLACING = WORLD.replaced


def found(*more: Fact) -> Look:
    """What must stay found does, and these as well."""
    return lambda trial: missing(trial, (*WORLD.kept, *more))


def silent(*facts: Fact, live: bool = False) -> Look:
    return lambda trial: spoken(trial, facts, live=live)


def _hidden(*facts: Fact, live: bool = False, stay: Sequence[Fact] = ()) -> list[tuple[Promise, Look]]:
    return [(Promise.HIDDEN, silent(*facts, live=live)), (Promise.FOUND, found(*stay))]


def _brought_back(*facts: Fact) -> Moment:
    def back(trial: Trial) -> None:
        trial.held.bring_back([trial.ids[fact] for fact in facts])

    return Moment("brought back", back, [(Promise.BACK, lambda trial: missing(trial, facts))])


def told(*facts: Fact) -> Callable[[Trial], None]:
    def tell(trial: Trial) -> None:
        trial.tell_world()
        trial.tell(*facts)

    return tell


def _forgotten(*facts: Fact) -> Callable[[Trial], None]:
    return lambda trial: trial.held.forget([trial.ids[fact] for fact in facts])


# --- forgetting

_ONE = Scene(
    "one memory is forgotten",
    told(WORLD.forgotten),
    _forgotten(WORLD.forgotten),
    (
        at_once(_hidden(WORLD.forgotten)),
        after_jobs(_hidden(WORLD.forgotten)),
        after_reopening(_hidden(WORLD.forgotten)),
        put_back(_hidden(WORLD.forgotten)),
        elsewhere(_hidden(WORLD.forgotten)),
        _brought_back(WORLD.forgotten),
    ),
)


def _in_scope(trial: Trial) -> list[str]:
    """The same sentence in another scope stays."""
    return missing(trial, [fact for fact in WORLD.kept if fact.scope == "/team/web"], scoped=True)


_IN_SCOPE: list[tuple[Promise, Look]] = [*_hidden(*_SCOPED), (Promise.FOUND, _in_scope)]
_SCOPE = Scene(
    "a scope is forgotten",
    told(*WORLD.scope),
    lambda trial: trial.held.forget_scope("/team/api"),
    (at_once(_IN_SCOPE), after_jobs(_IN_SCOPE), after_reopening(_IN_SCOPE), _brought_back(*_SCOPED)),
)


def _absorbed(trial: Trial) -> None:
    trial.tell_world()
    doomed = WORLD.talk.doomed
    made = trial.held.absorb(doomed.text, doomed.scope)
    trial.ids = {Fact(text, doomed.scope): id for id, text in made.items() if doomed.told_by(text)}
    if not trial.ids:
        raise Cannot("no fact of the talk was taken out of it")


def _read_again(change: Callable[[str], str]) -> Callable[[Trial], object]:
    return lambda trial: trial.held.absorb(change(WORLD.talk.doomed.text), WORLD.talk.doomed.scope)


_OF_A_TALK = _hidden(WORLD.talk.doomed, live=True, stay=WORLD.talk.others)
_TALK = Scene(
    "a fact of a talk is forgotten",
    _absorbed,
    lambda trial: trial.held.forget(list(trial.ids.values())),
    (
        at_once(_OF_A_TALK),
        Moment("the talk is read again", _read_again(str), _OF_A_TALK),
        Moment("the talk is read again in capitals", _read_again(str.upper), _OF_A_TALK),
        after_jobs(_OF_A_TALK),
        after_reopening(_OF_A_TALK),
    ),
)


def summed_up(trial: Trial) -> None:
    """Tell what dreams make summaries of, and let them."""
    trial.tell_world()
    trial.tell(*WORLD.others_summed, *WORLD.summed)
    trial.held.run_jobs()
    made = trial.held.derived()
    if not all(any(fact.told_by(text) for text in made) for fact in WORLD.summed):
        raise Cannot("it made nothing of these memories")


_OF_SUMMARIES: list[tuple[Promise, Look]] = [
    *_hidden(*WORLD.summed, stay=WORLD.others_summed),
    (Promise.DERIVED, lambda trial: repeated(trial, WORLD.summed)),
]
_SUMMED = Scene(
    "a memory is forgotten that summaries were made of",
    summed_up,
    _forgotten(*WORLD.summed),
    (at_once(_OF_SUMMARIES), after_jobs(_OF_SUMMARIES), after_reopening(_OF_SUMMARIES)),
)


# --- correcting


def _current(old: Fact, new: Fact) -> list[tuple[Promise, Look]]:
    return [(Promise.CURRENT, silent(old)), (Promise.FOUND, found(new))]


def _corrected(old: Fact, new: Fact) -> tuple[Moment, ...]:
    looked_up: list[tuple[Promise, Look]] = [(Promise.PAST, lambda trial: not_looked_up(trial, trial.ids[new], old))]
    return (
        at_once([*_current(old, new), *looked_up]),
        after_jobs(_current(old, new)),
        after_reopening([*_current(old, new), *looked_up]),
        put_back(_current(old, new)),
        elsewhere(_current(old, new)),
    )


def _succeeded(trial: Trial) -> None:
    if (id := trial.held.succeed(_NEW.text, _NEW.scope)) is not None:
        trial.ids[_NEW] = id


def _rewritten(trial: Trial) -> None:
    trial.ids[_REPLACING] = trial.held.replace(trial.ids[_REPLACED], _REPLACING.text)


_NOTICED = Scene("a newer value is told", told(_OLD), _succeeded, _corrected(_OLD, _NEW))
_EDITED = Scene("a memory is given another text", told(_REPLACED), _rewritten, _corrected(_REPLACED, _REPLACING))


def _read_before(trial: Trial) -> None:
    trial.tell_world()
    made = trial.held.absorb(f"Ben: Noted.\n{_OLD.text}", _OLD.scope)
    id = next((id for id, text in made.items() if _OLD.told_by(text)), None)
    if id is None:
        raise Cannot("no fact of the talk was taken out of it")
    trial.ids[_OLD] = id


_STALE: list[tuple[Promise, Look]] = [(Promise.CURRENT, silent(_OLD, live=True)), (Promise.FOUND, found(_NEW))]
_REREAD = Scene(
    "a fact of a talk is corrected",
    _read_before,
    lambda trial: trial.ids.update({_NEW: trial.held.replace(trial.ids[_OLD], _NEW.text)}),
    (
        at_once(_STALE),
        Moment(
            "the talk is read again",
            lambda trial: trial.held.absorb(f"Ben: Noted.\n{_OLD.text}", _OLD.scope),
            _STALE,
        ),
        after_jobs(_STALE),
    ),
)

SCENES = (_ONE, _SCOPE, _TALK, _SUMMED, _NOTICED, _EDITED, _REREAD)
