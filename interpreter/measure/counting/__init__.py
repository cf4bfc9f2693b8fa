"""Counted games: counts of how often each part of the rules was reached, and was true
or false.
"""
