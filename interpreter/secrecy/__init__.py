"""Analysis of secrets: which rules read hidden information, and which seats
learn it.
"""
