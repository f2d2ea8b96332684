"""LongMemEval: is the session with the answer among the first k? Abstention questions are left out.

own haystack: each question in a store of its own sessions. any@k: one of its evidence sessions is among the first k
sessions; all@k: all of them are; mrr: 1 / the place of the first. Headline: all@5.
pooled: the sessions of all questions in one store. Headline: any@10. With sessions of strangers in it, it says how a
store grows, not what one user would see.

Granularity says what one memory is: a session, a round (what the user said and the answer to it), or a turn. Rounds
and turns carry their session's label, and a session stands where its best memory stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from remanence.simulator.contenders import Contender, Item
from remanence.simulator.datasets.longmemeval import Question, Session
from remanence.simulator.protocols import Step, Tally, reciprocal_rank, share
from remanence.simulator.report import Result

DATASET = "longmemeval"
PARTS = ("own", "pooled")
_DEEP = {"session": 10, "round": 200, "turn": 400}  # memories asked for, so that ten sessions are among them
_FIRST = 10
_BETWEEN = timedelta(seconds=1)


def run(questions: Sequence[Question], part: str, granularity: str, contender: Contender, step: Step) -> list[Result]:
    """The result of one part: own haystacks, or the pooled store."""
    asked = [question for question in questions if question.answerable]
    if not asked:
        return []
    return [(_own if part == "own" else _pooled)(questions, asked, contender, granularity, step)]


def _own(
    questions: Sequence[Question], asked: Sequence[Question], contender: Contender, granularity: str, step: Step
) -> Result:
    tally = Tally()
    for question in asked:
        items = [item for session in question.sessions for item in pieces(session, granularity)]
        haystack = contender.filled(items)
        found = haystack.asked(question.text, question.at, _DEEP[granularity])[:_FIRST]
        tally.memories += len(items)
        tally.counts.update(haystack.counts())
        haystack.close()
        first = found[:5]
        tally.note(
            question.id,
            "all@5",
            any_at_5=float(share(first, question.evidence) > 0),
            all_at_5=float(share(first, question.evidence) == 1),
            any_at_10=float(share(found, question.evidence) > 0),
            all_at_10=float(share(found, question.evidence) == 1),
            mrr=reciprocal_rank(found, question.evidence),
        )
        step()
    return tally.result(DATASET, f"own haystack, {granularity}", contender.name, "all@5")


def _pooled(
    questions: Sequence[Question], asked: Sequence[Question], contender: Contender, granularity: str, step: Step
) -> Result:
    tally = Tally()
    sessions = {session.id: session for question in questions for session in question.sessions}
    ordered = sorted(sessions.values(), key=lambda session: session.at)
    items = [item for session in ordered for item in pieces(session, granularity)]
    haystack = contender.filled(items)
    tally.memories = len(items)
    tally.counts.update(haystack.counts())
    latest = max(ordered[-1].at, *(question.at for question in asked))
    for question in asked:
        found = haystack.asked(question.text, latest, _DEEP[granularity])[:_FIRST]
        tally.note(
            question.id,
            "any@10",
            any_at_10=float(share(found, question.evidence) > 0),
            all_at_10=float(share(found, question.evidence) == 1),
            mrr=reciprocal_rank(found, question.evidence),
        )
        step()
    haystack.close()
    return tally.result(DATASET, f"pooled, {granularity}", contender.name, "any@10")


def pieces(session: Session, granularity: str) -> Iterator[Item]:
    """A session as memories, a second apart."""
    said = [f"{turn.role}: {turn.text}" for turn in session.turns]
    if granularity == "session":
        texts = ["\n\n".join(said)]
    elif granularity == "turn":
        texts = said
    else:
        texts = []
        for turn, text in zip(session.turns, said, strict=True):
            if turn.role == "user" or not texts:
                texts.append(text)
            else:
                texts[-1] += f"\n\n{text}"
    for number, text in enumerate(texts):
        yield Item(session.id, text, session.at + number * _BETWEEN, "observation", session.id)
