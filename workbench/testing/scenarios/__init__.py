"""Generation of scenarios from games: as few lines as possible."""
