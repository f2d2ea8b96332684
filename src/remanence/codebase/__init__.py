"""Source trees: what files there are, what they define, where git moved them. Read inside given roots alone."""
