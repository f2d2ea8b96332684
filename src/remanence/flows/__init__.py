"""The verbs, one to a file: gather from the store, let a pure rule decide, apply its plan. No step goes back."""
