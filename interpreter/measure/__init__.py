"""Measurement of games: counts of the rules that were reached, and traces."""
