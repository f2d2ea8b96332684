"""The few settings of a hook: what its small reader understands of config.yml, YAML understands in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remanence import settings as all_settings
from remanence.errors import InvalidInput
from remanence.sessions import switches

_NAMES = ("enabled", "background", "db", "namespace", "artifacts")


def both(tmp_path: Path, text: str, **environment: str) -> tuple[Any, Any]:
    """What the hook reads, and what everything else does; None where it is refused."""
    path = tmp_path / "config.yml"
    path.write_text(text, encoding="utf-8")
    own = {"REMANENCE_CONFIG": str(path), **environment}
    found = switches.load(own, {})
    ours = None if found is None else tuple(getattr(found, name) for name in _NAMES)
    try:
        read = all_settings.load(environment=own)
    except InvalidInput:
        return ours, None
    said = (read.memories__enabled, read.memories__background, read.db, read.namespace, read.memories__artifacts)
    return ours, said


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("", True),
        ("# nothing\n\n", True),
        ("memories:\n  enabled: true\n", True),
        ("memories:\r\n  enabled: true # set by rem connect, was false\r\n", True),
        ("memories:\n    enabled: on\n    maxRolloutAgeDays: 3\nnamespace: mine\n", True),
        ("memories.enabled: yes\nmemories.background: False\n", True),
        ("memories:\n  enabled: no\ndb: '~/a b.db'  # mine\n", True),
        ('memories.enabled:\nnamespace: "x y"\n', True),
        ("memories:\n  artifacts: ~/notes\n  enabled: true\nllm:\n  smol:\n    name: none\ndb: /x#y.db\n", True),
        ("guard:\n  personal:\n  - email\n  - phone\ndream:\n  roots:\n    - ~/code\nmemories.enabled: true\n", True),
        ("db: ~\nnamespace: null\nmemories.enabled:\n", True),
        ("\ufeffmemories.enabled: true\n", True),
        ("{memories: {enabled: true}, db: /x.db}", False),
        ("memories: {enabled: true}", False),
        ("db: >\n  /x.db\nmemories.enabled: true\n", False),
        ('db: "/\\x41.db"\n', False),
        ("? db\n: /x.db\n", False),
        ("---\nmemories.enabled: true\n", False),
        ("db: &a /x.db\nmemories:\n  artifacts: *a\n", False),
        ("db: 7\n", False),
        ("namespace: 2026-03-01\n", False),
        ("namespace: yes\n", False),
        ("memories.enabled: 'true'\n", True),
        ("memories.enabled: 1\n", True),
        ("memories.enabled: treu\n", True),
        ("namespace: ''\n", True),
        ("memories:\n  enabled: true\n enabled: false\n", False),
        ("memories:\n\tenabled: true\n", False),
        ("memories:\n  enabled: true\nmemories:\n  background: false\n", False),
        ("db: a: b\n", False),
        ("db: [x\n", False),
        ("- db\n", False),
        ("db\n", False),
        ("db:/x.db\n", False),
    ],
)
def test_a_file_says_the_same_to_both(tmp_path: Path, text: str, plain: bool) -> None:
    ours, theirs = both(tmp_path, text)
    assert ours == theirs
    assert (switches.plainly(text.removeprefix("\ufeff")) is not None) is plain


_PLAIN_WORDS = ("true", "false", "no", "~", "null", "x", "/a/b.db", "7", "0x1", "1e3", "a b", "'q'", '"q"', "", "x # c")
_OTHER_WORDS = (
    "a: b",
    "'q",
    '"\\t"',
    "# c",
    "x#c",
    "[a]",
    "{a: b}",
    "|",
    ">",
    "&a x",
    "*a",
    "!t x",
    "- x",
    "?",
    "12:30",
)
_WORD = st.sampled_from((*_PLAIN_WORDS, *_OTHER_WORDS, "@x", "%x", "2026-01-01", "=", "<<", "x:", ":x", ",x"))
_LINE = st.builds(
    "{}{}{}".format,
    st.sampled_from(["db", "namespace", "memories.enabled", "memories.background", "x", "llm.name", "'db'", "a-b"]),
    st.sampled_from([": ", ": ", ": ", ":", " : "]),
    _WORD,
)
_INNER = st.builds("{}: {}".format, st.sampled_from(["enabled", "artifacts", "background", "x"]), _WORD)
_BLOCK = st.builds(
    lambda name, pad, inner: "\n".join([name + ":", *(pad + line for line in inner)]),
    st.sampled_from(["memories", "llm", "memories.x"]),
    st.sampled_from(["  ", "    ", " "]),
    st.lists(_INNER, max_size=3, unique_by=lambda line: line.partition(":")[0]),
)
_LIST = st.builds("roots:\n{0}- {1}\n{0}- {2}".format, st.sampled_from(["", "  "]), _WORD, _WORD)
_OTHER = st.sampled_from(["", "  ", "# c", "  # c", "  - x", "- x", "---", "...", "x", "\t", "  x: y", "memories:"])
_TEXT = st.lists(
    st.one_of(_LINE, _LINE, _BLOCK, _BLOCK, _LIST, _OTHER), max_size=5, unique_by=lambda line: line.partition(":")[0]
).map("\n".join)


def right(values: dict[str, Any] | None) -> dict[str, Any] | None:
    """What is no flag where one should be is refused, whatever it is."""
    if values is None:
        return None
    flags = ("memories__enabled", "memories__background")
    return {
        name: "wrong" if name in flags and not isinstance(value, bool | None) else value
        for name, value in values.items()
    }


@settings(max_examples=600, deadline=None)
@given(_TEXT)
def test_what_it_understands_yaml_understands_in_the_same_way(text: str) -> None:
    plain = switches.plainly(text)
    if plain is not None:
        assert right(switches._by_yaml(text)) == right(plain)


@pytest.mark.parametrize("value", ["true", "TRUE", "1", "yes", "no", "0", "False", "maybe", ""])
def test_the_environment_says_the_same_to_both(tmp_path: Path, value: str) -> None:
    text = "memories:\n  enabled: true\n  background: false\n"
    for name in ("ENABLED", "BACKGROUND"):
        ours, theirs = both(tmp_path, text, **{f"REMANENCE_MEMORIES__{name}": value})
        assert ours == theirs


def test_arguments_come_first_and_what_is_wrong_says_no(tmp_path: Path) -> None:
    own = {"REMANENCE_CONFIG": str(tmp_path / "none.yml"), "REMANENCE_DB": "/a.db", "REMANENCE_NAMESPACE": "n"}
    found = switches.load(own, {"db": "/b.db", "namespace": None})
    assert found is not None and (found.db, found.namespace, found.enabled, found.background) == (
        "/b.db",
        "n",
        False,
        True,
    )
    for wrong in ({"db": ""}, {"namespace": " "}, {"namespace": "x" * 201}, {"db": "a\0"}, {"namespace": "\ud800"}):
        assert switches.load(own, wrong) is None
