"""Sentences for parts of the rules, from templates and their values."""
