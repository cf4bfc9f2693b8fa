"""Presentation: pictures, narration, printed rules, languages and console output."""
