"""Event-sourced storage of a table: its append-only journal and resulting state."""
