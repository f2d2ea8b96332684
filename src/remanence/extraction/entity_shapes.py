"""What has a shape of its own in a text: code, addresses, packages, paths, identifiers, each taken out as it is found.

What is taken out leaves a grave accent behind, so that words beside it keep their place in the sentence and no later
pattern reads it. No pattern looks further than its own match, so a text is read in time linear in its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from remanence.extraction.lexicon import split_words
from remanence.extraction.patterns import pattern

Found = Callable[[str, str], None]
_TAKEN = "`"
_LONGEST = 80
_CODE = pattern(r"`{1,3}([^`\n]{1,80})`{1,3}")
_ADDRESS = pattern(
    r"\b[a-z][a-z0-9+.-]{1,9}://[^\s<>\"'`）」]+|\bwww\.[^\s<>\"'`]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"
)
_PACKAGE = r"@?[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60})?"
_INSTALL = pattern(
    r"\b(?:pip3?|pipx|uv pip|npm|pnpm|yarn|bun|gem|brew|conda|apt|apt-get|cargo|poetry|uv|dotnet|composer|go) "
    rf"(?:install|i|add|require|get)((?: +(?:-{{1,2}}[\w=-]{{1,30}}|{_PACKAGE}(?:\[[\w,-]{{1,40}}\])?"
    r"(?:(?:[=~<>!]=|@|[<>])[\w.*-]{1,20})?)){1,12})"
)
_PINNED = pattern(r"(?<![\w.@/-])([A-Za-z][\w.-]{0,60})(?:\[[\w,-]{1,40}\])?==\d[\w.*]{0,20}")
_FROM = pattern(r"\bfrom ([A-Za-z_]\w{0,60})(?:\.\w{1,60}){0,6} import \w{1,60}")
_IMPORT = pattern(
    r"(?m)(?:^|[>;:] ?)import ([A-Za-z_]\w{0,60})(?:\.\w{1,60}){0,6}(?: as \w{1,60})?(?=$|[;,]|\n)"
    r"|\bimports? ([a-z]\w{1,60})(?=[.,;]|$)"
)
_REQUIRE = pattern(r"\brequire\(['\"](@?[a-z][\w./-]{0,60})['\"]\)")
_NO_PACKAGES = split_words("data files it them all time goods everything tax taxes order orders rules records users")
_ENDING = split_words("and or then the a an to in for with on it from before after again is are was")
_PARTED = pattern(r"[=~<>!]=|(?<=.)@|[<>\[]")
_ENDINGS = (
    "py pyi js mjs ts tsx jsx rs go java kt c h cpp hpp cc cs rb php sh bash sql md rst txt json jsonl yml yaml toml "
    "ini cfg conf env lock csv tsv xml html css scss log pdf ipynb proto db sqlite png jpg svg zip gz tar whl vue lua"
)
_PATH = pattern(
    r"(?<![\w/.@:-])(?:~/|/|\.{1,2}/)?(?:[\w.@-]{1,80}/){1,12}[\w.-]{0,80}"
    r"|(?<![\w/.@:-])[A-Za-z]:\\(?:[\w.-]{1,80}\\){0,12}[\w.-]{1,80}"
    rf"|(?<![\w/.@-])[\w-]{{1,60}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{'|'.join(_ENDINGS.split())})(?![\w-])"
    r"|(?<![\w/.])\.(?:[a-z]{2,20}rc|env|gitignore|dockerignore|editorconfig)\b"
)
_LIBRARIES = split_words("node.js next.js vue.js react.js nuxt.js express.js three.js d3.js chart.js ember.js deno.ts")
_IDENTIFIER = pattern(
    r"(?<![\w.@/-])(?:"
    r"[A-Za-z]\w{0,60}(?:(?:\.|::)[A-Za-z_]\w{1,60}){1,6}(?:\(\))?"  # os.environ, HttpClient.fetchAll
    r"|_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_{0,2}(?:\(\))?"  # parse_header, MAX_RETRIES
    r"|[A-Za-z]\w{1,60}\(\)"  # run()
    r"|[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*"  # userId, iPhone
    r"|X-[A-Z][A-Za-z]+(?:-[A-Z][A-Za-z]+){0,4}"  # X-User-Id
    r"|--[a-z][a-z-]{2,30}"  # --dry-run
    r")(?![\w@])"
)
_DOTTED = pattern(r"[.:][A-Za-z_]")
_HUMP = pattern(r"[a-z0-9][A-Z]")
_PRODUCT = pattern(r"[a-z]{1,3}[A-Z][a-z]*[A-Z]?$")
_ABBREVIATED = pattern(r"[A-Za-z](?:\.[A-Za-z]){1,4}$")
_HOSTS = split_words("com org net io dev ai app co edu gov de fr es uk eu info local")
_QUOTED = pattern(r"[「『《〈]([^」』》〉\n]{2,30})[」』》〉]")


def shapes_of(text: str, found: Found) -> str:
    """Tell everything in the text that has a shape of its own, and give back the text without it."""
    if "`" in text:
        text = _CODE.sub(lambda match: _code(match, found), text)
    if "://" in text or "@" in text or "www." in text:
        text = _ADDRESS.sub(_TAKEN, text)
    if "==" in text or "mport" in text or " i " in text or "add " in text or "install" in text or "require" in text:
        text = _packages(text, found)
    dotted = _DOTTED.search(text) is not None
    if dotted or "/" in text or "\\" in text:
        text = _PATH.sub(lambda match: _path(match, found), text)
    if dotted or "_" in text or "()" in text or "X-" in text or " --" in text or _HUMP.search(text) is not None:
        text = _IDENTIFIER.sub(lambda match: _identifier(match, found), text)
    if not text.isascii():
        text = _QUOTED.sub(lambda match: _told(match.group(1).strip(), "name", found), text)
    return text


def _told(name: str, kind: str, found: Found) -> str:
    if 1 < len(name) <= _LONGEST:
        found(name, kind)
    return f" {_TAKEN} "


def _code(match: re.Match[str], found: Found) -> str:
    inner = match.group(1).strip()
    if not any(sign.isalpha() for sign in inner) or "://" in inner:
        return f" {_TAKEN} "
    if inner.startswith(("pip ", "pip3 ", "npm ", "import ", "from ", "uv ", "yarn ", "cargo ")):
        before = _packages(inner, found)
        if before != inner:
            return f" {_TAKEN} "
    whole = _PATH.fullmatch(inner)
    return _told(inner.removesuffix("()"), "path" if whole and _is_path(inner) else "identifier", found)


def _packages(text: str, found: Found) -> str:
    def installed(match: re.Match[str]) -> str:
        words = match.group(1).split()
        for place, word in enumerate(words):
            name = _PARTED.split(word, maxsplit=1)[0].rstrip(".,")
            if name.startswith("-") or len(name) < 2 or name.lower() in _NO_PACKAGES:
                continue
            if place and words[place - 1] in ("-r", "-f", "-c"):
                continue
            if name in _ENDING:
                break
            _told(name, "package", found)
        return f" {_TAKEN} "

    text = _INSTALL.sub(installed, text)
    text = _PINNED.sub(lambda match: _told(match.group(1), "package", found), text)
    if "mport" in text:
        text = _FROM.sub(lambda match: _told(match.group(1), "package", found), text)
        text = _IMPORT.sub(lambda match: _imported(match, found), text)
    return _REQUIRE.sub(lambda match: _told(match.group(1), "package", found), text)


def _imported(match: re.Match[str], found: Found) -> str:
    name = match.group(1) or match.group(2)
    if match.group(2) and (name in _NO_PACKAGES or (name.endswith("s") and name not in ("os", "sys", "requests"))):
        return match.group()
    return _told(name, "package", found)


def _is_path(path: str) -> bool:
    """A path has a root, a dot or two slashes: "EU/US" and "and/or" are none."""
    rooted = path.startswith(("/", "~", "./", "../")) or "\\" in path
    return (rooted and len(path) > 2) or ("." in path and "/" in path) or path.count("/") > 1 or "/" not in path


def _path(match: re.Match[str], found: Found) -> str:
    whole = match.group()
    path = whole.rstrip(".,-")
    if not any(sign.isalpha() for sign in path) or not _is_path(path):
        return whole
    first = path.split("/", 1)[0]
    if "." not in path.rsplit("/", 1)[-1] and path.count("/") > 1 and all(len(part) <= 3 for part in path.split("/")):
        return whole  # "8/10/2023", "a/b/c"
    if "/" in path and "." in first and first.rsplit(".", 1)[-1] in _HOSTS:
        return f" {_TAKEN} "
    return _told(path, "name" if path.lower() in _LIBRARIES else "path", found) + whole[len(path) :]


def _identifier(match: re.Match[str], found: Found) -> str:
    name = match.group().removesuffix("()")
    if _ABBREVIATED.match(name) or len(name) > _LONGEST:
        return f" {_TAKEN} " if len(name) > _LONGEST else match.group()
    if "." in name and name.rsplit(".", 1)[-1] in _HOSTS:
        return f" {_TAKEN} "
    if "." in name and not match.group().endswith(")") and _runs_on(name):
        return match.group()
    return _told(name, "name" if _PRODUCT.match(name) else "identifier", found)


def _runs_on(name: str) -> bool:
    """Two sentences without a blank between them: "done.Then"."""
    first, _, rest = name.rpartition(".")
    return rest[:1].isupper() and rest[1:].islower() and first.islower() and "_" not in first
