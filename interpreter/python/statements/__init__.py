"""Python code for statements: lines, and steps at which a game may wait."""
