"""What can be said of the deployment files and their page without an engine that runs them.

Paths, commands, options and settings that they name are held against the product's own tables.
"""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

from remanence import settings
from remanence.interfaces.calls import CALLS
from tests.architecture.sources import PACKAGE, ROOT, modules, strings

DEPLOY = ROOT / "deploy"
PAGES = (ROOT / "docs" / "howto" / "serve.md", DEPLOY / "README.md")
UNIT = DEPLOY / "remanence.service"
IN_REST = re.compile(r"(?:\$api|/v1)(/[\w/{}-]*)")
OUTSIDE_REST = ("/healthz", "/metrics", "/mcp")


def instructions(text: str) -> list[tuple[str, str]]:
    """(word, rest) of each instruction of a Dockerfile, continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = [line.partition(" ") for line in joined.splitlines()]
    return [(word, " ".join(rest.split())) for word, _, rest in found]


@pytest.fixture(scope="module")
def image() -> list[tuple[str, str]]:
    return instructions((DEPLOY / "Dockerfile").read_text("utf-8"))


@pytest.fixture(scope="module")
def unit() -> configparser.ConfigParser:
    return parsed(UNIT.read_text("utf-8"))


def parsed(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def last_stage(image: list[tuple[str, str]]) -> list[tuple[str, str]]:
    begins = max(number for number, (word, _) in enumerate(image) if word == "FROM")
    return image[begins:]


# The image.


def copied(image: list[tuple[str, str]]) -> list[str]:
    """What is copied from the source tree."""
    copies = [rest.split() for word, rest in image if word == "COPY" and "--from" not in rest]
    assert all(word != "ADD" for word, _ in image), "ADD fetches and unpacks; COPY does neither"
    return [source for words in copies for source in words[:-1] if not source.startswith("--")]


def test_what_the_image_copies_is_there(image: list[tuple[str, str]]) -> None:
    sources = copied(image)
    assert "src" in sources and "pyproject.toml" in sources
    for source in sources:
        assert (ROOT / source).exists(), source


def test_nothing_else_gets_to_the_build(image: list[tuple[str, str]]) -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert sorted(rule[1:] for rule in rules if rule.startswith("!")) == sorted(copied(image))


def test_what_the_package_needs_to_be_built_is_copied(image: list[tuple[str, str]]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {project["readme"], *project["license-files"], "constraints.txt"} <= set(copied(image))
    assert project["optional-dependencies"]["serve"], "the extra the image installs holds nothing"
    (install,) = [rest for word, rest in image if word == "RUN" and "pip install" in rest]
    assert install.endswith('pip install -c constraints.txt ".[serve]"')


def test_images_are_pinned(image: list[tuple[str, str]]) -> None:
    bases = {rest.split()[0] for word, rest in image if word == "FROM"}
    assert len(bases) == 1, "both stages stand on the same one"
    for base in bases:
        assert re.fullmatch(r"python:3\.(?:1[1-9])\.\d+-slim-[a-z]+", base), base


def test_the_image_is_not_root(image: list[tuple[str, str]]) -> None:
    stage = last_stage(image)
    users = [(number, rest) for number, (word, rest) in enumerate(stage) if word == "USER"]
    assert users and re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", users[-1][1])
    after = [word for word, _ in stage[users[-1][0] :]]
    assert "CMD" in after and "RUN" not in after and "VOLUME" in after


def test_the_image_checks_its_health_by_a_path_that_is_served(image: list[tuple[str, str]]) -> None:
    ((_, check),) = [one for one in image if one[0] == "HEALTHCHECK"]
    words = json.loads(check[check.index("[") :])
    assert words[:2] == ["python", "-c"]
    compile(words[2], "HEALTHCHECK", "exec")
    (address,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", words[2])
    assert address[0] == str(settings.Settings().serve__port) == dict(image)["EXPOSE"]
    assert address[1] in served()


def test_the_image_starts_a_command_that_is_there(image: list[tuple[str, str]]) -> None:
    words = json.loads(dict(last_stage(image))["CMD"])
    assert {"--behind-proxy", "0.0.0.0"} <= set(words)
    understood(words)
    values = dict(last_stage(image))["ENV"].split()
    named = dict(value.split("=", 1) for value in values)
    assert named["REMANENCE_DB"] == words[words.index("--db") + 1]
    assert not settings.ignored(named), "a variable that names no setting"
    settings.load(environment=named | {"REMANENCE_CONFIG": str(ROOT / "none.yml")})


# The unit.

HARDENED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectControlGroups": "yes",
    "RestrictSUIDSGID": "yes",
    "RestrictNamespaces": "yes",
    "LockPersonality": "yes",
    "CapabilityBoundingSet": "",
    "UMask": "0077",
    "StateDirectory": "remanence",
    "StateDirectoryMode": "0700",
    "Restart": "on-failure",
}


def test_the_unit_is_hardened(unit: configparser.ConfigParser) -> None:
    service = unit["Service"]
    assert {name: service.get(name) for name in HARDENED} == HARDENED
    assert service["User"] == service["Group"] == "remanence"
    assert int(service["TimeoutStopSec"]) > 0 and re.fullmatch(r"\d+G", service["MemoryMax"])
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_the_unit_starts_a_command_that_is_there(unit: configparser.ConfigParser) -> None:
    program, *words = unit["Service"]["ExecStart"].split()
    assert Path(program).name == "rem"
    assert "%S/remanence/memory.db" in words, "in the folder that systemd makes for it"
    understood(["rem", *words])
    name, _, _ = unit["Service"]["Environment"].partition("=")
    assert not settings.ignored({name: "x"})


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_has_nothing_to_say_against_the_unit(unit: configparser.ConfigParser, tmp_path: Path) -> None:
    """Its program stands where it will be installed, so here one that is there takes its place."""
    text = UNIT.read_text("utf-8").replace(unit["Service"]["ExecStart"].split()[0], str(shutil.which("true")))
    copy = tmp_path / UNIT.name
    copy.write_text(text)
    verified = analyzed("verify", str(copy))
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    copy.write_text(text.replace("ProtectSystem=strict", "ProtectSystem=strictly"))
    assert "strictly" in analyzed("verify", str(copy)).stderr, "systemd looks at nothing"


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60, check=False)


# The proxy.


def test_the_proxy_leads_to_the_server() -> None:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    bare = re.sub(r"#.*", "", text)
    assert bare.count("{") == bare.count("}") > 0
    for line in filter(None, map(str.strip, bare.splitlines())):
        assert line.endswith((";", "{", "}")), line
    assert set(re.findall(r"proxy_pass (\S+);", bare)) == {f"http://127.0.0.1:{settings.Settings().serve__port}"}
    assert re.findall(r"ssl_protocols (.*);", bare) == ["TLSv1.2 TLSv1.3"]
    (most,) = re.findall(r"client_max_body_size (\d+)m;", bare)
    assert int(most) * 2**20 >= settings.Settings().serve__bulk_bytes
    assert "$http_" not in bare, "what a client says of itself is not passed on"
    for path in re.findall(r"location (?:= )?(/\w+)", bare):
        assert path in served(), path


# What they say.


def served() -> set[str]:
    """Paths outside of /v1 that stand in the server's own source."""
    interfaces = modules(PACKAGE / "interfaces")
    known = {text for path in interfaces for _, text in strings(path.read_text("utf-8"))}
    return {path for path in OUTSIDE_REST if path in known}


def test_what_is_served_beside_rest_is_in_the_server() -> None:
    assert served() == set(OUTSIDE_REST)


def found(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that these words call, and what is left for it; options of its groups aside."""
    from remanence.interfaces.cli.app import rem

    assert words[0] == "rem", words
    command: click.Command = rem
    context = click.Context(rem, info_name="rem")
    rest = words[1:]
    while isinstance(command, click.Group):
        named = {flag: option for option in command.params for flag in option.opts}
        while rest and rest[0] in named:
            rest = rest[2:] if not getattr(named[rest[0]], "is_flag", False) else rest[1:]
        if not rest:
            break
        below = command.get_command(context, rest[0])
        assert below is not None, f"rem has no {' '.join(words)}"
        command, rest = below, rest[1:]
    return command, rest


def understood(words: list[str]) -> None:
    """A command line that names a command and options that are there."""
    command, rest = found(words)
    command.make_context(command.name, rest, resilient_parsing=False)


def shell_lines(text: str) -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    joined = "\n".join(blocks).replace("\\\n", " ")
    return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_are_there(page: Path) -> None:
    lines = [shlex.split(line, comments=True) for line in shell_lines(page.read_text("utf-8"))]
    called = [words[at:] for words in lines for at in (starts(words),) if at is not None]
    assert len(called) >= 2
    for words in called:
        understood(["rem", *words[1:]])


def starts(words: list[str]) -> int | None:
    """Where rem is called, perhaps in a container or as another user."""
    leads = ("docker", "exec"), ("sudo", "-u")
    if words[0] != "rem" and tuple(words[:2]) not in leads:
        return None
    return next(number for number, word in enumerate(words) if Path(word).name == "rem")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_places_of_a_page_are_in_the_table(page: Path) -> None:
    text = page.read_text("utf-8")
    calls = [(line, match[1]) for line in shell_lines(text) for match in IN_REST.finditer(line)]
    calls = [(line, path) for line, path in calls if path != "/" and "api=" not in line]
    known = {(call.method, re.sub(r"\{\w+\}", "*", call.path)) for call in CALLS.values()}
    for line, path in calls:
        method = "POST" if "-X POST" in line else "GET"
        assert (method, re.sub(r"/r\d+(?=/|$)", "/*", path)) in known, line
    if page.name == "serve.md":
        assert len(calls) == 5


def test_the_page_names_every_setting_of_a_server() -> None:
    text = PAGES[0].read_text("utf-8")
    known = {settings.dotted(name) for name in settings.NAMES if name.startswith(("serve__", "client__"))}
    named = set(re.findall(r"`((?:serve|client)\.\w+)`", text))
    assert named == known
    defaults = settings.Settings().to_dict()
    for line in re.findall(r"^\| `(?:serve|client)\..*$", text, re.MULTILINE):
        names, default = [cell.strip() for cell in line.split("|")[1:3]]
        for name in re.findall(r"`([\w.]+)`", names):
            if default:
                assert shown(defaults[name]) == default.strip("`").replace(",", ""), name


def shown(value: object) -> str:
    if value is None or value == ():
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def test_the_examples_of_settings_are_settings() -> None:
    import yaml

    for page in PAGES:
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            settings.load(yaml.safe_load(block), environment={"REMANENCE_CONFIG": str(ROOT / "none.yml")})
