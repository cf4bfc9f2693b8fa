"""Kernel: the small typed language to which all rules are lowered, and its tools."""
