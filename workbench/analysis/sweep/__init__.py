"""Sweeps: numbers in the rules that vary, and a house rule per combination."""
