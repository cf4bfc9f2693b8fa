"""Batches: many games advanced by one call, with results in arrays of the caller."""
