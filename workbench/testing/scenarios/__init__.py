"""Scenarios generated from games, with as few lines as possible."""
