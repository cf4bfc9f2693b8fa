"""Playing a game: its start, actions, chance events, and the engine that runs it."""
