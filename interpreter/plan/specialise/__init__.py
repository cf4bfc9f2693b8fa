"""Specialisation of the rules of a book for known players and options."""
