"""Queries on a checked model: calls between code, and reads and writes of state."""
