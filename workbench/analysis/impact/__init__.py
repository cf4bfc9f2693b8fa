"""Recorded games by changed rules: what differs first, and which clause makes it."""
