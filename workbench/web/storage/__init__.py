"""Event-sourced storage of a table: the append-only journal and the state read from it."""
