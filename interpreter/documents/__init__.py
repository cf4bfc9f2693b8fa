"""Positions and records: games as plain data, and back."""
