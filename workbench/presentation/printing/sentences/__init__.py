"""Sentences for parts of the rules, made from templates by filling their gaps."""
