"""Printer of the kernel as the Python program that a plan runs."""
