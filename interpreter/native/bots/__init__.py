"""Bots in C, which try actions in sampled games consistent with their knowledge."""
