"""Sweeps: numbers of the rules that vary, and house rules for each combination."""
