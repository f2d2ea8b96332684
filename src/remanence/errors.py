"""Every error remanence raises on purpose.

    RemanenceError
    ├── InvalidInput (ValueError)     what was asked cannot be done as asked; nothing was changed
    ├── NotFound (KeyError)           an id or a receipt that this namespace does not hold
    ├── PlanRefused                   the plan may not be applied as it is
    │   ├── PlanOutOfDate             memories changed after the plan was made (strict apply)
    │   └── BreakerTripped            an automatic plan would take too much out of recall
    ├── Forbidden                     this client may not do that
    ├── Unauthorized                  the server wants a token that it knows
    ├── Conflict                      somebody else changed it meanwhile, or a key was used for something else
    ├── ServerFailed                  the server could not be reached, or gave no sensible answer
    ├── LeaseLost                     another process took over the job this one held; it must stop
    ├── EmbedderFailed                no vector, or no right one, from the embedder; nothing was changed
    ├── LlmFailed                     no answer, or no right one, from the language model; nothing was changed
    │   └── LlmSpent                  a ceiling on tokens forbids the call; nothing was sent
    └── StoreError                    the store, not the question, is at fault
        ├── StoreUnavailable          cannot be opened, read or written just now
        ├── StoreFull                 no room left on the disk
        ├── StoreReadOnly             the file, its folder or the database may not be written
        ├── StoreDamaged              it is not a whole store; of a file what can be read is saved
        ├── StoreTooNew               written by a newer remanence
        └── EngineUnsafe              the SQLite engine loses commits when processes share a file

A message says what happened, with the value; the limit that forbids it; the next command.

`RemanenceDeprecationWarning` is no error: it warns of a name that a coming version will not have (docs/deprecation.md).
"""

from __future__ import annotations

from collections.abc import Iterable


class RemanenceError(Exception):
    """Something that remanence cannot do, and nothing below says better."""

    code = "failed"

    def to_dict(self) -> dict[str, object]:
        return {"error": self.code, "message": str(self)}


class InvalidInput(RemanenceError, ValueError):
    """What was asked cannot be done as asked; nothing was changed. `problems` names every one of them."""

    code = "invalid_input"

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("; ".join(self.problems))

    def to_dict(self) -> dict[str, object]:
        return {**super().to_dict(), "problems": list(self.problems)}


class NotFound(RemanenceError, KeyError):
    """An id or a receipt that this namespace does not hold."""

    code = "not_found"

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "not found"


class PlanRefused(RemanenceError):
    """The plan may not be applied as it is; nothing was changed."""

    code = "plan_refused"


class PlanOutOfDate(PlanRefused):
    """Memories changed after the plan was made, and `strict` was asked for; nothing was changed."""

    code = "plan_out_of_date"


class BreakerTripped(PlanRefused):
    """An automatic plan would take too much out of recall; nothing was changed."""

    code = "breaker_tripped"


class Forbidden(RemanenceError):
    """This client may not do that: it reads only, or it is kept to a scope."""

    code = "forbidden"


class Unauthorized(RemanenceError):
    """The server wants a token that it knows; see: rem token create."""

    code = "unauthorized"


class Conflict(RemanenceError):
    """Somebody else changed it meanwhile, or an idempotency key was used for something else; nothing was changed."""

    code = "conflict"


class ServerFailed(RemanenceError):
    """The server could not be reached, or gave no sensible answer; what was asked may or may not have been done."""

    code = "server_failed"


class LeaseLost(RemanenceError):
    """Another process took over the job this one held; what it still wanted to write was not written."""

    code = "lease_lost"


class EmbedderFailed(RemanenceError):
    """The embedder gave no vector, or one that cannot be right; none was used."""

    code = "embedder_failed"


class LlmFailed(RemanenceError):
    """The language model gave no answer, or one that cannot be right; none was used."""

    code = "llm_failed"


class LlmSpent(LlmFailed):
    """A ceiling on tokens forbids the call; nothing was sent."""

    code = "llm_spent"


class StoreError(RemanenceError):
    """The store, not the question, is at fault."""

    code = "store_error"


class StoreUnavailable(StoreError):
    """The store cannot be opened, read or written just now."""

    code = "store_unavailable"


class StoreFull(StoreError):
    """No room left on the disk."""

    code = "store_full"


class StoreReadOnly(StoreError):
    """The file, its folder or the database may not be written."""

    code = "store_read_only"


class StoreDamaged(StoreError):
    """It is not a whole store; of a file what can be read is saved."""

    code = "store_damaged"


class StoreTooNew(StoreError):
    """The store was written by a newer remanence."""

    code = "store_too_new"


class EngineUnsafe(StoreError):
    """The SQLite engine loses commits when several processes share a file."""

    code = "engine_unsafe"


class RemanenceDeprecationWarning(DeprecationWarning):
    """What is used still works and will leave; the message says since when, when it leaves, and what to use instead."""
