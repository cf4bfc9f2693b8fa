"""Statements as Python: lines, and steps at which a game may wait."""
