"""Sentences and what is made of them: statements, actions, phases, tests."""
