"""Event-sourced storage of a table: an append-only journal, and the state that it
yields."""
