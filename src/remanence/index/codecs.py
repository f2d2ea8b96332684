"""Vectors in 32, 8, 4 or 2 bits a component, their signs, and how vectors of different precision are compared.

A code holds a direction alone: decoding scales each row to length 1, so no scale is stored. It holds each component's
sign and which of a few magnitudes is nearest (rounding, never truncation). 8 bits: 128 evenly spaced ones. 4 and 2
bits: 8 or 2 that fit this row best (Lloyd's algorithm), kept in front of the code in a byte each. No magnitude is 0, so
the signs of a coded vector are those of the original, always and at every precision; 0 counts as negative.

    bits                          32      8      4      2
    bytes at 384 dimensions     1536    384    200     98
    mean cosine, MiniLM            1 .99997  .9956  .9383
    mean cosine, Gaussian noise    1 .99997  .9957  .9400
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BITS = (32, 8, 4, 2)
MOST_DIMENSIONS = 8192
# The smaller of the two means above, rounded down.
MEAN_COSINE = {32: 1.0, 8: 0.99997, 4: 0.9955, 2: 0.938}
# What each loses: the share of a vector's squared length that is noise.
NOISE = {bits: 1.0 - cosine**2 for bits, cosine in MEAN_COSINE.items()}
# What every vector owes to its wording: sentences that mean the same (rated 5 of 5 in STS-B) have a median cosine of
# .954, so the two of them share a noise of 1 - .954² = .09.
WORDING = 0.05

_CHUNK = 1024
_ROUNDS = 4
# Where Lloyd's algorithm begins: the best magnitudes for a normal distribution of variance 1 (Max, 1960).
_FIRST_LEVELS = {4: (0.128, 0.388, 0.657, 0.942, 1.256, 1.618, 2.069, 2.733), 2: (0.4528, 1.510)}
_UNIT_TOLERANCE = 1e-3


def code_bytes(bits: int, dimension: int) -> int:
    """Length of one code: at 384 dimensions 1536, 384, 200 and 98."""
    _check(bits, dimension)
    if bits >= 8:
        return dimension * bits // 8
    return len(_FIRST_LEVELS[bits]) + -(-dimension * bits // 8)


def encode(vectors: Floats, bits: int) -> list[bytes]:
    """A code for each row; rows must have length 1."""
    rows = np.atleast_2d(np.ascontiguousarray(vectors, dtype=np.float32))
    width = code_bytes(bits, rows.shape[1])
    lengths = np.sqrt(np.vecdot(rows, rows))
    if not (abs(lengths - 1) < _UNIT_TOLERANCE).all():
        wrong = np.flatnonzero(~(np.abs(lengths - 1) < _UNIT_TOLERANCE))
        raise ValueError(
            f"{len(wrong)} of {len(rows)} vectors are not of length 1; row {wrong[0]}: {lengths[wrong[0]]}"
        )
    codes = np.empty((len(rows), width), dtype=np.uint8)
    for low in range(0, len(rows), _CHUNK):
        codes[low : low + _CHUNK] = _encoded(rows[low : low + _CHUNK], bits)
    packed = codes.tobytes()
    return [packed[start : start + width] for start in range(0, len(packed), width)]


def encode_one(vector: Floats, bits: int) -> bytes:
    """The code of a single vector."""
    if bits == 32 and vector.dtype == np.float32 and abs(float(np.vdot(vector, vector)) - 1) < _UNIT_TOLERANCE:
        return vector.astype("<f4", copy=False).tobytes()
    return encode(vector, bits)[0]


def decode(codes: Sequence[bytes], bits: int, dimension: int) -> Floats:
    """The rows again, each of length 1; 32 bits are the very floats that went in."""
    width = code_bytes(bits, dimension)
    wrong = {len(code) for code in codes} - {width}
    if wrong:
        raise ValueError(f"a code of {min(wrong)} bytes; {bits} bits at {dimension} dimensions take {width} bytes")
    if bits == 32:
        return np.frombuffer(b"".join(codes), dtype="<f4").astype(np.float32).reshape(len(codes), dimension)
    packed = np.frombuffer(b"".join(codes), dtype=np.uint8).reshape(len(codes), width)
    rows = np.empty((len(codes), dimension), dtype=np.float32)
    for low in range(0, len(codes), _CHUNK):
        rows[low : low + _CHUNK] = _decoded(packed[low : low + _CHUNK], bits, dimension)
    return rows


def recode(codes: Sequence[bytes], bits_from: int, bits_to: int, dimension: int) -> list[bytes]:
    """The same vectors in fewer bits; what was lost cannot come back."""
    if bits_to >= bits_from:
        raise ValueError(
            f"{bits_from} bits cannot become {bits_to}: recoding only takes bits away. Embed the text again"
        )
    return encode(decode(codes, bits_from, dimension), bits_to)


def signs(vectors: Floats) -> NDArray[np.uint64]:
    """64 components to a number, the first in the lowest bit: 1 where a component is above 0, padded with 0."""
    return packed(np.atleast_2d(vectors) > 0)


def packed(positive: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of bits, 64 to a number."""
    found = np.packbits(positive, axis=1, bitorder="little")
    if positive.shape[1] % 64:
        bits, found = found, np.zeros((len(positive), signs_width(positive.shape[1])), dtype=np.uint8)
        found[:, : bits.shape[1]] = bits
    return found.view("<u8").astype(np.uint64, copy=False)


def signs_bytes(words: NDArray[np.uint64]) -> list[bytes]:
    """Each row of signs as it is stored: 8 bytes a number, lowest first."""
    packed, width = words.astype("<u8").tobytes(), words.shape[1] * 8
    return [packed[start : start + width] for start in range(0, len(packed), width)]


def signs_of_one(vector: Floats) -> bytes:
    """The signs of a single vector as they are stored."""
    return np.packbits(vector > 0, bitorder="little").tobytes().ljust(signs_width(len(vector)), b"\0")


def signs_width(dimension: int) -> int:
    """How many bytes the signs of one row take: 48 at 384 dimensions."""
    return 8 * -(-dimension // 64)


def signs_from_bytes(stored: Sequence[bytes], dimension: int) -> NDArray[np.uint64]:
    words = -(-dimension // 64)
    wrong = {len(row) for row in stored} - {words * 8}
    if wrong:
        raise ValueError(f"signs of {min(wrong)} bytes; {dimension} dimensions take {words * 8} bytes")
    return np.frombuffer(b"".join(stored), dtype="<u8").astype(np.uint64).reshape(len(stored), words)


def similarity(query: Floats, vectors: Floats, bits: NDArray[np.int8]) -> Floats:
    """How alike the query (32 bits, length 1) is to each row: the cosine, less what the row's lost bits leave open.

    Each vector is a Gaussian around where it was decoded, with variance s² = (WORDING + NOISE) / d in each of d
    dimensions; t² is the query's, WORDING / d. The Fisher-Rao distance of two such Gaussians is
    D = √(2d) arccosh(1 + (|u - v|² / 2d + (s - t)²) / 2st). Taken back by 1 - 2dst (cosh(D / √2d) - 1), it is the
    cosine c where the widths are equal, and else c - (√(WORDING + NOISE) - √WORDING)². So it rises with c, never
    exceeds it, and falls with each bit lost: by .00000002 at 8 bits, .00037 at 4, .03568 at 2; there .8 counts .76432.

    Decoding draws cosines to 0: on average it multiplies them by the codec's mean. Above 0 that counts against a coarse
    vector; below, where it would count for it, it is undone. So of two vectors equally near, the coarse one is always
    expected behind. Of pairs whose true cosines to a question differ by less than .005, the one in 2 bits was ahead in
    1 of 1,000 (MiniLM vectors; 144 by the decoded cosine alone).
    """
    # Row by row: a product of matrices may give equal rows unequal last digits, and so an order by chance.
    return without_lost(np.vecdot(vectors, query), bits)


def without_lost(cosines: Floats, bits: NDArray[np.int8]) -> Floats:
    """Cosines with decoded rows as `similarity` counts them."""
    if bits.min(initial=max(BITS)) == max(BITS):
        return cosines
    return np.minimum(cosines, cosines / _MEANS[bits]) - _HANDICAPS[bits]


def handicaps(bits: NDArray[np.int8]) -> Floats:
    """What `similarity` takes off the cosine at each precision."""
    return _HANDICAPS[bits]


def _by_bits(values: dict[int, float]) -> Floats:
    table = np.full(max(BITS) + 1, np.nan, dtype=np.float32)
    for bits, value in values.items():
        table[bits] = value
    return table


_MEANS = _by_bits(MEAN_COSINE)
_HANDICAPS = _by_bits({bits: (math.sqrt(WORDING + noise) - math.sqrt(WORDING)) ** 2 for bits, noise in NOISE.items()})


def _encoded(rows: Floats, bits: int) -> NDArray[np.uint8]:
    if bits == 32:
        return rows.astype("<f4", copy=False).view(np.uint8)
    positive = rows > 0
    sizes = np.abs(rows)
    if bits == 8:
        steps = sizes * (128 / sizes.max(axis=1, keepdims=True))
        # The nearest of ½, 1½, … 127½.
        return np.where(positive, 128, 0).astype(np.uint8) | np.minimum(steps, 127).astype(np.uint8)
    parts, unit = _levels(sizes, bits)
    codes = np.where(positive, 1 << (bits - 1), 0).astype(np.uint8) | _nearest(sizes, parts * unit)
    return np.concatenate((parts, _packed(codes, bits)), axis=1)


def _decoded(packed: NDArray[np.uint8], bits: int, dimension: int) -> Floats:
    if bits == 8:
        sizes = (packed & 127).astype(np.float32) + np.float32(0.5)
        positive = packed >= 128
    else:
        count = len(_FIRST_LEVELS[bits])
        codes = _unpacked(packed[:, count:], bits, dimension)
        sizes = np.take_along_axis(packed[:, :count], codes & (count - 1), axis=1).astype(np.float32)
        positive = codes >= count
    rows = np.where(positive, sizes, -sizes)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return rows


def _levels(sizes: Floats, bits: int) -> tuple[NDArray[np.uint8], Floats]:
    """The magnitudes that fit each row, in whole parts, and each row's part: 1/255 of the largest magnitude."""
    count = len(_FIRST_LEVELS[bits])
    scale = np.sqrt(np.einsum("ij,ij->i", sizes, sizes) / sizes.shape[1])
    levels = scale[:, None] * np.array(_FIRST_LEVELS[bits], dtype=np.float32)
    first_cells, weights = np.arange(len(sizes), dtype=np.intp)[:, None] * count, sizes.ravel()
    for _ in range(_ROUNDS):
        cells = (first_cells + _nearest(sizes, levels)).ravel()
        held = np.bincount(cells, minlength=levels.size).reshape(levels.shape)
        sums = np.bincount(cells, weights=weights, minlength=levels.size).reshape(levels.shape)
        # A magnitude that is nearest to nothing stays where it is.
        levels = np.where(held, sums / np.maximum(held, 1), levels).astype(np.float32)
    unit = levels[:, -1:] / np.float32(255)
    # At least one part: a magnitude of 0 would lose the sign.
    return np.maximum(np.rint(levels / unit), 1).astype(np.uint8), unit


def _nearest(sizes: Floats, levels: Floats) -> NDArray[np.uint8]:
    """Which of its row's ascending levels is nearest to each component."""
    middles = (levels[:, 1:] + levels[:, :-1]) / 2
    nearest = np.zeros(sizes.shape, dtype=np.uint8)
    for column in range(middles.shape[1]):
        nearest += sizes > middles[:, column, None]
    return nearest


def _packed(codes: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """Several codes to a byte, the first in the lowest bits; the last byte is filled with 0."""
    each = 8 // bits
    filled = np.zeros((len(codes), -(-codes.shape[1] // each) * each), dtype=np.uint8)
    filled[:, : codes.shape[1]] = codes
    packed = filled[:, ::each].copy()
    for place in range(1, each):
        packed |= filled[:, place::each] << (place * bits)
    return packed


def _unpacked(packed: NDArray[np.uint8], bits: int, dimension: int) -> NDArray[np.uint8]:
    each = 8 // bits
    codes = np.empty((len(packed), packed.shape[1] * each), dtype=np.uint8)
    for place in range(each):
        codes[:, place::each] = (packed >> (place * bits)) & ((1 << bits) - 1)
    return codes[:, :dimension]


def _check(bits: int, dimension: int) -> None:
    if bits not in BITS:
        raise ValueError(f"{bits} bits a component; it must be one of {', '.join(map(str, BITS))}")
    if not 1 <= dimension <= MOST_DIMENSIONS:
        raise ValueError(f"{dimension} dimensions; it must be 1 to {MOST_DIMENSIONS}")
