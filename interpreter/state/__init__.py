"""State of a running game: cells, control stack, and wait points."""
