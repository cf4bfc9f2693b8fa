"""A game that runs: cells, control stack, the points at which it waits."""
