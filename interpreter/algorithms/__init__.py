"""Bounded search algorithms over boards, deals and game trees."""
