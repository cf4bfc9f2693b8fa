"""Bots in C: what they think of is tried in games that a seat may imagine."""
