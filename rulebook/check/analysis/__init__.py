"""Analyses of the whole model: sizes, termination, secrets, dead statements."""
