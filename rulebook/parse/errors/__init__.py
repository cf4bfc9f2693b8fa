"""Explanations of syntax errors, in words for people."""
