"""Replay of games event by event, and editing of rules next to the board."""
