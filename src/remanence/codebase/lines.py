"""What a file defines in languages other than Python, by a look at each line: light, and linear on any input.

A line defines at most one name, and a line longer than 400 characters none: people do not write those. Methods are
named after the class that was opened last. Comments and block comments are passed over; strings are not known, so a
definition may be missed or seen in one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from remanence.codebase.definition import MOST_DEFINITIONS, Definition, tidy

_LONGEST_LINE = 400
_MOST_LINES = 50_000
_NAME = r"(?P<name>[A-Za-z_$][\w$]*)"
_MODIFIERS = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|async|override|virtual|sealed|open|"
    r"export|default|declare|readonly|inline|suspend|synchronized|native|partial|data|unsafe|extern|const) )*"
)
_NO_METHODS_WORDS = """
    if for while switch catch return else new do try await throw function with super this typeof sizeof case when
    unless until elif foreach using lock yield delete match assert
"""
_NO_METHODS = frozenset(_NO_METHODS_WORDS.split())
_OWNERS = frozenset(("class", "interface", "struct", "module", "trait", "enum", "object", "impl", "record"))

_Rules = tuple[tuple[str, re.Pattern[str]], ...]


def _rules(*pairs: tuple[str, str]) -> _Rules:
    return tuple((kind, re.compile(pattern)) for kind, pattern in pairs)


_PYTHON = _rules(
    ("function", rf"\s*(?:async )?def {_NAME}(?P<rest>\(.*)"),
    ("class", rf"\s*class {_NAME}"),
)
_SCRIPT = _rules(
    ("class", rf"\s*{_MODIFIERS}class {_NAME}"),
    ("interface", rf"\s*{_MODIFIERS}interface {_NAME}"),
    ("enum", rf"\s*{_MODIFIERS}enum {_NAME}"),
    ("type", rf"\s*{_MODIFIERS}type {_NAME}(?:<[^=]*>)? ?="),
    ("function", rf"\s*{_MODIFIERS}function ?\*? ?{_NAME} ?(?:<[^(]*>)?(?P<rest>\(.*)"),
    (
        "function",
        rf"(?:export )?(?:const|let|var) {_NAME}(?: ?:[^=]*)? = (?:async )?(?P<rest>\([^()]*\)|[\w$]+)(?: ?:[^=]*)? =>",
    ),
    ("function", rf"(?:export )?(?:const|let|var) {_NAME} = (?:async )?function\b ?(?P<rest>\(.*)?"),
    ("constant", rf"export const {_NAME}\b"),
    ("method", rf"\s+{_MODIFIERS}(?:get |set )?{_NAME} ?(?:<[^(]*>)?(?P<rest>\([^;]*)\{{\s*$"),
)
_GO = _rules(
    ("method", rf"func \((?:\w+ )?\*?(?P<owner>\w+)(?:\[[^\]]*\])?\) {_NAME}(?P<rest>\(.*)"),
    ("function", rf"func {_NAME}(?P<rest>[\[(].*)"),
    ("struct", rf"type {_NAME}(?:\[[^\]]*\])? struct\b"),
    ("interface", rf"type {_NAME}(?:\[[^\]]*\])? interface\b"),
    ("type", rf"type {_NAME} "),
    ("constant", rf"(?:const|var) {_NAME}\b"),
)
_RUST_VISIBLE = r"\s*(?:pub(?:\([^)]*\))? )?(?:default |const |async |unsafe |extern \"C\" )*"
_RUST = _rules(
    ("impl", r"\s*(?:unsafe )?impl(?:<[^>]*>)? (?:[\w:<>, ']+ for )?(?P<name>[A-Za-z_]\w*)"),
    ("function", rf"{_RUST_VISIBLE}fn {_NAME}(?P<rest>.*)"),
    ("struct", rf"{_RUST_VISIBLE}struct {_NAME}"),
    ("enum", rf"{_RUST_VISIBLE}enum {_NAME}"),
    ("trait", rf"{_RUST_VISIBLE}trait {_NAME}"),
    ("type", rf"{_RUST_VISIBLE}type {_NAME}"),
    ("module", rf"{_RUST_VISIBLE}mod {_NAME}"),
    ("macro", rf"\s*macro_rules! {_NAME}"),
    ("constant", r"\s*(?:pub(?:\([^)]*\))? )?(?:const|static)(?: mut)? (?P<name>[A-Z_][A-Z0-9_]*) ?:"),
)
_TYPED = _rules(
    ("class", rf"\s*{_MODIFIERS}class {_NAME}"),
    ("interface", rf"\s*{_MODIFIERS}(?:fun )?interface {_NAME}"),
    ("enum", rf"\s*{_MODIFIERS}enum (?:class )?{_NAME}"),
    ("record", rf"\s*{_MODIFIERS}record (?:class |struct )?{_NAME}"),
    ("struct", rf"\s*{_MODIFIERS}struct {_NAME}"),
    ("object", rf"\s*{_MODIFIERS}object {_NAME}"),
    ("function", rf"\s*{_MODIFIERS}fun (?:<[^>]*> )?(?:[\w<>]+\.)?{_NAME}(?P<rest>\(.*)"),
    ("method", rf"\s+{_MODIFIERS}(?:<[^>]*> )?[\w.<>\[\],?]+ {_NAME} ?(?P<rest>\([^;=]*)(?:[{{=;]|$)"),
    ("method", rf"\s+(?:public|private|protected|internal) {_NAME}(?P<rest>\([^;=]*)(?:[{{:]|$)"),
)
_C = _rules(
    ("macro", r"\s*#\s*define (?P<name>[A-Za-z_]\w*)(?P<rest>\([^)]*\))?"),
    ("class", rf"\s*(?:template ?<[^>]*> )?class (?:[A-Z_]+ )?{_NAME}(?!.*;\s*$)"),
    ("struct", rf"\s*(?:typedef )?struct {_NAME} ?(?:\{{|:|$)"),
    ("enum", rf"\s*(?:typedef )?enum (?:class )?{_NAME}"),
    ("module", rf"\s*namespace {_NAME}"),
    (
        "function",
        r"(?![#}])[\w:<>,*&~ ]*?[\w*&>] \*{0,3}&?(?P<name>(?:\w+::)*~?[A-Za-z_]\w*) ?(?P<rest>\([^;{]*)(?:[;{]|$)",
    ),
)
_RUBY = _rules(
    ("module", rf"\s*module {_NAME}"),
    ("class", rf"\s*class {_NAME}"),
    ("method", r"\s*def (?:self\.)?(?P<name>[A-Za-z_]\w*[?!=]?)(?P<rest>\(.*)?"),
    ("constant", r"\s*(?P<name>[A-Z][A-Z0-9_]+) ="),
)
_PHP = _rules(
    ("class", rf"\s*{_MODIFIERS}class {_NAME}"),
    ("interface", rf"\s*interface {_NAME}"),
    ("trait", rf"\s*trait {_NAME}"),
    ("enum", rf"\s*enum {_NAME}"),
    ("function", rf"\s*{_MODIFIERS}function &?{_NAME} ?(?P<rest>\(.*)"),
)
_SHELL = _rules(
    ("function", r"\s*(?:function )(?P<name>[A-Za-z_][\w.:-]*)"),
    ("function", r"\s*(?P<name>[A-Za-z_][\w.:-]*) ?\(\)"),
)
_SQL = _rules(
    (
        "table",
        r"(?i)\s*create (?:or replace )?(?:temp(?:orary)? |unlogged |virtual )?(?:table|view|materialized view) "
        r"(?:if not exists )?[\"`\[]?(?P<name>[\w.]+)",
    ),
    ("index", r"(?i)\s*create (?:unique )?index (?:concurrently )?(?:if not exists )?[\"`\[]?(?P<name>[\w.]+)"),
    ("function", r"(?i)\s*create (?:or replace )?(?:function|procedure|trigger) [\"`\[]?(?P<name>[\w.]+)"),
    ("type", r"(?i)\s*create (?:type|domain|sequence) [\"`\[]?(?P<name>[\w.]+)"),
)
_MAKE = _rules(("target", r"(?P<name>[A-Za-z0-9_][\w./-]*)[^:=\n]{0,200}:(?![=:])"))

_LANGUAGES: Mapping[str, _Rules] = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), _PYTHON),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"), _SCRIPT),
    ".go": _GO,
    ".rs": _RUST,
    **dict.fromkeys((".java", ".kt", ".kts", ".cs", ".scala"), _TYPED),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), _C),
    ".rb": _RUBY,
    ".php": _PHP,
    **dict.fromkeys((".sh", ".bash", ".zsh"), _SHELL),
    ".sql": _SQL,
    ".mk": _MAKE,
}
_NAMED: Mapping[str, _Rules] = dict.fromkeys(("makefile", "gnumakefile"), _MAKE) | {"rakefile": _RUBY}
_HASH_COMMENTS = (_PYTHON, _RUBY, _SHELL, _MAKE)
_BRACED = (_SCRIPT, _GO, _RUST, _TYPED, _C, _PHP)
_TYPE_BEFORE_BRACE = (":", "|", "&", "<", ",", "interface", "struct")
"""What stands before a brace that belongs to a type: ": { a: string }", "interface{}"."""
_UNOWNED = (_GO, _C, _SHELL, _SQL, _MAKE, _PYTHON)
"""Languages whose names are not put after the class that was opened last."""


def rules_for(path: str) -> _Rules | None:
    """The patterns for a file of this name; None where its language is not known."""
    name = path.rpartition("/")[2].lower()
    dot = name.rfind(".")
    return _NAMED.get(name) or (_LANGUAGES.get(name[dot:]) if dot > 0 else None)


def definitions(path: str, text: str) -> list[Definition]:
    """The definitions of a source in their order; none where its language is not known."""
    rules = rules_for(path)
    found: list[Definition] = []
    owner, owner_indent, commented = "", 0, False
    for number, line in enumerate(text.splitlines()[:_MOST_LINES] if rules else (), start=1):
        start = line.lstrip()
        if commented or start.startswith("/*"):
            commented = "*/" not in start
            continue
        comment = "#" if rules in _HASH_COMMENTS else "--" if rules is _SQL else "//"
        if not start or len(line) > _LONGEST_LINE or start.startswith((comment, "*")):
            continue
        indent = len(line) - len(start)
        if owner and indent <= owner_indent and not start.startswith(("}", "{", ")", "end", "@", "[")):
            owner = ""
        definition = _defined(rules or (), line, owner, number, is_owned=rules not in _UNOWNED)
        if definition is None:
            continue
        if definition.kind in _OWNERS:
            owner, owner_indent = definition.name, indent
        if definition.kind != "impl":
            found.append(definition)
        if len(found) == MOST_DEFINITIONS:
            break
    return found


def _defined(rules: _Rules, line: str, owner: str, number: int, *, is_owned: bool) -> Definition | None:
    for kind, pattern in rules:
        match = pattern.match(line)
        if match is None:
            continue
        parts = match.groupdict()
        name = parts["name"].replace("::", ".")
        if name in _NO_METHODS or line.lstrip().startswith(("return ", "else ", "throw ", "await ", "new ")):
            return None
        holder = parts.get("owner") or (owner if is_owned and kind not in ("impl", "macro", "module") else "")
        if holder and kind == "function":
            kind = "method"
        if kind == "method" and not holder and rules is not _RUBY:
            return None  # a call with a block, or a line whose class was not seen
        rest = (parts.get("rest") or "").strip()
        whole = rest.removesuffix("{").strip()
        rest = _without_body(rest, ends_at_equals=rules is _TYPED) if rules in _BRACED else whole
        if rules is _SCRIPT and kind == "method" and (whole.endswith("=>") or "function" in whole):
            return None  # a call that is given a function
        return Definition(f"{holder}.{name}" if holder else name, kind, number, tidy(rest))
    return None


def _without_body(signature: str, *, ends_at_equals: bool) -> str:
    """A signature up to the brace that opens its body, or the "=" before it; braces within a type stay."""
    depth = braces = 0
    for place, sign in enumerate(signature):
        if braces:
            braces += (sign == "{") - (sign == "}")
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif depth <= 0 and sign == "{":
            if not signature[:place].rstrip().endswith(_TYPE_BEFORE_BRACE):
                return signature[:place].rstrip()
            braces = 1
        elif depth <= 0 and sign == "=" and ends_at_equals:
            return signature[:place].rstrip()
    return signature
