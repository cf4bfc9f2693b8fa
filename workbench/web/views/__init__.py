"""Views of a table: choices, board and snapshots, as plain data and as HTML."""
