"""Ladders: games in which every bot meets every other, and their ratings."""
