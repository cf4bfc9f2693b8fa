"""The tests that stand in rule files: run, shrunk, and tested by mutants."""
