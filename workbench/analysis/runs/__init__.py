"""Runs: many games of one variant, resumable, with results in files."""
