"""Sweeps: figures of the rules that vary, and the house rules at each point."""
