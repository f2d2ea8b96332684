"""Values that stand before their names: "use x as the password", "x" will be the password, "enter x when it asks"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from remanence.guard.secrets.judging import chosen, plain_word, said, titled
from remanence.guard.secrets.lazy import lazy
from remanence.guard.secrets.names import Name, harmless_tail
from remanence.guard.secrets.reading import value_at

_FURTHEST = 110
_THE = (
    r"(?:the|my|our|your|his|her|its|their|an?|das|die|der|mein|unser|dein|neues|le|la|mon|notre|el|mi|su|nuestra|il"
    r"|mia"
    r"|nostra|o|minha|nossa|het|de|mijn|ons|onze)"
)
_BACK = lazy(
    r"\s(?:(?:that|which|this|it)\s)?(?:"
    r"(?:(?P<sure>(?:will|shall|is (?:going )?to|ought to|should) be|becomes|became|wird|wurde|sera|est devenu|será"
    r"|va a ser|sarà|diventa|vai ser|passa a ser|wordt|werd|as|als|comme|come|como)|is|was|are|ist|est|es|é|è)"
    rf"(?:\s{_THE})?|for\s{_THE}|(?P<loose>de|por|per|pour|para|zum|ins?|for))\s"
)
_USED_LATE = lazy(
    r"\b(?:try|tried|uses?|used|using|with|has|had|chose|picked|took|set|put|typed?|entered|kept|left|made|we['’]?ve"
    r"|habe|haben|hat|nimm|mis|met|mets|mettre|choisi|pris|gardé|utilise|puesto|puse|pon|dejado|elegido|usamos|usa"
    r"|tiene|impostato|scelto|messo|usato|usiamo|lasciato|coloquei|usei|deixei|colocamos|heb|hebben|gebruik)"
    r" [\"'`“„«]?\s?$"
)
_WORDS = lazy(r"(?:[\w'’-]{1,20} ){0,4}(?:[\w'’]{1,20}[-’'])?$")
_STRANGE = lazy(r"[\d!#$%^&*+=~@]|[a-z][-._][A-Za-z]+[-._][A-Za-z]+[-._][A-Za-z]")
# "as the template for the password notes"
_OF_ELSE = lazy(r"(?:template|name|title|label|example|format|reference|basis|vorlage|titel|modèle|plantilla) ")
_QUOTES = {'"': '"', "'": "'", "`": "`", "”": "“", "“": "„", "»": "«", "’": "‘", "«": "»"}
_FOLLOWS = lazy(r"[a-z]{0,12}[ -]([a-z]{3,14})")
_OF_PROGRAM = ("flag", "option", "setting", "page", "screen", "feature", "word", "label", "step", "button", "link")
_DIGIT = lazy(r"\d")
_TYPED = lazy(r"(?:enter|type|use|try|give|put|input) (?=\S{4})")
_WHEN = lazy(r"[\"'`”»]? (?:when|if|once|at the|in the|into the|as)\b")
_SENTENCE = lazy(r"[.!?;](?:\s|$)|\n")


def before(text: str, low: str, known: list[Name]) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of values that stand before a name."""
    starts = [name.start for name in known]
    begins, ends = max(0, starts[0] - _FURTHEST), starts[-1]
    for match in _BACK.finditer(low, begins, ends):
        name = known[bisect_left(starts, match.end())]
        if name.start > match.end() + 60 or not _WORDS.fullmatch(low, match.end(), name.start):
            continue
        if _OF_ELSE.match(low, match.end(), name.start):
            continue
        start, end, quoted = _ending(text, match.start())
        if end > start and _is_one(text, low, start, end, name, match["sure"], match["loose"], quoted):
            yield name.kind, start, end
    for match in _TYPED.finditer(low, begins, ends):
        start, end, _ = value_at(text, match.end())
        if end <= start or not _STRANGE.search(text, start, end) or not (then := _WHEN.match(low, end)):
            continue
        number = bisect_left(starts, then.end())
        if number == len(starts) or starts[number] > then.end() + 50 or _SENTENCE.search(low, end, starts[number]):
            continue
        if known[number].strong and said(text[start:end], True):
            yield known[number].kind, start, end


def _ending(text: str, at: int) -> tuple[int, int, bool]:
    """The value that ends here, and whether in quotes."""
    at -= text[at - 1 : at] == ","
    opening = _QUOTES.get(text[at - 1]) if at else None
    if opening:
        last = at - 1
        while last and text[last - 1] in " \u00a0":
            last -= 1
        earliest = max(0, at - 82, text.rfind("\n", 0, at) + 1)
        start = text.rfind(opening, earliest, last) + 1
        if start > earliest or (start and text[start - 1] == opening):
            while start < last and text[start] in " \u00a0":
                start += 1
            return start, last, True
    earliest = max(0, at - 100)
    begins = max(text.rfind(" ", earliest, at), text.rfind("\n", earliest, at), earliest - 1) + 1
    start, end, _ = value_at(text, begins)
    return start, min(end, at), False


def _is_one(
    text: str, low: str, start: int, end: int, name: Name, sure: str | None, loose: str | None, quoted: bool
) -> bool:
    value = text[start:end]
    if " " in value or value.isdigit() or value.startswith("-"):
        return False
    used = name.strong and _USED_LATE.search(low, max(0, start - 14), start) is not None
    if loose and not used:
        return False
    after = _FOLLOWS.match(low, name.end)
    of_program = after is not None and (harmless_tail(after[1]) or after[1] in _OF_PROGRAM)
    if _STRANGE.search(value) and said(value, name.strong) and not (of_program and not _DIGIT.search(value)):
        return True
    if not name.strong or of_program:
        return False
    told = used or (quoted and sure is not None)
    return (told and (chosen(value) or (sure is not None and plain_word(value, 4)))) or titled(value)
