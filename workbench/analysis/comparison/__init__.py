"""Comparison of variants: games paired by seed, and the conclusions from them."""
