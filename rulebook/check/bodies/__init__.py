"""Checks of clause bodies: statements, actions, phases and tests."""
