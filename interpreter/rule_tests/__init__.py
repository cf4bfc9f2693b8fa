"""The tests that stand in rule files, carried out."""
