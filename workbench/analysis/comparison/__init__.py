"""Variants side by side: pairs of games by seed, and what may be said of them."""
