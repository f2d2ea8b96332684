"""The rules of forgetting as pure functions: time and randomness are arguments, nothing here reads or writes."""
