"""What a server loads until it has answered its first question: imported once, by the process that servers copy."""

from __future__ import annotations

import uvicorn  # noqa: F401
from uvicorn.protocols.http.h11_impl import H11Protocol  # noqa: F401

from remanence import Mind
from remanence.interfaces.cli import app as commands  # noqa: F401
from remanence.interfaces.mcp import http  # noqa: F401
from remanence.interfaces.serve import app, running  # noqa: F401
from remanence.providers.bundled.embedder import Bundled
from remanence.settings import Settings

with Mind(":memory:", settings=Settings(upkeep__on_open=False), embedder=Bundled()) as mind:
    mind.remember("The kettle in the kitchen is blue")
    mind.recall("what is blue")
del mind
