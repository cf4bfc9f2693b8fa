"""The native engine: a plan as one file of C, compiled, loaded, and played."""
