"""What a memory asserts of a source tree: paths, names, commands and versions, by its text and its list of files.

Precision before recall: a word that is no identifier asserts nothing, and neither does a sentence that denies, or
speaks of what was removed, renamed or is still to come. A name is tied to a path where the text says so ("`parse()` in
src/a.py"), loosely where it merely stands beside the only path. Without backticks a name counts only where it has the
shape of one (load_config, loadConfig, MAX_SIZE, Server.start) and the words next to it say what or where it is. Every
look at a text is linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from remanence.codebase.signatures import is_source
from remanence.model.words import STOP_WORDS

MOST_ASSERTIONS = 64
_MOST_CHARACTERS = 50_000
_LONGEST_TOKEN = 200


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_TOKEN = re.compile(r"`([^`\n]{1,200})`|[^\s`]+")
_PATH = re.compile(r"(?:~|\.{1,2})?/?[\w@+.-]+(?:/[\w@+.-]+)*/?")
_LINE = re.compile(r"(?::\d+(?:[:-]\d+)?|#L?\d[\w-]*)$")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*){0,4}")
_CALL = re.compile(rf"({_NAME.pattern})\(([^()]*)\)")
_CODELIKE = re.compile(r"\w_\w|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|\w(?:\.|::|#)\w")
_VERSION = re.compile(r"v?(\d+(?:\.\d+){1,3}(?:[-.]?[a-z]+\.?\d*)?)")
_PINNED = re.compile(r"(@?[A-Za-z0-9][\w./-]*?)(?:===?|@)v?(\d+(?:\.\d+){0,3}[\w.-]*)")
_PACKAGE = re.compile(r"@?[A-Za-z][\w./-]*")
_HINT = re.compile(r"[`/(]|\.\w|==|@\d|\w_\w|[a-z][A-Z]|\b(?:make|npm|yarn|pnpm|bun)\b")
_TARGET = re.compile(r"[A-Za-z0-9_][\w:./-]*")
_FIRM = re.compile(
    r"_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+_{0,2}|__[a-z]+__|_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
    r"|[a-z][a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Za-z_]\w+(?:\.[A-Za-z_]\w+){1,4}"
)
"""Shapes that hardly anything but a program has: snake_case, CONSTANT_CASE, camelCase, dotted."""
_HUMPS = re.compile(r"(?:[A-Z]{2,}(?=[A-Z][a-z])|[A-Z][a-z0-9]+)(?:[A-Z][a-z0-9]+|[A-Z]{2,}$)+")
"""CamelCase with two humps, which products have as well: LoginForm, PostgreSQL."""
_NO_NAMES = _words(
    "snake_case camelcase pascalcase kebab_case constant_case upper_case lower_case screaming_snake_case "
    "upper_snake_case lowercamelcase uppercamelcase x86_64 macos tvos watchos opensuse"
)
_DOMAINS = (".js", ".io", ".net", ".com", ".org", ".dev", ".ai", ".app", ".co", ".gov", ".edu")
_FILES = _words(
    ".md .rst .txt .toml .yml .yaml .json .ini .cfg .conf .env .lock .html .css .scss .xml .proto .graphql .tf .gradle "
    ".properties .csv .ipynb .dockerfile .mod .sum .swift .dart .ex .exs .lua .pl .r .jl .hs .clj"
)
_BARE_FILES = frozenset(("makefile", "dockerfile", "gemfile", "rakefile", "procfile", "justfile", "jenkinsfile"))
_PAST = _words(
    "deleted delete deletes removed remove removes removing renamed rename renames moved move moves dropped drop drops "
    "replaced replaces formerly previously obsolete gone missing todo planned plan plans proposed propose create "
    "creates creating add will instead without lacks lack lacking absent nonexistent non-existent vanished disappeared "
    "anymore gelöscht entfernt umbenannt verschoben ersetzt früher supprimé renommé "
    "déplacé eliminado renombrado movido borrado"
)
_PAST_PHRASES = ("no longer", "used to", "any more", "e.g.", "for example", "nicht mehr", "ya no", "never existed")
_DENIED = re.compile(
    r"(?:\bnot|n't|n’t)\s+(?:(?:yet|actually|even|be|been|currently)\s+)?"
    r"(?:there\b|exist|found\b|present\b|defin|declar|contain|export|provid|have\b|includ|offer|in\s+[`\"']?[\w.-]+[./]\w)"
)
_NONE = _words("no kein keine keinen aucun aucune ningún ninguna")
_DENIABLE = _words(
    "such file files folder directory module script scripts target function class method constant command package"
)
_OPEN_VERSIONS = _words(
    "since least before after older newer from until than was were upgraded upgrade migrated migrate bumped bump "
    "minimum later earlier fixed between not below above"
)
_KINDS = _words("function class method struct interface trait enum func fn def type constant macro table")
_TIES = _words("in from inside at of into within file module")
_DEFINES = _words("defines define exports export contains provides declares implements holds has")
_SURELY_DEFINES = _words("defines define declares exports export")
_BARE_TIES = _TIES - {"into"}
_BARE_BETWEEN = (
    _BARE_TIES | _KINDS | _words("is are lives live sits defined declared implemented found located and or the")
)
_NO_TARGETS = _words("sure it a the an this that sense use up clear them changes")
_NO_SCRIPTS = STOP_WORDS | _words(
    "script scripts command commands target targets task tasks works work fails fail failed hangs takes breaks every "
    "each all any anything everything always often never once again out after before because while until without "
    "only just also instead inside locally now first"
)
_RUNNERS = {"npm": "npm", "yarn": "npm", "pnpm": "npm", "bun": "npm"}
_OWN_COMMANDS = _words(
    "install add remove ci init test start publish link audit update upgrade exec dlx create run why pack login "
    "info outdated version"
)
_NO_PACKAGES = _words("is are at to of about by in on the a an and or costs section chapter page line step figure")
_PINS = _words("pinned locked pin pins")
_BEING = _words("is are be stays stay remains remain was")
_NEAR = 6


class About(StrEnum):
    """What an assertion is about."""

    PATH = "path"
    NAME = "name"
    COMMAND = "command"
    VERSION = "version"


@dataclass(frozen=True, slots=True)
class Assertion:
    """One thing that can be held against a tree.

    `name` is the path, the identifier, the target or the package; `path` the file a name is said to be in, `tied` when
    the text says so itself; `tool` what runs a command; `version` the one a package is said to have.
    """

    about: About
    name: str
    path: str | None = None
    tied: bool = False
    tool: str | None = None
    version: str | None = None


@dataclass(slots=True)
class _Token:
    text: str
    quoted: bool
    path: str | None = None
    name: str | None = None
    bare: bool = False
    """A name without backticks, a call or a word that introduces it."""


def assertions(text: str, files: Sequence[str] = ()) -> tuple[Assertion, ...]:
    """What a text with these files asserts, each once, in its order; at most 64."""
    if not files and not _HINT.search(text):
        return ()
    found: dict[Assertion, None] = {}
    withdrawn: set[str] = set()
    loose: list[str] = []
    for sentence in _SENTENCE.split(text[:_MOST_CHARACTERS]):
        tokens = [_Token(match[1] or match[0], match[1] is not None) for match in _TOKEN.finditer(sentence)]
        _read(tokens)
        paths = [token.path for token in tokens if token.path is not None]
        if _speaks_of_other_times(sentence, tokens):
            withdrawn.update(paths)
            continue
        found.update((Assertion(About.PATH, path), None) for path in paths)
        for name, path, tied in _names(tokens, paths):
            if path is None:
                loose.append(name)
            else:
                found[Assertion(About.NAME, name, path, tied)] = None
        found.update((command, None) for command in _commands(tokens))
        found.update((version, None) for version in _versions(tokens))
    listed = [path for path in dict.fromkeys(map(_as_path, files)) if path and path not in withdrawn]
    found.update((Assertion(About.PATH, path), None) for path in listed)
    places = {one.name for one in found if one.about is About.PATH}
    only = next(iter(places)) if len(places) == 1 and is_source(next(iter(places))) else None
    found.update((Assertion(About.NAME, name, only), None) for name in dict.fromkeys(loose))
    return tuple(_without_repeats(found))[:MOST_ASSERTIONS]


def _without_repeats(found: Iterable[Assertion]) -> Iterator[Assertion]:
    """A name that is tied to a path is not also asserted loosely."""
    whole = list(found)
    tied = {(one.about, one.name) for one in whole if one.tied}
    return (one for one in whole if one.about is not About.NAME or one.tied or (one.about, one.name) not in tied)


def _speaks_of_other_times(sentence: str, tokens: Sequence[_Token]) -> bool:
    low = sentence.lower()
    plain = {token.text.lower().strip(".,;:!?()'\"") for token in tokens if not token.quoted}
    if not plain.isdisjoint(_PAST) or any(phrase in low for phrase in _PAST_PHRASES):
        return True
    return _DENIED.search(low) is not None or any(_denies(tokens, place) for place in range(len(tokens)))


def _denies(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a "no" stands here and is meant for a file, a name or their kind: "no file src/a.py", not "no tests"."""
    if tokens[place].quoted or tokens[place].text.lower() not in _NONE:
        return False
    near = tokens[place + 1 : place + 4]
    return any(one.path or one.name or _stripped(one.text).lower() in _DENIABLE for one in near)


def _read(tokens: Sequence[_Token]) -> None:
    """Say of each token whether it is a path or a name."""
    for place, token in enumerate(tokens):
        bare = _stripped(token.text)
        if len(bare) > _LONGEST_TOKEN:
            continue
        path, sign, inner = bare.partition("::")
        if sign and is_source(path) and _NAME.fullmatch(inner.replace("::", ".")):
            token.path, token.name = _as_path(path), inner.replace("::", ".")
        elif joined := _joined(bare, token.quoted):
            token.path, token.name = joined
        elif (asserted := _as_path(bare)) and _is_path(asserted, token.quoted):
            token.path = asserted
        else:
            before, after = (tokens[at].text.lower() if 0 <= at < len(tokens) else "" for at in (place - 1, place + 1))
            token.name = _identifier(bare, token.quoted, before in _KINDS)
            called = after in _KINDS and bare[:1].isupper() and bare.isidentifier() and bare.lower() not in STOP_WORDS
            if token.name is None and not token.quoted and (called or _has_shape(bare)):  # "the Mailer class"
                token.name, token.bare = bare, True


def _joined(text: str, quoted: bool) -> tuple[str, str | None] | None:
    """A path with a name behind it, "src/a.py:load_config"; of an ordinary word behind it only the path stays."""
    path, sign, inner = text.partition(":" if ":" in text else "#")
    if not sign or not is_source(path) or not _is_path(_as_path(path), quoted):
        return None
    call = _CALL.fullmatch(inner)
    name = call[1] if call else inner
    if not _NAME.fullmatch(name):
        return None
    return _as_path(path), name if call or _has_shape(name) else None


def _has_shape(name: str) -> bool:
    """Whether a word can only be a name of a program, or at least hardly anything else."""
    low = name.lower()
    if len(name) < 3 or low in _NO_NAMES or low.endswith(_DOMAINS):
        return False
    return _FIRM.fullmatch(name) is not None or _HUMPS.fullmatch(name) is not None


def _stripped(text: str) -> str:
    text = text.lstrip("\"'([{<*").rstrip("\"'.,;:!?*>]}")
    return text.rstrip(")") if ")" in text and "(" not in text else text


def _as_path(text: str) -> str:
    path = _LINE.sub("", text.strip())
    while path.startswith("./"):
        path = path[2:]
    return path if len(path) <= _LONGEST_TOKEN else ""


def _is_path(text: str, quoted: bool) -> bool:
    if "://" in text or "//" in text or not _PATH.fullmatch(text) or text.startswith("www."):
        return False
    if text.endswith("/"):
        return quoted and len(text) > 1
    name = text.rpartition("/")[2].lower()
    dot = name.rfind(".")
    known = is_source(name) or (dot > 0 and name[dot:] in _FILES) or name in _BARE_FILES
    # Unquoted, "Node.js" is a product, and "notes.md" still a file.
    return known and ("/" in text or quoted or (dot > 0 and not name.endswith(".js")))


def _identifier(text: str, quoted: bool, introduced: bool) -> str | None:
    """The name a token is, where it looks like one of a program: with a call, a joint, a hump, or introduced as one."""
    call = _CALL.fullmatch(text)
    name = call[1] if call else text
    if not _NAME.fullmatch(name) or len(name) < 3 or name.lower().endswith(_DOMAINS):
        return None
    if call is None and not (quoted and _CODELIKE.search(name)) and not (introduced and (quoted or _is_code(name))):
        return None
    return re.sub(r"::|#", ".", name)


def _is_code(name: str) -> bool:
    return bool(_CODELIKE.search(name)) or name[:1].isupper()


def _names(tokens: Sequence[_Token], paths: Sequence[str]) -> Iterator[tuple[str, str | None, bool]]:
    """Each name with the path it is said to be in, and whether the words between them say so."""
    only = paths[0] if len(set(paths)) == 1 and is_source(paths[0]) else None
    for place, token in enumerate(tokens):
        if token.name is None:
            continue
        if token.path is not None:
            yield token.name, token.path, True
        elif token.bare:
            yield from _bare(tokens, place, only)
        elif (path := _tied(tokens, place)) is not None:
            yield token.name, path, True
        else:
            yield token.name, only, False


def _bare(tokens: Sequence[_Token], place: int, only: str | None) -> Iterator[tuple[str, str | None, bool]]:
    """A name without backticks, where the words next to it say that it is one, or which file it is in."""
    name, (path, surely) = tokens[place].name or "", _bare_tie(tokens, place)
    if path is not None:
        yield name, path, surely or _FIRM.fullmatch(name) is not None
    elif place + 1 < len(tokens) and _stripped(tokens[place + 1].text).lower() in _KINDS:
        yield name, only, False


def _bare_tie(tokens: Sequence[_Token], place: int) -> tuple[str | None, bool]:
    """The file a bare name is said to be in, by nothing but words that say so; and whether they say it is defined."""
    for ahead in range(place + 1, min(place + 1 + _NEAR, len(tokens))):
        token, before = tokens[ahead], tokens[ahead - 1].text.lower()
        if token.path is not None:
            beside = ahead == place + 1 and token.text.startswith("(")
            if is_source(token.path) and (before in _BARE_TIES or beside):
                return token.path, False
            break
        if token.text.lower() not in _BARE_BETWEEN and (token.name is None or before not in ("and", "or")):
            break
    words: set[str] = set()
    for behind in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        token, word = tokens[behind], tokens[behind].text.lower()
        if token.path is not None:
            stands = is_source(token.path) and not words.isdisjoint(_DEFINES)
            return (token.path, not words.isdisjoint(_SURELY_DEFINES)) if stands else (None, False)
        if (
            token.name is None
            and word not in _DEFINES
            and word not in _KINDS
            and word not in ("the", "a", "and", "both")
        ):
            break
        words.add(word)
    return None, False


def _tied(tokens: Sequence[_Token], place: int) -> str | None:
    for ahead in range(place + 1, min(place + 1 + _NEAR, len(tokens))):
        path = tokens[ahead].path
        if path is not None:
            word = tokens[ahead - 1].text.lower()
            beside = ahead == place + 1 and tokens[ahead].text.startswith("(")
            return path if is_source(path) and (word in _TIES or beside) else None
        if tokens[ahead].name is not None and tokens[ahead - 1].text.lower() not in ("and", "or", ","):
            break
    for behind in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        path = tokens[behind].path
        if path is not None:
            between = {token.text.lower() for token in tokens[behind + 1 : place]}
            return path if is_source(path) and not between.isdisjoint(_DEFINES) else None
    return None


def _commands(tokens: Sequence[_Token]) -> Iterator[Assertion]:
    for place, token in enumerate(tokens):
        if token.quoted:
            yield from _command(token.text.removeprefix("$ ").split(), certain=True)
        elif token.text.lower() in ("run", "with", "via", "using", "execute", "run:", "$"):
            words = [_stripped(after.text) for after in tokens[place + 1 : place + 4] if not after.quoted]
            yield from _command(words, certain=False)
        elif _stripped(token.text) in _RUNNERS and not any(
            _is_refusal(one) for one in tokens[max(0, place - 3) : place]
        ):
            words = [_stripped(after.text) for after in tokens[place : place + 3] if not after.quoted]
            yield from _command(words, certain=False)


def _is_refusal(token: _Token) -> bool:
    return token.text.lower().replace("’", "'") in ("don't", "never", "not", "no", "cannot", "can't")


def _command(words: Sequence[str], *, certain: bool) -> Iterator[Assertion]:
    match list(words):
        case ["make", *rest]:
            targets = [word for word in rest if "=" not in word]
            if any(word.startswith("-") for word in targets):
                return
            for target in targets if certain else targets[:1]:
                if _TARGET.fullmatch(target) and target not in _NO_TARGETS:
                    yield Assertion(About.COMMAND, target, tool="make")
        case [runner, "run", script, *_] if runner in _RUNNERS and _TARGET.fullmatch(script):
            if certain or script.lower() not in _NO_SCRIPTS:
                yield Assertion(About.COMMAND, script, tool=_RUNNERS[runner])
        case ["yarn" | "pnpm", script] if certain and _TARGET.fullmatch(script) and script not in _OWN_COMMANDS:
            yield Assertion(About.COMMAND, script, tool="npm")


def _versions(tokens: Sequence[_Token]) -> Iterator[Assertion]:
    words = [_stripped(token.text) for token in tokens]
    if not _OPEN_VERSIONS.isdisjoint(word.lower() for word in words):
        return
    for place, word in enumerate(words):
        if len(word) > _LONGEST_TOKEN:
            continue
        if match := _PINNED.fullmatch(word):
            yield Assertion(About.VERSION, match[1], version=match[2])
        elif place and (match := _VERSION.fullmatch(word)):
            before = _versioned(words, place)
            if _PACKAGE.fullmatch(before) and before.lower() not in _NO_PACKAGES:
                yield Assertion(About.VERSION, before, version=match[1])


def _versioned(words: Sequence[str], place: int) -> str:
    """The word a version is said of: "react 1.2", "react version 1.2", "react is pinned at 1.2", "pin react to 1.2"."""
    before = words[place - 1].lower()
    if before in ("version", "release") and place > 1:
        return words[place - 2]
    if before not in ("at", "to") or place < 3:
        return words[place - 1]
    if words[place - 2].lower() not in _PINS:
        return words[place - 2] if words[place - 3].lower() in _PINS else words[place - 1]
    behind = place - 4 if words[place - 3].lower() in _BEING else place - 3
    return words[behind] if behind >= 0 else words[place - 1]
