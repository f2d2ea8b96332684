"""Which language models a setting means, and what is said where it means none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from remanence import Mind
from remanence.errors import InvalidInput, LlmFailed
from remanence.providers.choose_llm import writers_for
from tests.providers.scripted import Server
from tests.providers.writing import KEY, Purse, chat_answer, writers


class Own:
    model = "own@1"

    def complete(self, prompt: str, **options: Any) -> str:
        return f"{self.model}: {prompt}"


def plain(prompt: str) -> str:
    return prompt


@pytest.mark.parametrize("llm", [None, False, "none", {}])
@pytest.mark.parametrize("smol", [None, False, "none", {}, {"model": "small"}, {"provider": "openai"}, plain])
def test_no_language_model_is_a_normal_state(llm: Any, smol: Any) -> None:
    limits: dict[str, Any] = {"tokens_per_run": 1, "tokens_per_day": None}
    assert writers_for(llm, smol, purse=None, clean=str, today=str, **limits) is None


def test_an_object_and_a_function() -> None:
    made = writers(Own())
    assert (made.default.model, made.default.text("x")) == ("own@1", "own@1: x")
    assert made.smol is made.default
    assert writers(plain).default.model == f"{__name__}.plain"
    assert writers(Own(), model="given").default.model == "given"
    assert writers({"provider": plain, "model": "given", "timeout_seconds": 5}).default.model == "given"


def test_two_roles_with_options_of_their_own(server: Server) -> None:
    server.answers = [chat_answer("x")]
    llm = {"provider": "openai", "url": server.url, "model": "big", "key": KEY}
    made = writers(llm, {"model": "small"})
    assert (made.default.model, made.smol.model) == ("big", "small")
    made.smol.text("x")
    _, headers, body = server.asked[0]
    assert (headers["authorization"], body["model"]) == (f"Bearer {KEY}", "small")
    assert writers(llm, Own()).smol.model == "own@1"
    assert writers("openai", {"model": "small"}, url=server.url, model="big").smol.model == "small"
    with pytest.raises(InvalidInput, match=r"needs url; .*needs model"):
        writers(llm, {"provider": "openai"})


def test_a_role_that_fails_leaves_the_other_in_use() -> None:
    def broken(prompt: str) -> str:
        raise RuntimeError

    made = writers(plain, broken, purse=Purse())
    with pytest.raises(LlmFailed):
        made.smol.text("x")
    assert (made.smol.available(), made.default.available()) == (False, True)


@pytest.mark.parametrize(
    ("llm", "options", "said"),
    [
        ("openai", {}, ["llm 'openai' needs url", "llm 'openai' needs model"]),
        ("endpoint", {"url": "http://h"}, ["llm 'endpoint' needs model"]),
        ("anthropic", {}, ["llm 'anthropic' needs model", "llm 'anthropic' needs key"]),
        ("local", {"url": "http://h"}, ["llm 'local' has no option 'url'"]),
        (
            {"provider": "openai", "url": "http://h", "model": "m", "modle": 1},
            {},
            ["llm 'openai' has no option 'modle'"],
        ),
        ({"model": "m"}, {}, ['the mapping for llm has no name; for example "openai", with url and model']),
        (plain, {"key": "k"}, ["llm function has no option 'key'"]),
        ("local", {"threads": 0}, ["threads must be a whole number from 1 to 256, not 0"]),
        ("local", {"context_tokens": "x"}, ["context_tokens must be a whole number from 1 to 1,048,576, not 'x'"]),
        ("local", {"path": 1}, ["path must be that of a file"]),
        ("openai", {"url": 1, "model": "m", "key": 2}, ["url must be text", "key must be text"]),
        (
            "anthropic",
            {"model": "", "key": "k", "timeout_seconds": 0},
            [
                "model must be a name of 1 to 200 printable characters",
                "timeout_seconds must be above 0 and at most 600, not 0",
                "llm 'anthropic' needs model",
            ],
        ),
    ],
)
def test_all_problems_at_once(llm: Any, options: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InvalidInput) as raised:
        writers(llm, **options)
    assert list(raised.value.problems) == said


@pytest.mark.parametrize("what", [True, 1, 0, 3.5, [], b"openai", object(), Own])
def test_what_is_no_language_model_is_refused_with_what_is(what: Any) -> None:
    with pytest.raises(InvalidInput, match=r'"openai".*"anthropic".*"local".*complete\(prompt'):
        writers(what)


@pytest.mark.parametrize("most", [-1, 1.5, "10", True])
def test_a_ceiling_is_a_number(most: Any) -> None:
    with pytest.raises(InvalidInput, match=r"tokens_per_run must be .*tokens_per_day must be"):
        writers(None, run=most, day=most)


def test_an_address_that_nobody_would_ask_is_refused() -> None:
    with pytest.raises(InvalidInput, match='a url is given and llm is not: say llm "openai"'):
        writers(None, url="http://127.0.0.1:9/v1", model="m")
    limits: dict[str, Any] = {"tokens_per_run": None, "tokens_per_day": None}
    assert writers_for("none", purse=None, clean=str, today=str, url="http://127.0.0.1:9/v1", **limits) is None


@pytest.mark.parametrize("smol", [{"model": "small"}, {"name": "openai", "url": "http://h", "model": "small"}])
@pytest.mark.parametrize(("argument", "name"), [("none", "openai"), (None, "none")])
def test_none_switches_a_configured_smol_off_too(argument: Any, name: str, smol: dict[str, str]) -> None:
    llm = {"name": name, "url": "http://h", "model": "big", "smol": smol}
    with Mind(":memory:", llm=argument, embedder="none", settings={"llm": llm}) as mind:
        assert mind.stats().llm is None


def test_an_address_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LLM": "openai", "LLM__URL": "http://[", "LLM__MODEL": "m"}.items():
        monkeypatch.setenv(f"REMANENCE_{name}", value)
    with pytest.raises(InvalidInput, match="the url of the language model is not a web address"):
        Mind(":memory:", embedder="none")


@pytest.mark.parametrize(
    ("smol", "key"),
    [
        ({"model": "small"}, f"Bearer {KEY}"),
        ({"model": "small", "url": "SAME"}, f"Bearer {KEY}"),
        ({"model": "small", "url": "OTHER"}, None),
        ({"url": "OTHER", "key": "sk-own"}, "Bearer sk-own"),
    ],
)
def test_a_key_goes_nowhere_but_where_it_belongs(server: Server, smol: dict[str, str], key: str | None) -> None:
    server.answers = [chat_answer("x")]
    other = server.url.replace("127.0.0.1", "localhost")
    assert other != server.url
    smol = {name: {"SAME": server.url, "OTHER": other}.get(value, value) for name, value in smol.items()}
    writers({"provider": "openai", "url": server.url, "model": "big", "key": KEY}, smol).smol.text("x")
    assert server.asked[0][1].get("authorization") == key


@pytest.mark.parametrize("key", ["a b", "a\nb", "schlüssel"])
@pytest.mark.parametrize("llm", ["openai", "anthropic"])
def test_a_key_that_is_none_is_refused_unseen(llm: str, key: str) -> None:
    with pytest.raises(InvalidInput, match="the key of the language model") as raised:
        writers(llm, url="http://localhost", model="m", key=key)
    assert key not in str(raised.value)


def test_anthropic_has_an_address_of_its_own() -> None:
    assert "api.anthropic.com" in repr(writers("anthropic", model="m", key=KEY).default)
    assert KEY not in repr(writers("anthropic", model="m", key=KEY))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers language models, as pip would have installed it."""
    (tmp_path / "offered_llms.py").write_text(
        "class Good:\n"
        "    model = 'offered@1'\n"
        "    def complete(self, prompt, **options): return prompt.upper()\n"
        "def factory(): return Good()\n"
        "instance = Good()\n"
        "def broken(): raise ValueError('why')\n"
        "def nothing(): return 1\n"
    )
    folder = tmp_path / "offered_llms-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: offered-llms\nVersion: 1\n")
    names = ["Good", "factory", "instance", "broken", "nothing"]
    lines = [f"{name.lower()} = offered_llms:{name}" for name in names] + ["missing = no_such_module_here:Good"]
    (folder / "entry_points.txt").write_text("\n".join(["[remanence.llms]", *lines]) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "offered_llms", raising=False)


@pytest.mark.usefixtures("installed")
class TestInstalled:
    @pytest.mark.parametrize("name", ["good", "factory", "instance"])
    def test_one_by_its_name(self, name: str) -> None:
        sys.modules.pop("offered_llms", None)
        made = writers(name).default
        assert made.model == name
        assert "offered_llms" not in sys.modules, "its code is imported at first use"
        assert made.text("x") == "X"
        assert made.model == "offered@1"

    @pytest.mark.parametrize(
        ("name", "said"),
        [("broken", "ValueError"), ("missing", "ModuleNotFoundError"), ("nothing", r"no method complete\(prompt\)")],
    )
    def test_one_that_does_not_load_costs_nothing(self, name: str, said: str) -> None:
        purse = Purse()
        made = writers(name, purse=purse).default
        with pytest.raises(LlmFailed, match=said):
            made.text("x")
        assert not purse.rows
        assert not made.available()

    def test_an_unknown_name_lists_the_known(self) -> None:
        with pytest.raises(InvalidInput, match=r"'absent' \(installed: broken, factory, good,"):
            writers("absent")


def test_nothing_heavy_is_imported_before_the_first_question() -> None:
    code = (
        "import sys\nfrom remanence.providers.choose_llm import writers_for\n"
        "for llm in ({'provider': 'openai', 'url': 'http://h', 'model': 'm'}, 'local'):\n"
        "    writers_for(llm, purse=None, clean=str, today=str, tokens_per_run=1, tokens_per_day=1)\n"
        "print([name for name in ('httpx', 'numpy', 'xllamacpp', 'remanence.mind') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "[]"


def test_a_mind_takes_the_block_of_the_settings_as_a_mapping(server: Server) -> None:
    """Its models stand in the place of all that the settings name; limits it does not give stay theirs."""
    server.answers = [chat_answer('{"facts": []}')]
    block = {"name": "openai", "url": server.url, "model": "big", "key": KEY, "smol": {"model": "small"}}
    settings = {"llm": {"name": "anthropic", "key": "another", "url": "http://127.0.0.1:9", "tokens_per_day": 7000}}
    with Mind(":memory:", llm=block, settings=settings) as mind:
        mind.extract("The mill was built in 1890.")
        _, headers, body = server.asked[0]
        assert (headers["authorization"], body["model"]) == (f"Bearer {KEY}", "big")
        assert (mind.settings.llm__smol__model, mind.settings.llm__tokens_per_day) == ("small", 7000)
    with pytest.raises(InvalidInput, match=r"did you mean llm\.model"):
        Mind(":memory:", llm={"name": "openai", "modle": "big"})
