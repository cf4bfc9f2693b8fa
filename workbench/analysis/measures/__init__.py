"""Named measures of games, computed from traces, with a table of definitions."""
