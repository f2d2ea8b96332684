"""Sessions in, guidance out: what agents do becomes memories, and memories become what the next session begins with."""
