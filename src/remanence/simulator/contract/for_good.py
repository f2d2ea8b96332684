"""The scenes in which something is destroyed: by id, by scope, by name, with its versions, its source, its summaries.

What was purged is in no answer, no text in whatever state, no byte of the files, no copy made after, and is not learned
again from anything that says it once more, old copies included, unless that is asked for. What stood beside it stays.
Each way of telling it again has a fact of its own, so that one broken promise does not break the next.
"""

from __future__ import annotations

from collections.abc import Callable

from remanence.simulator.contract import Cannot, Promise
from remanence.simulator.contract.looks import Trial, bytes_left, missing, more_bytes, repeated, spoken, stored
from remanence.simulator.contract.scenes import Act, Look, Looks, Moment, Scene, after_jobs, after_reopening, at_once
from remanence.simulator.contract.softly import WORLD, found, summed_up, told
from remanence.simulator.contract.world import Fact

_PLAIN, _AGAIN, _FOLDED, _MANY, _ALLOWED = WORLD.purged.values()
_REPLACED, _REPLACING = WORLD.replaced
_OLD, _NEW = WORLD.corrected
_TALK, _SESSION = WORLD.talk, WORLD.session
_SESSION_ID = "harbour-1"


def gone(*facts: Fact) -> Look:
    """In no answer, and in no text that can still be asked for."""
    return lambda trial: spoken(trial, facts) + stored(trial, facts)


def no_byte(*facts: Fact) -> Look:
    return lambda trial: bytes_left(trial, facts)


def _destroyed(*facts: Fact, stay: tuple[Fact, ...] = ()) -> list[tuple[Promise, Look]]:
    return [(Promise.GONE, gone(*facts)), (Promise.BYTES, no_byte(*facts)), (Promise.FOUND, found(*stay))]


def _again(name: str, act: Act, *facts: Fact, looks: Looks = ()) -> Moment:
    """These are told again in some way: they are in no answer, and in no more bytes than before."""

    def tell(trial: Trial) -> None:
        trial.count(*facts)
        act(trial)

    def learned(trial: Trial) -> list[str]:
        return gone(*facts)(trial) or more_bytes(trial, facts)

    return Moment(name, tell, [(Promise.BLOCKED, learned), *looks])


def _told_and_watched(*facts: Fact) -> Callable[[Trial], None]:
    def tell(trial: Trial) -> None:
        told(*facts)(trial)
        trial.watch(*(fact for fact in facts if fact.marker))

    return tell


def _purged(*facts: Fact) -> Callable[[Trial], None]:
    return lambda trial: trial.held.purge([trial.ids[fact] for fact in facts])


# --- by id


def _in_copies(name: str, make: Callable[[Trial], None], path: str) -> Moment:
    return Moment(name, make, [(Promise.COPIES, lambda trial: bytes_left(trial, [_PLAIN], [trial.beside(path)]))])


_ONE = Scene(
    "memories are purged",
    _told_and_watched(_PLAIN, _AGAIN, _FOLDED, _MANY, _ALLOWED),
    _purged(_PLAIN, _AGAIN, _FOLDED, _MANY, _ALLOWED),
    (
        at_once(_destroyed(_PLAIN)),
        _again("told again", lambda trial: trial.held.add(_AGAIN.text, _AGAIN.scope), _AGAIN),
        _again(
            "told again in other case and spacing",
            lambda trial: trial.held.add(f"  {_FOLDED.text.upper().replace(' ', '   ')}\n", _FOLDED.scope),
            _FOLDED,
        ),
        _again(
            "told again among others, elsewhere",
            lambda trial: trial.held.add_many(["The lift is slow in winter.", _MANY.text], "/elsewhere"),
            _MANY,
        ),
        Moment(
            "told again and meant so",
            lambda trial: trial.held.add(_ALLOWED.text, _ALLOWED.scope, relearn=True),
            [(Promise.FOUND, lambda trial: missing(trial, [_ALLOWED]))],
        ),
        after_jobs(_destroyed(_PLAIN)),
        after_reopening(_destroyed(_PLAIN)),
        _in_copies("in a backup made after", lambda trial: trial.held.backup(trial.beside("after.copy")), "after.copy"),
        _in_copies("in an export made after", lambda trial: trial.held.export(trial.beside("after.all")), "after.all"),
    ),
)

# --- old copies

_BACK_LOOKS: list[tuple[Promise, Look]] = [
    (Promise.RETURN, gone(_PLAIN)),
    (Promise.BYTES, no_byte(_PLAIN)),
    (Promise.FOUND, found()),
]


def _copied(trial: Trial) -> None:
    _told_and_watched(_PLAIN)(trial)
    trial.held.backup(trial.beside("old.copy"))


def _exported(trial: Trial) -> None:
    _told_and_watched(_PLAIN)(trial)
    trial.held.export(trial.beside("old.all"))


_BACKUP = Scene(
    "an old backup is put back after a purge",
    _copied,
    _purged(_PLAIN),
    (
        Moment("put back", lambda trial: trial.restore(trial.beside("old.copy")), _BACK_LOOKS),
        after_jobs(_BACK_LOOKS),
        _again("told again", lambda trial: trial.held.add(_PLAIN.text, _PLAIN.scope), _PLAIN),
    ),
)
_EXPORT = Scene(
    "an old export is read in after a purge",
    _exported,
    _purged(_PLAIN),
    (
        Moment("read in", lambda trial: trial.held.import_(trial.beside("old.all")), _BACK_LOOKS),
        after_jobs(_BACK_LOOKS),
    ),
)

# --- by scope and by name

_BESIDE = (WORLD.beside_scope,)
_SCOPE = Scene(
    "a scope is purged",
    _told_and_watched(*WORLD.purged_scope, *_BESIDE),
    lambda trial: trial.held.purge_scope("/clients/north"),
    (
        at_once(_destroyed(*WORLD.purged_scope, stay=_BESIDE)),
        after_jobs(_destroyed(*WORLD.purged_scope, stay=_BESIDE)),
        after_reopening(_destroyed(*WORLD.purged_scope, stay=_BESIDE)),
    ),
)
_PERSON = Scene(
    "all about a person is purged",
    _told_and_watched(*WORLD.person, *WORLD.others_of_the_name),
    lambda trial: trial.held.purge_about(WORLD.name),
    (
        at_once(_destroyed(*WORLD.person, stay=WORLD.others_of_the_name)),
        _again(
            "told again",
            lambda trial: [trial.held.add(fact.text, fact.scope) for fact in WORLD.person],
            *WORLD.person,
        ),
        after_jobs(_destroyed(*WORLD.person, stay=WORLD.others_of_the_name)),
    ),
)

# --- versions


def _edited(trial: Trial) -> None:
    told(_REPLACED)(trial)
    trial.watch(_REPLACED)
    trial.ids[_REPLACING] = trial.held.replace(trial.ids[_REPLACED], _REPLACING.text)
    trial.watch(_REPLACED, _REPLACING)


_VERSIONS = Scene(
    "a memory is purged that had another text before",
    _edited,
    _purged(_REPLACING),
    (at_once(_destroyed(_REPLACED, _REPLACING)), after_reopening(_destroyed(_REPLACED, _REPLACING))),
)


def _noticed(trial: Trial) -> None:
    _told_and_watched(_OLD)(trial)
    trial.held.succeed(_NEW.text, _NEW.scope)
    if trial.ids[_OLD] not in trial.held.kept_texts():
        raise Cannot("it keeps no older values")


_OLDER = Scene(
    "an older value is purged",
    _noticed,
    _purged(_OLD),
    (at_once(_destroyed(_OLD, stay=(_NEW,))), after_reopening(_destroyed(_OLD, stay=(_NEW,)))),
)

# --- what it was taken from, and what was made of it


def _learned(trial: Trial, fact: Fact) -> list[str]:
    """The memories that say just this, and not what they were taken out of."""
    ids = [id for id, text in trial.held.kept_texts().items() if text.startswith(fact.text)]
    if not ids:
        raise Cannot("nothing of it was learned")
    return ids


def _absorbed(trial: Trial) -> None:
    trial.tell_world()
    made = trial.held.absorb(_TALK.doomed.text, _TALK.doomed.scope)
    trial.ids = {Fact(text, _TALK.doomed.scope): id for id, text in made.items() if _TALK.doomed.told_by(text)}
    trial.watch(_TALK.doomed)
    if not trial.ids:
        raise Cannot("no fact of the talk was taken out of it")


def _read_again(change: Callable[[str], str]) -> Callable[[Trial], object]:
    return lambda trial: trial.held.absorb(change(_TALK.doomed.text), _TALK.doomed.scope)


_ONE_MORE = _TALK.new or _TALK.doomed
_ABSORBED = Scene(
    "a fact of a talk is purged",
    _absorbed,
    lambda trial: trial.held.purge(list(trial.ids.values())),
    (
        at_once(_destroyed(_TALK.doomed, stay=_TALK.others)),
        _again("the talk is read again", _read_again(str), _TALK.doomed),
        _again("the talk is read again in capitals", _read_again(str.upper), _TALK.doomed),
        _again(
            "the talk is read again with a new line",
            _read_again(lambda text: f"{text}\n{_ONE_MORE.text}"),
            _TALK.doomed,
            looks=[(Promise.FOUND, found(*_TALK.others, _ONE_MORE))],
        ),
        after_jobs(_destroyed(_TALK.doomed, stay=_TALK.others)),
        after_reopening(_destroyed(_TALK.doomed, stay=_TALK.others)),
    ),
)


def _summed_and_watched(trial: Trial) -> None:
    summed_up(trial)
    trial.watch(*WORLD.summed)


_OF_SUMMARIES: list[tuple[Promise, Look]] = [
    (Promise.DERIVED, lambda trial: repeated(trial, WORLD.summed)),
    *_destroyed(*WORLD.summed, stay=WORLD.others_summed),
]
_SUMMED = Scene(
    "a memory is purged that summaries were made of",
    _summed_and_watched,
    _purged(*WORLD.summed),
    (at_once(_OF_SUMMARIES), after_jobs(_OF_SUMMARIES), after_reopening(_OF_SUMMARIES)),
)

# --- sessions


def _captured(trial: Trial) -> None:
    trial.tell_world()
    trial.held.capture(_SESSION.turns, _SESSION.doomed.scope, _SESSION_ID)
    trial.held.run_jobs()
    trial.watch(_SESSION.doomed)


def _held_again(trial: Trial) -> None:
    trial.held.capture(_SESSION.turns, _SESSION.doomed.scope, _SESSION_ID)
    trial.held.run_jobs()


_OF_A_SESSION = _destroyed(_SESSION.doomed, stay=_SESSION.others)
_TAUGHT = Scene(
    "what a session taught is purged",
    _captured,
    lambda trial: trial.held.purge(_learned(trial, _SESSION.doomed)),
    (
        at_once([*_OF_A_SESSION, (Promise.DERIVED, lambda trial: repeated(trial, [_SESSION.doomed]))]),
        _again("the session comes again", _held_again, _SESSION.doomed),
        after_reopening(_OF_A_SESSION),
    ),
)

SCENES = (_ONE, _BACKUP, _EXPORT, _SCOPE, _PERSON, _VERSIONS, _OLDER, _ABSORBED, _SUMMED, _TAUGHT)
