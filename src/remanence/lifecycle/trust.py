"""Trust: how far a source is believed, from 0 to 1. A person is believed most, a dream least."""

from __future__ import annotations

from remanence.model.memory import Source

TRUST = {Source.HUMAN: 1.0, Source.AI: 0.7, Source.EXTRACTED: 0.7, Source.INGEST: 0.5, Source.DREAM: 0.4}
