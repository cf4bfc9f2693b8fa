"""Command `rulebook economy`: income of a board and costs, without playing games."""
