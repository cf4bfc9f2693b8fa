"""Event-sourced storage of a table: append-only journal and the state read from it."""
