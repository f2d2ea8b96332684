"""The default embedder: all-MiniLM-L6-v2 in int8, run by numpy, without a network, a key or another runtime."""
