"""Every adapter has an environment, a test and a page, and says what to install where its library is missing."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys

import pytest

from remanence.adapters.segments import names_of, scope_of
from tests.adapters.conftest import DEMANDED, HERE, environments
from tests.architecture.sources import PACKAGE, ROOT

SHARED = {"__init__", "crewai_records", "matching", "segments", "turns"}
PAGES = {"openai_agents": "openai-agents", "pydantic_ai": "pydantic-ai", "llama_index": "llamaindex"}
PAGES |= {"anthropic": "anthropic-memory-tool"}


def test_every_adapter_has_its_environment_test_and_page() -> None:
    adapters = {path.stem for path in (PACKAGE / "adapters").glob("*.py")} - SHARED
    assert adapters == {one.name for one in environments()}
    for name in adapters:
        assert (HERE / f"test_{name}.py").is_file()
        assert (ROOT / "docs" / "howto" / f"{PAGES.get(name, name)}.md").is_file()


def test_requirements_are_pinned_and_named_on_the_page() -> None:
    for one in environments():
        package, equal, version = one.requirement.partition("==")
        assert equal and version
        assert package in (ROOT / "docs" / "howto" / f"{PAGES.get(one.name, one.name)}.md").read_text("utf-8")


def test_adapters_call_what_everyone_may_call() -> None:
    """A mind behind a server has the public names alone."""
    for path in (PACKAGE / "adapters").glob("*.py"):
        assert not re.findall(r"\bmind\._\w*", path.read_text("utf-8")), path.name


@pytest.mark.parametrize("one", environments(), ids=lambda one: one.name)
def test_a_missing_library_is_named_with_the_line_that_installs_it(one) -> None:
    script = f"""
import sys
sys.modules[{one.module.partition(".")[0]!r}] = None
try:
    import remanence.adapters.{one.name}
except ImportError as error:
    from remanence.errors import InvalidInput
    assert isinstance(error, InvalidInput), type(error)
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    package = one.requirement.partition("==")[0]
    assert run.stdout.startswith(f"{package} is not installed")
    assert f'pip install -U "{package}"' in run.stdout


@pytest.mark.skipif(not DEMANDED, reason="outside the environment of an adapter any version may be installed")
def test_the_environment_holds_what_is_pinned() -> None:
    (one,) = [one for one in environments() if one.name == DEMANDED]
    package, _, version = one.requirement.partition("==")
    assert importlib.metadata.version(package) == version


ODD = [(), ("a",), ("a", "b c"), ("a/b",), ("",), ("", ""), ("%",), ("%2F",), ("=k",), ("=",), ("..",), ("é", "日本")]
ODDER = [("tab\there", "nul\0"), ("\ud800",), ("\u202e",), ("%zz", "100%"), ("a\u00a0b",)]


@pytest.mark.parametrize("names", [*ODD, *ODDER], ids=ascii)
def test_names_come_back_from_scopes_as_they_were(names: tuple[str, ...]) -> None:
    from remanence.model.scope import scope_problems

    for root in ("/", "/graph/one"):
        for key in (None, "", "k", "a/b", "=", "%", "日本"):
            scope = scope_of(root, names, key)
            assert scope_problems(scope) == []
            assert names_of(root, scope) == (names, key)


def test_no_two_names_share_a_scope() -> None:
    odd = ["", "%", "=", "/", "a", "a/", "%2F", "%25", "=a", "%3Da", "\0", "%00", " "]
    scopes = {scope_of("/", (one, other), key) for one in odd for other in odd for key in (None, *odd)}
    assert len(scopes) == len(odd) ** 2 * (len(odd) + 1)
