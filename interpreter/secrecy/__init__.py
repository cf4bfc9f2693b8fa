"""Which rules read what is hidden, and who learns what by what happens."""
