"""Checks of bodies: statements, actions, phases and tests."""
