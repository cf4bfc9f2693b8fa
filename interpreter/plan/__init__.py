"""Plans: the fixed data and the compiled rules of one game."""
