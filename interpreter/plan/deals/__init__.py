"""Deals under conditions: separate tests, the cards that they read, equal values."""
