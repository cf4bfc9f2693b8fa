"""A range of rules: what is varied, and the house rules at each point."""
