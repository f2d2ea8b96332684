"""The demo: a made-up year of an agent's life, replayed through Mind into a namespace of its own."""
