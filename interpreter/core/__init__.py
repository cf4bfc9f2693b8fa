"""Fixed structures of a game: cells, members, actions, and their indices."""
