"""Bots in C, which try actions in samples of the game."""
