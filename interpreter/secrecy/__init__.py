"""Analysis of secrets: which rules read hidden information, and who learns it."""
