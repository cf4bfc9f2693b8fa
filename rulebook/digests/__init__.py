"""Digest of the meaning of rules, in its current form and in its first form."""
