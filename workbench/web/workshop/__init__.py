"""Replay and workshop: games looked at again, rules changed beside the board."""
