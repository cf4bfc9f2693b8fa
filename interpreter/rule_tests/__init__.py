"""Runs the tests in rule files."""
