"""Raw text into atomic statements that stand alone, without a model."""

from remanence.extraction.statements import decompose, texts

__all__ = ["decompose", "texts"]
