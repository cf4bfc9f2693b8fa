"""Presentation for people: pictures, narration, printed rules, languages, console."""
