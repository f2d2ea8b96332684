"""The doors: thin shells over Mind, driven by one table of verbs."""
