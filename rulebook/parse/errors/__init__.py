"""Explanations of syntax errors for people."""
