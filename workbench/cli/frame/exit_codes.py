"""Exit codes of `rulebook`."""

FAILURE, USAGE, BUG, INTERRUPTED = 1, 2, 70, 130
