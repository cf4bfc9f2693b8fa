"""From the rules of a book to those of one game: players and options are known."""
