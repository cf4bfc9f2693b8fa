"""Hypothesis strategies and properties for rule files."""
