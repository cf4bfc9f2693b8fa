"""Narration: events and positions as lines of text for one reader."""
