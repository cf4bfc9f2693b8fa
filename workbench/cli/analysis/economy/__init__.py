"""Command `rulebook economy`: income and costs on a board, computed without games."""
