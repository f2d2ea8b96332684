"""The forward pass of all-MiniLM-L6-v2 in numpy: token ids in, one vector of unit length a text out.

Six BERT layers, the mean over all tokens, divided by its length, in float32. GELU is its tanh form: against the exact
one the cosine of the result is 1 to within 4e-6.

Texts of the same length share a pass, others do not. So nothing is padded or masked, and every text meets the same
matrix products alone as in a batch: its vector has the same bits. Mixing lengths would be a quarter quicker at best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from remanence.providers.bundled.weights import HEAD_WIDTH, HEADS, WIDTH, Floats, Layer, Weights

# What one pass works on stays in the processor's cache: 256 tokens of 1,536 floats are 1.5 MB.
_TOKENS_A_PASS = 256
_ROWS_UP = 64
_EPSILON = np.float32(1e-12)
_GELU = np.float32(0.7978845608)
_GELU_CUBE = np.float32(0.7978845608 * 0.044715)
_HALF = np.float32(0.5)


def vectors(weights: Weights, tokens: Sequence[Sequence[int]]) -> Floats:
    """One unit vector a text, in the order of the texts."""
    found = np.empty((len(tokens), WIDTH), np.float32)
    by_length = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for length, group in groupby(by_length, key=lambda place: len(tokens[place])):
        places = list(group)
        step = max(1, _TOKENS_A_PASS // length)
        for start in range(0, len(places), step):
            some = places[start : start + step]
            found[some] = _passed(weights, np.array([tokens[place] for place in some]))
    return found


def _passed(weights: Weights, ids: np.ndarray) -> Floats:
    """The vectors of texts of the same length; `ids` is texts × tokens."""
    hidden = weights.words[ids] * weights.word_scales[ids]
    hidden += weights.positions[: ids.shape[1]]
    _normalise(hidden, weights.norm)
    for layer in weights.layers:
        hidden = _attended(hidden, layer)
        hidden = _fed_forward(hidden, layer)
    mean = hidden.mean(axis=1)
    mean /= np.sqrt(np.einsum("ij,ij->i", mean, mean))[:, None]
    return mean


def _attended(hidden: Floats, layer: Layer) -> Floats:
    texts, length, _ = hidden.shape
    mixed = hidden @ layer.attend
    mixed += layer.attend_bias
    query, key, value = mixed.reshape(texts, length, 3, HEADS, HEAD_WIDTH).transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    joined = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, length, WIDTH)
    out = joined @ layer.output
    out += layer.output_bias
    out += hidden
    return _normalise(out, layer.output_norm)


def _fed_forward(hidden: Floats, layer: Layer) -> Floats:
    out = np.empty_like(hidden)
    for start in range(0, hidden.shape[1], _ROWS_UP):
        rows = hidden[:, start : start + _ROWS_UP]
        wide = rows @ layer.up
        wide += layer.up_bias
        curve = wide * wide
        curve *= _GELU_CUBE
        curve += _GELU
        curve *= wide
        np.tanh(curve, out=curve)
        curve += 1
        curve *= wide
        curve *= _HALF
        np.matmul(curve, layer.down, out=out[:, start : start + _ROWS_UP])
    out += layer.down_bias
    out += hidden
    return _normalise(out, layer.down_norm)


def _normalise(rows: Floats, norm: tuple[Floats, Floats]) -> Floats:
    """Layer normalisation, in place."""
    scale, shift = norm
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", rows, rows)[..., None]
    variance /= np.float32(WIDTH)
    variance += _EPSILON
    rows /= np.sqrt(variance, out=variance)
    rows *= scale
    rows += shift
    return rows
