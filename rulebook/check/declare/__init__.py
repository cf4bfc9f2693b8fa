"""Declarations of a rulebook's names, kinds and board, checked before any body."""
