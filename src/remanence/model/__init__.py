"""Frozen values without input or output: what a memory is, and what may happen to it."""
