"""Policies as YAML: the presets, the grammar they are written in, and the reader that reports every problem."""
