"""Plans: the fixed data of one game, and its rules made ready to run."""
