"""Statements as C: those that never wait, and units with the points at which they
wait."""
