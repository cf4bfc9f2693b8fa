"""Counted games: how often each part of the rules was reached, true or false."""
