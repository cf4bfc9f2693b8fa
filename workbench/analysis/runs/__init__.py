"""Long runs of games: kept while they are played, gone on with, and put into files."""
