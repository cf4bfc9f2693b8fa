"""Execution of the tests in rule files."""
