"""Record files of games: writing, reading, repair and replay."""
