"""Passes: functions from an operation to a faster one with the same result."""
