"""What an ingest of a source tree answers with, and the kinds of memories it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remanence.model.memory import plain

CODE_FILE = "code_file"
CODE_TREE = "code_tree"
KINDS = (CODE_FILE, CODE_TREE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """Memories added, changed (a newer version, or moved), removed (archived), restored, and left as they are.

    `quarantined` of the added and changed ones read like instructions and wait for review. `files` is how many files
    the tree has; `cut` of its files and folders hold more than their memories tell, which end with "… and N more";
    `skipped` counts what was left out, by the reason. `receipt_id` is None where nothing had to change,
    or it was a dry run.
    """

    root: str
    receipt_id: str | None = None
    added: int = 0
    changed: int = 0
    removed: int = 0
    restored: int = 0
    unchanged: int = 0
    quarantined: int = 0
    files: int = 0
    cut: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    redacted: Mapping[str, int] = field(default_factory=dict)
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in self.__slots__}
