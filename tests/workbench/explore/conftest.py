"""Excludes the rule file of these tests, which fails on purpose, from collection."""

collect_ignore = ["latch.rules"]
