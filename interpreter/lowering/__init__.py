"""Lowering of the rules of one game to the kernel: one rule for each class."""
