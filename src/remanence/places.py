"""Where things are: the user's folders, what lies beside a store, and which project a folder belongs to.

Only the standard library, and little of it: a hook runs this at every step of an agent. Beside a store `memory.db`
lie `memory.db.spool` (events that wait to be taken in), `memory.db.artifacts` (a folder for each namespace and
project), `memory.db.tokens.json` and `memory.db.serve.json` (who may use it when it is served, and where it was last).
Names become parts of paths by `part_of`, so none can lead anywhere else. What belongs to a store in a database lies in
the user's data folder, under a name made of the database's address.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

SPOOL, ARTIFACTS = ".spool", ".artifacts"
TOKENS, SERVED, PAGE = ".tokens.json", ".serve.json", ".page.html"
GUIDANCE = "guidance.md"
"""The ready block for the next session, beside a project's artifacts."""
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
_LONGEST_PART = 120
_KEYWORDS = frozenset(("dbname", "host", "hostaddr", "passfile", "password", "service"))


def data_folder(environment: Mapping[str, str]) -> str:
    """Where the user's own store is."""
    return os.path.join(_own(environment, "XDG_DATA_HOME", ".local/share"), "remanence")


def config_folder(environment: Mapping[str, str]) -> str:
    """Where the user's config.yml is."""
    return os.path.join(_own(environment, "XDG_CONFIG_HOME", ".config"), "remanence")


def _own(environment: Mapping[str, str], variable: str, usual: str) -> str:
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support")
    chosen = environment.get(variable, "").strip()
    return chosen if os.path.isabs(chosen) else os.path.join(home, usual)


def expanded(path: str) -> str:
    """A path with ~ written out; where that is nobody's home, it is the name of a file."""
    return os.path.expanduser(path)


def is_database(location: object) -> bool:
    """Whether a location is the address of a PostgreSQL database."""
    return isinstance(location, str) and location.startswith(("postgresql://", "postgres://"))


def is_keywords(location: str) -> bool:
    """Whether a location reads like the keywords by which libpq names a database: host=… dbname=… password=…"""
    words = location.replace(" =", "=").split()
    return not is_database(location) and any("=" in word and word.partition("=")[0] in _KEYWORDS for word in words)


def shown(location: object) -> str:
    """A location as it may be said: without the password, and without what else an address holds behind its path."""
    text = str(location)
    if is_keywords(text):
        return "host=…"
    if "://" not in text or text.lower().startswith(("http://", "https://")):
        return text
    scheme, rest = text.split("://", 1)
    who, _, where = rest.rpartition("@")
    user, place = who.partition(":")[0], where.partition("?")[0]
    return f"{scheme}://{user}@{place}" if user else f"{scheme}://{place}"


def beside(location: str, environment: Mapping[str, str]) -> str:
    """The path that stands for a store on this machine, by which what belongs to it is named; else the location."""
    if location == ":memory:" or ("://" in location and not is_database(location)):
        return location
    if not is_database(location):
        return os.path.abspath(os.path.expanduser(location))
    return os.path.join(
        data_folder(environment), part_of(shown(location).split("://", 1)[1].rpartition("@")[2]) + ".db"
    )


def spool_of(store: str) -> str:
    """The folder in which events wait for this store."""
    return store + SPOOL


def tokens_of(store: str) -> str:
    """The file of those tokens that open this store when it is served."""
    return store + TOKENS


def served_of(store: str) -> str:
    """The file that tells clients of the same user where this store is served, and their token."""
    return store + SERVED


def page_of(store: str) -> str:
    """The file that leads a browser to the page, with the owner's token."""
    return store + PAGE


def artifacts_of(store: str, namespace: str, root: str | None = None) -> str:
    """The folder of a namespace's artifacts, beside its store or below the root that a setting names."""
    return os.path.join(store + ARTIFACTS if root is None else os.path.expanduser(root), part_of(namespace))


def folder_of(artifacts: str, project: str) -> str:
    """The folder of one project, given as a scope: /project/api → project~api."""
    name = "~".join(part_of(segment) for segment in project.split("/") if segment)
    return os.path.join(artifacts, _cut(name or "~", project.encode("utf-8", "surrogatepass")))


def part_of(name: str) -> str:
    """A name as one part of a path: what is no letter, digit, dash or dot is written %XX, a long one is cut."""
    raw = name.encode("utf-8", "surrogatepass")
    text = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in raw)
    if text[:1] in ("", "."):
        text = "%2E" + text[1:] if text else "%"
    return _cut(text, raw)


def _cut(text: str, raw: bytes) -> str:
    if len(text) <= _LONGEST_PART:
        return text
    from hashlib import blake2b

    return f"{text[: _LONGEST_PART - 20]}%{blake2b(raw, digest_size=8).hexdigest()}"


def project_of(folder: str) -> str:
    """The scope of the project in a folder: /project/NAME, of the git repository around it or else its own name."""
    name = os.path.basename(repository_of(folder) or os.path.abspath(folder)).strip()
    scope = f"/project/{name.replace('/', '-')}"
    return scope if name and scope.isprintable() and len(scope) <= 500 else "/project/root"


def repository_of(folder: str) -> str | None:
    """The git repository around a folder (a worktree counts as its repository), if there is one."""
    place = os.path.abspath(folder)
    while True:
        mark = os.path.join(place, ".git")
        if os.path.isdir(mark):
            return place
        if os.path.exists(mark):
            return _main_of(mark) or place
        above = os.path.dirname(place)
        if above == place:
            return None
        place = above


def _main_of(mark: str) -> str | None:
    """The repository that a worktree's .git file names."""
    try:
        with open(mark, encoding="utf-8") as file:
            named = file.read(4096).removeprefix("gitdir:").strip()
    except (OSError, UnicodeDecodeError):
        return None
    above, _, last = named.rpartition("/.git/worktrees/")
    return above if above and "/" not in last else None
