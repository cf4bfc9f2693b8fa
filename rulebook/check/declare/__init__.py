"""Declarations: the names, kinds and board of a rulebook, before any body."""
