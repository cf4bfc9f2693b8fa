"""Localization: titles, sentences and phrases in the reader's language."""
