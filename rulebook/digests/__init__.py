"""Digests of the meaning of rules, in the current and the first form."""
