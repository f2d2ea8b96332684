"""One BLAS thread for the length of a pass.

A pass is many small matrix products, each split and joined again. On idle cores a second thread gains a half; on busy
ones every join waits for a core, and a pass takes five times as long or more (measured here: 7 texts a second, not 37).
How a product is split also changes its bits, so one thread makes vectors the same whatever the number of cores.

OpenBLAS, which numpy's wheels carry, has one setting a process: it is put back when the last pass ends. Other BLAS
libraries are left as they are.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# As numpy's wheels name them, then as a system's OpenBLAS does.
_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads")


class _OneThread:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._passes = 0
        self._before = 1
        self._functions: tuple[Callable[[], int], Callable[[int], None]] | None = None
        self._looked = False

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            functions = self._found()
            self._passes += 1
            if functions and self._passes == 1:
                get, put = functions
                self._before = get()
                put(1)
        try:
            yield
        finally:
            with self._lock:
                self._passes -= 1
                if functions and not self._passes:
                    functions[1](self._before)

    def after_fork(self) -> None:
        # Passes of other threads do not run on in the child, and one of them may have held the lock.
        self._lock, self._passes = threading.Lock(), 0

    def _found(self) -> tuple[Callable[[], int], Callable[[int], None]] | None:
        if not self._looked:
            self._looked = True
            # The extension is linked with the library, so its symbols are found through it.
            extension = getattr(sys.modules.get("numpy._core._multiarray_umath"), "__file__", None)
            try:
                library = ctypes.CDLL(extension) if extension else None
            except OSError:
                library = None
            for name in _NAMES:
                get, put = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
                if get and put:
                    self._functions = (get, put)
                    break
        return self._functions


one_thread = _OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.after_fork)
