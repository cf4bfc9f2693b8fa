"""Lowering of expressions to the kernel, and evaluation of constant ones."""
