"""Replay and workshop: replays of games, and editing of rules next to the board."""
