"""C code for expressions of the rules."""
