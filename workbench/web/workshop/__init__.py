"""Replay and summary of games, and editing of rules next to the board."""
