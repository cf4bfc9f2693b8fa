"""Statements as C: what never waits, and units with the points at which they do."""
