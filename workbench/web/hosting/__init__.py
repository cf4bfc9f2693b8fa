"""Parts of the host of tables: bots, presence, workers and creation of tables."""
