"""First the names of a rulebook, its kinds and its board; then sentences are read."""
