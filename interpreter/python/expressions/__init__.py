"""Python code for expressions of the rules."""
