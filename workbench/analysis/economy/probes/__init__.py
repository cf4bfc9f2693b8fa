"""Probes of the engine: the income of turns, by board and pieces."""
