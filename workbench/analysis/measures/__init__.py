"""Named measures of games: a table that says what each is, worked out from traces."""
