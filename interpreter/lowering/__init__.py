"""Lowering of the statements of one game to the kernel: one rule for each class."""
