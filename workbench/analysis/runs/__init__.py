"""Runs of many games: resumable, with results in files."""
