"""Traces: events of games as rows of numbers, the same on either engine."""
