"""Traces: events of games as rows of numbers, the same for both engines."""
