"""Bots in C, which evaluate actions in samples of the game."""
