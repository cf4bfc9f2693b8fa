"""Views: choices, the board and snapshots of a table, as data and as HTML."""
