"""Drift: memories that speak of files, names, commands and versions, held against the source trees of `dream.roots`.

Only there, and only for memories of a root's scope. What is dead challenges its memory; what moved to one certain place
makes a new version that names it. A person's word stands: a memory that was confirmed, or whose challenge was undone,
is not challenged again for the same reason. Memories of the codebase layer are the business of ingest alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from remanence.flows.door import made_from, reasons_of
from remanence.flows.dream.night import Night, Proposal, claim_key, claimed
from remanence.lifecycle import drift as rules
from remanence.lifecycle.admission import superseded
from remanence.lifecycle.drift import Decision, Finding, Verdict
from remanence.lifecycle.provenance import held_for
from remanence.lifecycle.safety import allowed_leaving
from remanence.model.checks import TAG_CHARACTERS
from remanence.model.claim import Claim
from remanence.model.ingested import CODE_FILE
from remanence.model.memory import ACCEPTED, Layer, Memory, State
from remanence.model.plan import Change
from remanence.model.selection import EVERY_STATE, Selection

if TYPE_CHECKING:
    from remanence.codebase.assertions import Assertion
    from remanence.codebase.looking import Looking, Sight
    from remanence.codebase.roots import Root

STEP = "drift"
_LAYERS = tuple(layer.value for layer in Layer if layer is not Layer.CODEBASE)
_RECORDS_WORDS = """
    observation tool_output session_state source_text action crystal peer_card bridge
"""
_RECORDS = frozenset(_RECORDS_WORDS.split())
"""Kinds that tell what was at a time, or have a form of their own: the tree of today is no word against them."""
_UNCONFIGURED = "no source tree is configured. Name some in dream.roots, as ~/code/api or as /project/api=~/code/api"
_WHOLE_JOURNAL = 2**31 - 1


def propose(night: Night) -> Proposal:
    """Challenge what source trees no longer bear out, and tell anew what only moved."""
    if not night.roots:
        return Proposal(STEP, warnings=(_UNCONFIGURED,))
    from remanence.codebase.roots import roots_from

    roots, problems = roots_from(night.roots)
    warnings = list(problems)
    trees = [(root, look) for root in roots if (look := _looking(night, root, warnings)) is not None]
    decided = list(_decided(night, trees)) if trees else []
    claims: list[Claim] = []
    changes: list[Change] = []
    moving = _may_move(night, [memory for memory, decision in decided if decision.moves])
    if left := sum(bool(decision.moves) for _, decision in decided) - len(moving):
        warnings.append(f"{left} memories more have moved; they are told anew by the next dreams")
    for memory, decision in decided:
        if decision.moves and memory.id not in moving:
            continue
        claim, made = _told_anew(night, memory, decision) if decision.moves else _challenged(memory, decision)
        claims.append(claim)
        changes += claimed(claim, made)
    return Proposal(STEP, tuple(claims), tuple(changes), tuple(warnings))


def _looking(night: Night, root: Root, warnings: list[str]) -> Looking | None:
    from remanence.codebase.looking import Looking
    from remanence.codebase.tree import Tree

    tree = Tree(root, is_over=night.is_over)
    if not tree.files:
        warnings.append(f"{root.folder} holds no files just now, so nothing was held against it")
        return None
    return Looking(tree, cache(lambda: _known(night, root.name)))


def _known(night: Night, tree_name: str) -> Mapping[str, set[str]]:
    """The files of a tree that were ever ingested, and the names each then defined."""
    from remanence.codebase.signatures import outlined

    known: dict[str, set[str]] = {}
    ever = Selection(kinds=(CODE_FILE,), layers=(Layer.CODEBASE,), states=EVERY_STATE)
    for page in night.store.pages(ever):
        for memory in page:
            path = memory.metadata.get("path")
            if isinstance(path, str) and memory.metadata.get("tree") == tree_name:
                known.setdefault(path, set()).update(outlined(memory.text))
    return known


def _decided(night: Night, trees: Sequence[tuple[Root, Looking]]) -> Iterator[tuple[Memory, Decision]]:
    """The memories about which there is something to do, in the order of writing."""
    from remanence.codebase.assertions import assertions

    for page in night.store.pages(Selection(scopes=night.scopes, layers=_LAYERS, unexpired_at=night.now)):
        for memory in page:
            if night.is_over():
                return
            if not night.free(memory) or memory.challenged_by is not None or memory.kind in _RECORDS:
                continue
            looks = [look for root, look in trees if root.speaks_of(memory.scope)]
            said = assertions(memory.text, memory.files) if looks else ()
            if not said:
                continue
            found = zip(*(_findings(look, said) for look in looks), strict=True)
            decision = rules.decide([rules.strongest(each) for each in found])
            if decision.reason is not None and not _settled(night, memory, decision.reason):
                yield memory, decision


def _findings(look: Looking, said: Sequence[Assertion]) -> list[Finding]:
    from remanence.codebase.assertions import About

    sights = {one.name: look.path(one.name) for one in said if one.about is About.PATH}
    found = []
    for one in said:
        if one.about is About.PATH:
            found.append(_of_path(look, one.name, sights[one.name]))
        elif one.about is About.NAME:
            found.append(_of_name(look, one, sights))
        elif one.about is About.COMMAND:
            offered = look.command(one.tool or "", one.name)
            verdict = Verdict.UNKNOWN if offered is None else Verdict.ALIVE if offered else Verdict.DEAD
            found.append(Finding("command", verdict, f"{one.tool} no longer offers {one.name}"))
        else:
            verdict = rules.of_version(look.version(one.name, one.version or ""))
            found.append(Finding("version", verdict, f"{one.name} is no longer at {one.version}"))
    return found


def _of_path(look: Looking, path: str, sight: Sight) -> Finding:
    verdict = rules.of_file(present=sight.present, moved_to=sight.moved_to, known=sight.known)
    if verdict is not Verdict.MOVED:
        return Finding("path", verdict, f"{path} is gone", old=path)
    new = _as_written(look, path, sight.moved_to or "")
    return Finding("path", verdict, f"{path} is now {new}", old=path, new=new)


def _of_name(look: Looking, one: Assertion, sights: Mapping[str, Sight]) -> Finding:
    if one.path is None:
        defined, known = look.anywhere(one.name)
        gone = defined is False and known
        verdict = Verdict.ALIVE if defined else Verdict.DEAD if gone else Verdict.UNKNOWN
        return Finding("name", verdict, f"no file defines {one.name} any more")
    sight = sights.get(one.path) or look.path(one.path)
    if sight.place is None and not sight.known:
        return Finding("name", Verdict.UNKNOWN, old=one.path)
    seen = look.name(one.name, sight.place, sight.was)
    verdict = rules.of_name(
        defined=seen.defined,
        mentioned=seen.mentioned,
        known=seen.known,
        tied=one.tied,
        elsewhere=seen.elsewhere,
    )
    if verdict is not Verdict.MOVED or not seen.elsewhere:
        # A name that went along with its file keeps nothing in the old place.
        old = one.path if sight.present else None
        return Finding("name", verdict, f"{one.path} no longer defines {one.name}", old=old)
    new = _as_written(look, one.path, seen.elsewhere[0])
    return Finding("name", verdict, f"{one.name} is now in {new}", old=one.path, new=new)


def _as_written(look: Looking, written: str, place: str) -> str:
    """A place of the tree in the way the memory writes its paths: absolute, after the root's name, or below it."""
    root = look.tree.root
    if written.startswith(("/", "~")):
        return str(root.folder / place)
    name, _, rest = written.partition("/")
    prefixed = rest and name == root.name and not look.tree.holds(name)
    return (f"{root.name}/{place}" if prefixed else place) + ("/" if written.endswith("/") else "")


def _settled(night: Night, memory: Memory, reason: str) -> bool:
    """Whether it was challenged or told anew for this before, and someone took that back."""
    entries = night.store.journal(_WHOLE_JOURNAL, memory_ids=[memory.id])
    return any(entry.reason == reason for entry in entries)


def _may_move(night: Night, moved: Sequence[Memory]) -> set[str]:
    """As many as one plan may supersede without alarm; the rest moves with the next."""
    counts = night.store.state_counts()
    live = {scope: number for (scope, state), number in counts.items() if state is State.LIVE}
    allowed = allowed_leaving([memory.scope for memory in moved], live)
    return {memory.id for memory, may in zip(moved, allowed, strict=True) if may}


def _challenged(memory: Memory, decision: Decision) -> tuple[Claim, list[Change]]:
    claim = Claim(
        key=claim_key(STEP, [memory.id]),
        step=STEP,
        title=decision.title,
        sources=(memory.id,),
        evidence=decision.evidence,
    )
    change = Change.of(memory, decision.reason or STEP, challenged_by=rules.CHALLENGER)
    return claim, [replace(change, evidence=decision.evidence)]


def _told_anew(night: Night, memory: Memory, decision: Decision) -> tuple[Claim, list[Change]]:
    from remanence.codebase.assertions import assertions

    new = rules.told_anew(memory, decision.moves, night.new_id(night.now), night.now)
    limited, poisoned = made_from(night.store, new)
    still_said = {one.name for one in assertions(new.text, new.files)} & decision.moves.keys()
    is_storable = all(len(path) <= TAG_CHARACTERS for path in decision.moves.values())
    # A new version that would be quarantined must not take the place of one that is recalled.
    held = ACCEPTED not in new.metadata and held_for(limited, reasons_of(limited), poisoned)
    if held or still_said or not is_storable or night.store.tombstones([new.text]):
        return _challenged(memory, decision)
    claim = Claim(
        key=claim_key(STEP, [memory.id]),
        step=STEP,
        title=decision.title,
        made=(new.id,),
        sources=(memory.id,),
        leaving=(memory.id,),
        evidence=decision.evidence,
    )
    reason = decision.reason or STEP
    return claim, [Change.add(new, reason, **decision.evidence), superseded(memory, new, reason)]
