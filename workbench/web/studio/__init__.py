"""Replay and workshop: pages on which a game is looked at again, or its rules changed."""
