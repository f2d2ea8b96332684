"""Answers: what a server said, as the value that Mind would have given, or the error that it would have raised.

An error is known by its code; one that this version does not know goes by its status. Anything that is no answer of a
remanence server is ServerFailed, with the address and what to do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, get_origin

from remanence import errors
from remanence.model.decoding import decoded
from remanence.model.policy import Policy
from remanence.model.proposal import Proposal

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the status, headers by their names in small letters, and the whole body."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def value_of(kind: Any, reply: Reply, where: str) -> Any:
    """The value of this type in a good answer; the error that any other tells of is raised."""
    if not 200 <= reply.status < 300:
        raise error_of(reply, where)
    if reply.status == 204 or kind in (None, NoneType):
        return None
    try:
        said = json.loads(reply.body)
        if not isinstance(said, dict):
            raise ValueError(f"a {type(said).__name__}")
        return _value(kind, said)
    except (ValueError, KeyError, TypeError, RecursionError, UnicodeDecodeError) as reason:
        raise _strange(reply, where, f"an answer that this version cannot read ({str(reason)[:_SHOWN]})") from None


def _value(kind: Any, said: dict[str, Any]) -> Any:
    if kind is str:
        return said["text"]
    if kind is int:
        return said["count"]
    if kind is Policy:
        return policy_of(said)
    if kind is Proposal:
        policy = policy_of({"yaml": said["yaml"], "name": said["policy"]["name"]})
        return replace(decoded(kind, said), policy=policy)
    if get_origin(kind) in (list, Sequence):
        return decoded(kind, said["items"])
    return decoded(kind, said)


def policy_of(said: Mapping[str, Any]) -> Policy:
    """The policy of an answer, read from its YAML as it would be from a file."""
    from remanence.policies import reading

    return reading.read(said["yaml"], "the server's policy", name=said["name"])


def error_of(reply: Reply, where: str) -> errors.RemanenceError:
    """The error that an answer tells of."""
    try:
        said = json.loads(reply.body)
        code, detail = str(said["code"]), str(said["detail"])
        problems = [str(one) for one in said.get("problems") or ()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _strange(reply, where, f"{reply.status} without saying why")
    kind = _KINDS.get(code) or _BY_STATUS.get(reply.status)
    if kind is None:
        return errors.ServerFailed(f"{where} answered {reply.status} ({code}): {detail}")
    return errors.InvalidInput(problems or detail) if kind is errors.InvalidInput else kind(detail)


def _strange(reply: Reply, where: str, what: str) -> errors.ServerFailed:
    if 300 <= reply.status < 400:
        what = f"{reply.status}, a redirect, which is not followed: give the final address"
    return errors.ServerFailed(f"{where} gave {what}. Is a remanence server there? Start one with: rem serve")


# Those of the tree alone: an adapter's own error has the code of the one it is a kind of.
_KINDS: dict[str, type[errors.RemanenceError]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.RemanenceError) and kind is not errors.RemanenceError
}
_BY_STATUS: dict[int, type[errors.RemanenceError]] = {
    401: errors.Unauthorized,
    403: errors.Forbidden,
    409: errors.Conflict,
    412: errors.Conflict,
    413: errors.InvalidInput,
    422: errors.InvalidInput,
}
