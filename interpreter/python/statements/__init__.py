"""Python code for statements: plain lines, and steps at which a game may wait."""
