"""Lowering of expressions to values, sequences and rows of the kernel."""
