"""A game at the terminal: what is asked, typed and shown."""
