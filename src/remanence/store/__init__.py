"""Where memories are kept. A store reads, and writes memories through one method, `apply`; it decides nothing."""
