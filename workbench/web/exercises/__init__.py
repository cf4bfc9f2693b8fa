"""Exercises with the rules of a game: positions and questions from its scenarios."""
