"""Comparison of variants by games that are paired by seed."""
