"""Vectors in memory: how they are coded, compared, searched and paired. Derived, never a second truth."""
