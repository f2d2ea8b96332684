"""Where vectors come from: the embedder that is bundled, an endpoint, or one that the user brings."""
