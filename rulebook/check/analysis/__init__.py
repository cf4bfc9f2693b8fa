"""Analyses of the whole model: sizes, termination, hidden reads, dead statements."""
