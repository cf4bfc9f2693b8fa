"""How a game goes on, by either engine: `Game` has one of these courses."""
