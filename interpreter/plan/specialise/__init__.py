"""Specialisation of rules for a known number of players and known options."""
