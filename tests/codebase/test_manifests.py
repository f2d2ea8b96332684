"""What manifests say: versions as written, commands by their tool, and whether a claimed version is the one."""

from __future__ import annotations

import pytest

from remanence.codebase.manifests import allows, folded_name, is_manifest, manifests

PYPROJECT = """
[project]
requires-python = ">=3.11"
dependencies = ["pydantic==2.1.4", "httpx[http2]>=0.28; python_version > '3'", "Ruamel.Yaml"]
[project.optional-dependencies]
dev = ["pytest~=9.0"]
[project.scripts]
rem = "x:main"
[tool.poetry.dependencies]
flask = { version = "^3.0.1" }
"""


def test_versions_and_commands() -> None:
    said = manifests(
        [
            ("pyproject.toml", PYPROJECT),
            ("requirements-dev.txt", "# comment\n-r other.txt\nruff==0.17.1  # why\nmypy >= 2\n"),
            ("web/package.json", '{"dependencies": {"react": "^18.2.0"}, "scripts": {"build": "x"}, "engines": 3}'),
            ("go.mod", "module x\ngo 1.22\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1 // indirect\n)\n"),
            ("Cargo.toml", '[dependencies]\nserde = "1.0.2"\ntokio = { version = "1.3", features = [] }\n'),
            ("Gemfile.lock", "GEM\n  specs:\n    rails (7.1.2)\n      rack (>= 2)\n"),
            ("Makefile", "all: build\nlint format: deps\n\tx\n"),
        ]
    )
    assert said.versions["pydantic"] == ["==2.1.4"]
    assert said.versions["httpx"] == [">=0.28"]
    assert said.versions["python"] == [">=3.11"]
    assert said.versions["flask"] == ["^3.0.1"]
    assert said.versions["ruff"] == ["==0.17.1"]
    assert said.versions["react"] == ["^18.2.0"]
    assert said.versions["gin"] == ["v1.9.1"]
    assert said.versions["serde"] == ["^1.0.2"]
    assert said.versions["rails"] == ["7.1.2"]
    assert "rack" not in said.versions
    assert folded_name("Ruamel.Yaml") not in said.versions
    assert said.commands == {"python": {"rem"}, "npm": {"build"}, "make": {"all", "lint", "format"}}
    assert not said.open_tools
    assert manifests([("Makefile", "include more.mk\nall:\n")]).open_tools == {"make"}
    assert manifests([("Makefile", "%.o: %.c\n\tcc\n")]).open_tools == {"make"}


@pytest.mark.parametrize(
    "broken",
    [("pyproject.toml", "[["), ("package.json", "[" * 100_000), ("package.json", "[1]"), ("Cargo.toml", "a=1")],
)
def test_a_broken_manifest_says_nothing(broken: tuple[str, str]) -> None:
    assert is_manifest(broken[0])
    said = manifests([broken])
    assert not said.versions
    assert not any(said.commands.values())


@pytest.mark.parametrize(
    ("spec", "version", "answer"),
    [
        ("==2.1.4", "2.1", True),
        ("==2.1.4", "2.1.4", True),
        ("==2.5", "2.1", False),
        ("7.1.2", "7.1.2", True),
        ("v1.9.1", "1.9.1", True),
        (">=2", "2.1", None),
        (">=2", "1.9", False),
        ("^18.2.0", "18.2.0", None),
        ("^18.2.0", "17.0.2", False),
        ("^18.2.0", "19.0", False),
        ("~=9.0", "10.1", False),
        (">=1,<2", "2.1", False),
        (">=1,<2", "1.5", None),
        ("*", "1.5", None),
        ("", "1.5", None),
        ("==2.1", "9" * 5000, False),
    ],
)
def test_whether_a_version_is_the_one(spec: str, version: str, answer: bool | None) -> None:
    assert allows(spec, version) is answer
