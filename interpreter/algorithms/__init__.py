"""Searches over boards and deals, each with its bound."""
