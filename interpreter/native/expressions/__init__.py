"""Expressions as C."""
