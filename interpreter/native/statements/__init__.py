"""Statements as C: those that never wait, and units with their wait points."""
