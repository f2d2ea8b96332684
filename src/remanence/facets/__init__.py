"""Facets: parts of Mind with a name of their own (`mind.policies`), so that Mind itself stays small."""
