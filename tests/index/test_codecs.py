"""Codes: small, near to the original, with its signs; and what a lost bit costs in a comparison."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from remanence.index.codecs import (
    BITS,
    MEAN_COSINE,
    WORDING,
    code_bytes,
    decode,
    encode,
    recode,
    signs,
    signs_bytes,
    signs_from_bytes,
    similarity,
)
from tests.index.vectors import gaussian, sentences, unit

COARSE = (8, 4, 2)


@pytest.mark.parametrize(("bits", "most", "cosine"), [(32, 1536, 1), (8, 392, 0.9999), (4, 201, 0.97), (2, 105, 0.59)])
@pytest.mark.parametrize("vectors", [sentences(2000), gaussian(2000)], ids=["sentences", "gaussian"])
def test_size_and_likeness(bits, most, cosine, vectors):
    codes = encode(vectors, bits)
    decoded = decode(codes, bits, 384)
    cosines = np.einsum("ij,ij->i", decoded, vectors, dtype=np.float64)
    assert {len(code) for code in codes} == {code_bytes(bits, 384)}
    assert code_bytes(bits, 384) <= most
    assert cosines.mean() >= cosine - 1e-7
    assert cosines.mean() == pytest.approx(MEAN_COSINE[bits], abs=3e-3)
    assert np.allclose(np.linalg.norm(decoded, axis=1), 1, atol=1e-6)


def test_32_bits_are_the_same_floats():
    vectors = sentences(50)
    assert decode(encode(vectors, 32), 32, 384).tobytes() == vectors.tobytes()


@given(
    st.integers(1, 70).flatmap(lambda d: arrays(np.float32, (3, d), elements=st.floats(-1, 1, width=32))),
    st.sampled_from(COARSE),
)
def test_signs_survive_every_codec(rows, bits):
    rows[:, 0] += np.float32(1.5)
    rows = unit(rows.astype(np.float64))
    decoded = decode(encode(rows, bits), bits, rows.shape[1])
    assert np.array_equal(signs(decoded), signs(rows))


@pytest.mark.parametrize("dimension", [1, 2, 3, 63, 64, 65, 385, 8191, 8192])
@pytest.mark.parametrize("bits", BITS)
def test_any_dimension(dimension, bits):
    vectors = gaussian(3, dimension)
    codes = encode(vectors, bits)
    assert len(codes[0]) == code_bytes(bits, dimension)
    assert np.all(np.einsum("ij,ij->i", decode(codes, bits, dimension), vectors) > 0.85)


@pytest.mark.parametrize("bits", COARSE)
def test_nothing_nearer_than_rounding(bits):
    """A component moved to its neighbour's magnitude is never nearer to the original: nothing is truncated."""
    vectors = sentences(20)
    decoded = decode(encode(vectors, bits), bits, 384)
    for row, coded in zip(vectors, decoded, strict=True):
        levels = np.unique(np.abs(coded))
        scale = float(row @ coded)
        errors = np.abs(np.abs(row)[:, None] - scale * levels)
        step = scale * np.diff(levels).max() if len(levels) > 1 else 0
        assert np.all(np.abs(row - scale * coded) <= errors.min(axis=1) + 0.1 * step)


@pytest.mark.parametrize("bits", COARSE)
def test_sparse_and_lopsided_rows(bits):
    one = np.zeros((1, 384), dtype=np.float32)
    one[0, 7] = 1
    few = np.zeros((1, 384), dtype=np.float32)
    few[0, :8] = [0.5, -0.5, 0.5, -0.5, 0, 0, 0, 0]
    for row in (one, few):
        assert float(decode(encode(row, bits), bits, 384)[0] @ row[0]) > 0.99


def test_no_rows():
    empty = np.zeros((0, 384), dtype=np.float32)
    assert encode(empty, 4) == []
    assert decode([], 4, 384).shape == (0, 384)
    assert signs(empty).shape == (0, 6)
    assert signs_from_bytes([], 384).shape == (0, 6)


def test_refusals_name_the_values():
    vectors = gaussian(2)
    with pytest.raises(ValueError, match="a code of 97 bytes; 2 bits at 384 dimensions take 98 bytes"):
        decode([encode(vectors, 2)[0][:-1]], 2, 384)
    with pytest.raises(ValueError, match="3 bits a component"):
        encode(vectors, 3)
    with pytest.raises(ValueError, match="8193 dimensions"):
        code_bytes(8, 8193)
    with pytest.raises(ValueError, match="1 of 2 vectors are not of length 1; row 1"):
        encode(vectors * np.array([[1], [2]], dtype=np.float32), 8)
    with pytest.raises(ValueError, match="not of length 1"):
        encode(vectors * np.float32(np.nan), 32)
    with pytest.raises(ValueError, match="signs of 7 bytes; 64 dimensions take 8 bytes"):
        signs_from_bytes([b"1234567"], 64)


def test_recoding_takes_bits_away_only():
    vectors = sentences(200)
    codes = encode(vectors, 8)
    assert recode(codes, 8, 4, 384) == encode(decode(codes, 8, 384), 4)
    worn = decode(recode(recode(codes, 8, 4, 384), 4, 2, 384), 2, 384)
    assert np.einsum("ij,ij->i", worn, vectors).mean() > 0.93
    for wider in (8, 32):
        with pytest.raises(ValueError, match=f"8 bits cannot become {wider}"):
            recode(codes, 8, wider, 384)


def test_signs_are_stored_in_whole_words():
    row = np.array([[0.5, 0, -0.5] + [0] * 61 + [1]], dtype=np.float32)
    assert signs(row).tolist() == [[1, 1]]
    assert signs_bytes(signs(row)) == [b"\x01" + bytes(7) + b"\x01" + bytes(7)]
    vectors = gaussian(9, 100)
    assert np.array_equal(signs_from_bytes(signs_bytes(signs(vectors)), 100), signs(vectors))


# --- comparing


def test_worked_number():
    query = np.array([1, 0], dtype=np.float32)
    rows = np.array([[0.8, 0.6]] * 4, dtype=np.float32)
    found = similarity(query, rows, np.array(BITS, dtype=np.int8))
    assert found == pytest.approx([0.8, 0.8, 0.79963, 0.76432], abs=1e-5)


@pytest.mark.parametrize("bits", BITS)
def test_it_is_the_fisher_rao_distance(bits):
    """The closed form against the geodesic distance itself."""
    dimension, cosine = 384, 0.6
    s, t = ((WORDING + 1 - MEAN_COSINE[bits] ** 2) / dimension) ** 0.5, (WORDING / dimension) ** 0.5
    cosh = 1 + ((2 - 2 * cosine) / (2 * dimension) + (s - t) ** 2) / (2 * s * t)
    distance = (2 * dimension) ** 0.5 * np.arccosh(cosh)
    expected = 1 - 2 * dimension * s * t * (np.cosh(distance / (2 * dimension) ** 0.5) - 1)
    query, row = np.array([1, 0], dtype=np.float32), np.array([[0.6, 0.8]], dtype=np.float32)
    assert similarity(query, row, np.array([bits], dtype=np.int8))[0] == pytest.approx(expected, abs=1e-6)


@given(st.floats(-1, 1, width=32), st.floats(-1, 1, width=32))
def test_monotone_and_never_above_the_cosine(one, other):
    low, high = sorted((one, other))
    query = np.array([1, 0], dtype=np.float32)
    rows = np.array([[low, (1 - low**2) ** 0.5], [high, (1 - high**2) ** 0.5]], dtype=np.float32)
    counts = [similarity(query, rows, np.full(2, bits, dtype=np.int8)) for bits in BITS]
    for finer, coarser in pairwise(counts):
        assert np.all(coarser <= finer)
    for count in counts:
        assert count[0] <= count[1]
        assert np.all(count <= rows[:, 0])


def at_cosine(query, cosine, count, seed):
    """Rows at exactly this cosine to the query, in random directions."""
    noise = np.random.default_rng(seed).standard_normal((count, len(query)))
    noise = unit(noise - np.outer(noise @ query, query))
    return unit(cosine * query + (1 - cosine**2) ** 0.5 * noise)


@pytest.mark.parametrize("bits", COARSE)
@pytest.mark.parametrize("cosine", [-0.95, -0.5, 0, 0.3, 0.6, 0.9])
def test_equally_near_and_coarser_is_expected_behind(bits, cosine):
    query = gaussian(1, seed=3)[0]
    rows = at_cosine(query, cosine, 1000, seed=4)
    found = similarity(query, decode(encode(rows, bits), bits, 384), np.full(1000, bits, dtype=np.int8))
    assert found.mean() <= cosine


def test_two_bits_never_win_by_noise():
    """Ten fine and ten 2-bit rows within ±.01 of one cosine: unaware, one with 2 bits would often be first."""
    rng = np.random.default_rng(6)
    wins = by_cosine = 0
    for run in range(200):
        query = gaussian(1, seed=1000 + run)[0]
        near = np.concatenate([at_cosine(query, cosine, 4, seed=run) for cosine in rng.uniform(0.39, 0.41, 5)])
        near = rng.permutation(near)
        bits = np.repeat(np.array([32, 2], dtype=np.int8), 10)
        near[10:] = decode(encode(near[10:], 2), 2, 384)
        wins += int(np.argmax(similarity(query, near, bits)) >= 10)
        by_cosine += int(np.argmax(near @ query) >= 10)
    assert wins <= 1 < 10 < by_cosine
