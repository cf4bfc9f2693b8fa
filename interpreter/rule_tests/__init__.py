"""Runner of the tests in rule files."""
