"""Expressions as Python."""
