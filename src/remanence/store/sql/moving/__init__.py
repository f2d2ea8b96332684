"""Moving a namespace into another store: memories, what happened to them, what was captured, and the rest."""
