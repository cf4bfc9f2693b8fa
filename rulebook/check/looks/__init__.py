"""Checks of looks: hints, colours and drawings."""
