"""Connecting agents: which hosts there are, what is written into their configuration, and how it is taken out again."""
