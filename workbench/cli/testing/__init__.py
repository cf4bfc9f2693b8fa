"""Commands that test rule files: scenarios, coverage, mutants and exploration."""
