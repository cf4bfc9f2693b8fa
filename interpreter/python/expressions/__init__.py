"""Python code for expressions."""
